"""Compiled inner loops: arrays and scalars only.  Private; importing them compiles nothing."""
