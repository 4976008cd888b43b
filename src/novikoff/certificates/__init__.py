"""What was proved, as an object, and the independent checker of it."""
