"""The lab: a local web page on which the library's learners are watched at work, update by update."""
