"""The data of a fit, which is read in a thread from before what learns from it is imported.

Importing scikit-learn takes as long as reading a hundred megabytes does, and one core: so nothing here imports it.
"""

from functools import partial
from typing import Any, NamedTuple

from ..data.ahead import Begun
from ..errors import InputError
from ..scale.batches import Spool, keep_files, temporary_spool
from ..scale.blocks import Blocks, LabelCounts, blocks_of
from .fit_request import FitRequest
from .labelled_rows import read_rows


class StreamedRows(NamedTuple):
    """Files whose rows were read once, where these are kept meanwhile, and what their labels are."""

    blocks: Blocks
    spool: Spool | None
    label_counts: LabelCounts


def begin_reading(request: FitRequest) -> Begun[Any]:
    """Begin to read the data of a request; what is returned waits for LabelledRows or StreamedRows."""
    return Begun(partial(read_stream if request.stream or request.cluster else read_rows, request))


def read_stream(request: FitRequest) -> StreamedRows:
    """The files of a request, all read once; here, while there is room, their rows are kept."""
    blocks, spool = open_blocks(request.data, request), None
    if not request.cluster:  # its workers read their own
        spool = Spool(request.cache) if request.cache else temporary_spool()
        blocks = keep_files(blocks, spool)
    return StreamedRows(blocks, spool, blocks.label_counts())


def open_blocks(data: Any, request: FitRequest) -> Blocks:
    """The files of the data, without columns of lists, which a model file cannot tell of."""
    blocks = blocks_of(data, request.target, request.reading, request.column_options, request.missing, True)
    if blocks.lists:
        name = blocks.lists[0]
        raise InputError(f"Column {name!r} holds lists of numbers: learn from it in Python, with fit_stream.")
    return blocks
