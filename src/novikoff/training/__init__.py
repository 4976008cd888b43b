"""How anything is trained: problems, the one loop of passes, and what is known at its end."""
