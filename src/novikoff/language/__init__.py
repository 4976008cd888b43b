"""Sentences in the language that is spoken."""
