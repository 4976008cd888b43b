"""Words that the terminal and the report share."""

KINDS = {
    "number": "numbers",
    "category": "categories",
    "text": "free text",
    "identifier": "left out, as they name rows",
    "empty": "left out, as they are empty",
    "dropped": "left out, as asked for",
}
"""What the kinds of columns are called."""
STATUS = {
    "separated": "separated: a full pass made no mistake.",
    "inseparable": "inseparable: it is proved that no plane has every row on its right side.",
    "thin": "thin: it is proved that no plane has a margin worth waiting for, and passes have ceased to help.",
    "stalled": "stopped: passes had ceased to help.",
    "limit": "stopped: the limit of passes was reached.",
    "early": "stopped: early stopping ended the run.",
    "stopped": "stopped: the run ended with mistakes left.",
}
"""What the ends of a run mean; of "stopped", what stopped it where that is known."""
