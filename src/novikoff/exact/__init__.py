"""Arithmetic without rounding: floats as dyadic rationals, linear algebra, the simplex method."""
