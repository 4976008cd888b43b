"""Data sets: the gallery."""
