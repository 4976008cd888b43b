"""The lab: a local web page on which the library's learners are watched at work, update by update."""

HOST, PORT = "127.0.0.1", 8010
"""Where it is served, if nothing else is said."""
