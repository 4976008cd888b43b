"""Estimators in scikit-learn's manner, one rule a file."""
