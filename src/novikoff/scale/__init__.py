"""Data larger than memory, and more than one machine."""
