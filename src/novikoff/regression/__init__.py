"""For people who fit regressions: which estimates are finite, which are infinite, and why."""
