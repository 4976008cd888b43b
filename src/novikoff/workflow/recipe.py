"""How rows of other files become rows for a model."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..data.labels import missing_error, number_rows
from ..errors import InputError, check_columns, comma_list

if TYPE_CHECKING:
    import numpy as np

    from ..data.readers import Chunk


@dataclass(frozen=True)
class Recipe:
    """What is kept in the model file of how rows were made of columns; a libsvm file has no kinds of columns."""

    kinds: dict[str, str] | None
    target: str
    missing: str
    width: int
    marks: tuple[str, ...] = ()  # texts that stand for a missing value
    notations: dict[str, tuple[str, ...]] = field(default_factory=dict)  # of numbers that are no plain decimals

    @classmethod
    def from_notes(cls, notes: dict[str, Any], path: Any) -> "Recipe":
        """The recipe that a model file has beside its model."""
        if isinstance(notes, dict) and "recipe" not in notes:
            raise InputError(f"{path} was saved by novikoff.save, not by novikoff fit: use it from Python.")
        fields = notes["recipe"] if isinstance(notes, dict) else None
        if not is_recipe(fields):
            raise InputError(f"{path} is damaged: what it keeps of how its columns are read cannot be read.")
        return cls(**{**fields, "marks": tuple(fields["marks"])})

    @property
    def numbers(self) -> list[str]:
        """The columns of plain numbers that are trained on."""
        return [name for name, kind in (self.kinds or {}).items() if kind == "number" and name not in self.notations]

    def check_columns(self, columns: list[str], name: str) -> None:
        """Raise if a file with these columns lacks one of the model's."""
        there = set(columns)
        if lacking := [column for column in self.kinds or () if column not in there]:
            raise InputError(f"{name} lacks {comma_list(map(repr, lacking))}, which the model was learnt with.")

    def rows(self, chunk: "Chunk", name: str, first: int = 0) -> Any:
        """What the model's pipeline takes, of a chunk that begins with row ``first``."""
        import numpy as np

        from ..data import frames
        from ..data.notations import Notation
        from ..data.readers import with_width

        if (chunk.matrix is None) == (self.kinds is None):
            kind = "a libsvm file" if self.kinds is None else "a table with columns"
            raise InputError(f"The model was trained on {kind}, and {name} is none.")
        if self.kinds is None:
            return with_width(chunk.matrix, self.width)
        table = frames.clean_table(chunk.table, self.marks)
        self.check_columns(table.column_names, name)
        notations = {name: Notation(*parts) for name, parts in self.notations.items()}
        X = frames.to_frame(table, frames.Columns(self.kinds, notations=notations), first)
        if self.missing != "impute" and X.isna().to_numpy().any():
            i, j = np.argwhere(X.isna().to_numpy())[0]
            raise InputError(
                f"{name} has no value in column {X.columns[j]!r} at row {first + i + 1}, and the model does not know "
                "what to do then: fit it with --missing impute."
            )
        return frames.fill_texts(X, self.kinds)

    def labelled_rows(self, chunk: "Chunk", name: str, classes: "np.ndarray") -> "tuple[Any, np.ndarray]":
        """Those rows of a chunk that have a label, with their labels, which must be among the classes."""
        from ..data import frames

        X, labels = self.rows(chunk, name), chunk.labels
        if chunk.matrix is None:
            table = frames.clean_table(chunk.table, self.marks)
            check_columns(table.column_names, [self.target], name)
            labels = table[self.target]
        numbers, places = number_rows(labels, classes, name)
        if len(places) < len(chunk) and self.missing == "refuse":
            raise missing_error({self.target: len(chunk) - len(places)}, name)
        return take_rows(X, places), classes[numbers]


def is_recipe(fields: Any) -> bool:
    """Whether these are the fields of a recipe, each of its kind."""
    kinds: dict[str, tuple[type, ...]] = {
        "kinds": (dict, type(None)),
        "target": (str, type(None)),
        "missing": (str,),
        "width": (int,),
        "marks": (list, tuple),
    }
    if not (isinstance(fields, dict) and fields.keys() - {"notations"} == kinds.keys()):
        return False
    if not are_notations(fields.get("notations", {})):
        return False
    right = all(isinstance(fields[name], kind) for name, kind in kinds.items())
    return right and all(isinstance(text, str) for text in (*fields["marks"], *(fields["kinds"] or {}).values()))


def are_notations(notations: Any) -> bool:
    """Whether these are the notations of columns."""
    from ..data.notations import FORMS, GROUPS

    return isinstance(notations, dict) and all(
        isinstance(parts, list | tuple)
        and len(parts) == 3
        and all(isinstance(part, str) for part in parts)
        and parts[0] in FORMS
        and parts[2] in GROUPS
        for parts in notations.values()
    )


def take_rows(X: Any, places: "np.ndarray") -> Any:
    """Some rows of a frame or a matrix."""
    return X.iloc[places].reset_index(drop=True) if hasattr(X, "iloc") else X[places]
