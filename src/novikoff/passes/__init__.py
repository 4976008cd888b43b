"""Compiled inner loops: arrays and scalars only.  Private; imported at the first fit, not with the package."""
