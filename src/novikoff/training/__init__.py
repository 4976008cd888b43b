"""How anything is trained: data sets, problems, the one loop of passes, and what is known at its end."""
