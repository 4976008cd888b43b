"""What is true of a run: bounds on mistakes and margins."""
