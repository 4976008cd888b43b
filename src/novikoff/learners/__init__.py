"""Estimators with scikit-learn's interface, one rule per file."""
