"""How rows of other files become rows for a model."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data import frames
from ..data.frames import Columns
from ..data.readers import Part, widened
from ..errors import InputError, check_columns, comma_list


@dataclass(frozen=True)
class Recipe:
    """What is kept in the model file of how rows were made of columns; a libsvm file has no kinds of columns."""

    kinds: dict[str, str] | None
    target: str
    missing: str
    width: int
    marks: tuple[str, ...] = ()  # texts that stand for a missing value

    @classmethod
    def from_notes(cls, notes: dict[str, Any], path: Any) -> "Recipe":
        """The recipe that a model file has beside its model."""
        if "recipe" not in notes:
            raise InputError(f"{path} was saved by novikoff.save, not by novikoff fit: use it from Python.")
        fields = notes["recipe"]
        return cls(**{**fields, "marks": tuple(fields["marks"])})

    def rows(self, part: Part, name: str, first: int = 0) -> Any:
        """What the model's pipeline takes, of a part that begins with row ``first``."""
        if (part.matrix is None) == (self.kinds is None):
            kind = "a libsvm file" if self.kinds is None else "a table with columns"
            raise InputError(f"The model was learnt from {kind}, and {name} is none.")
        if self.kinds is None:
            return widened(part.matrix, self.width)
        table = frames.cleaned(part.table, self.marks)
        if lacking := [column for column in self.kinds if column not in table.column_names]:
            raise InputError(f"{name} lacks {comma_list(map(repr, lacking))}, which the model was learnt with.")
        X = frames.frame(table, Columns(self.kinds), first)
        if self.missing != "impute" and X.isna().to_numpy().any():
            i, j = np.argwhere(X.isna().to_numpy())[0]
            raise InputError(
                f"{name} has no value in column {X.columns[j]!r} at row {first + i + 1}, and the model does not know "
                "what to do then: fit it with --missing impute."
            )
        return frames.filled(X, self.kinds)

    def labelled_rows(self, part: Part, name: str) -> tuple[Any, np.ndarray]:
        """Those rows of a part that have a label, with their labels."""
        X = self.rows(part, name)
        if part.matrix is not None:
            return X, part.labels
        table = frames.cleaned(part.table, self.marks)
        check_columns(table.column_names, [self.target], name)
        y, places = frames.label_values(table, self.target)
        return X.iloc[places], y
