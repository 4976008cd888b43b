"""What the command does, for anyone: from a file to a model, its quality and its report."""
