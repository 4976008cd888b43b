"""What can be proved of data."""
