"""What is true of a run: its updates recorded, and the proofs of the notes measured on them."""
