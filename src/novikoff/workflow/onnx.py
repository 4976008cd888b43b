"""Models as ONNX: the whole pipeline of a linear learner, computed in double precision as here."""

from pathlib import Path
from typing import Any

import numpy as np
from skl2onnx import to_onnx, update_registered_converter
from skl2onnx.common.data_types import DoubleTensorType, Int64TensorType, StringTensorType
from skl2onnx.proto import onnx_proto
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer

from ..atomic import replacing
from ..errors import InputError
from .result import decides_by_plane

TEXT = {"locale": "C.UTF-8", "tokenexp": r"[\p{L}\p{N}_][\p{L}\p{N}_]+"}
"""How ONNX cuts texts into words: as TfidfVectorizer does, without a locale that the machine may not have."""


def export(pipeline: Any, kinds: dict[str, str] | None, width: int, path: Path) -> None:
    """Write a pipeline of ``novikoff fit``; every column of its table is an input of the name, a matrix is "X"."""
    learner = pipeline[-1]
    if not decides_by_plane(learner):
        raise InputError(f"{type(learner).__name__} has no plane that ONNX could hold: export a linear learner.")
    update_registered_converter(
        type(learner), f"Novikoff{type(learner).__name__}", shapes, convert, options={"zipmap": [False, True]}
    )
    update_registered_converter(SimpleImputer, "NovikoffImputer", same_shape, convert_imputer)
    try:
        model = to_onnx(
            pipeline,
            initial_types=inputs(kinds, width),
            target_opset={"": 17, "ai.onnx.ml": 3},
            options={id(learner): {"zipmap": False}, TfidfVectorizer: TEXT},
        )
    except (RuntimeError, TypeError) as error:
        raise InputError(f"ONNX cannot hold this pipeline: {str(error).splitlines()[0]}") from error
    with replacing(path) as part:
        part.write_bytes(rename_output(model, "probabilities", "scores").SerializeToString())


def rename_output(model: Any, old: str, new: str) -> Any:
    """A model with another name for an output: ours are scores, not probabilities."""
    for node in model.graph.node:
        node.output[:] = [new if name == old else name for name in node.output]
        node.input[:] = [new if name == old else name for name in node.input]
    for output in model.graph.output:
        output.name = new if output.name == old else output.name
    return model


def inputs(kinds: dict[str, str] | None, width: int) -> list[tuple[str, Any]]:
    """The names and types of what goes in."""
    if kinds is None:
        return [("X", DoubleTensorType([None, width]))]
    types = {"number": DoubleTensorType, "category": StringTensorType, "text": StringTensorType}
    return [(name, types[kind]([None, 1])) for name, kind in kinds.items()]


def shapes(operator: Any) -> None:
    """Out come a label and the scores w·x + b of every row."""
    learner, rows = operator.raw_operator, operator.inputs[0].type.shape[0]
    texts = learner.classes_.dtype.kind in "OUS"
    operator.outputs[0].type = (StringTensorType if texts else Int64TensorType)([rows])
    operator.outputs[1].type = DoubleTensorType([rows, len(learner.coef_)])


def same_shape(operator: Any) -> None:
    """Out comes what goes in."""
    operator.outputs[0].type = DoubleTensorType(operator.inputs[0].type.shape)


def convert_imputer(scope: Any, operator: Any, container: Any) -> None:
    """NaN becomes the median, in double precision, which the operator of ONNX does not have."""
    source, target = operator.inputs[0].full_name, operator.outputs[0].full_name
    medians, absent = (scope.get_unique_variable_name(name) for name in ("medians", "absent"))
    values = operator.raw_operator.statistics_
    container.add_initializer(medians, onnx_proto.TensorProto.DOUBLE, [1, len(values)], values.tolist())
    container.add_node("IsNaN", [source], absent, op_version=13, name=scope.get_unique_operator_name("IsNaN"))
    container.add_node(
        "Where", [absent, medians, source], target, op_version=9, name=scope.get_unique_operator_name("Where")
    )


def convert(scope: Any, operator: Any, container: Any) -> None:
    """Scores as here; of two classes the second where the score is ≥ 0, of several the first with most."""
    learner, double = operator.raw_operator, onnx_proto.TensorProto.DOUBLE
    label, scores = (output.full_name for output in operator.outputs)

    def constant(name: str, kind: int, values: Any) -> str:
        given = scope.get_unique_variable_name(name)
        container.add_initializer(given, kind, list(np.shape(values)), np.ravel(values).tolist())
        return str(given)

    def node(kind: str, sources: list[str], target: str = "", **attributes: Any) -> str:
        target = target or scope.get_unique_variable_name(kind.lower())
        given = {"op_domain": attributes.pop("domain", ""), "op_version": attributes.pop("version", 13)}
        container.add_node(kind, sources, target, name=scope.get_unique_operator_name(kind), **given, **attributes)
        return target

    wide = node("Cast", [operator.inputs[0].full_name], to=double)
    products = node("MatMul", [wide, constant("coef", double, learner.coef_.T)])
    node("Add", [products, constant("intercept", double, learner.intercept_)], scores)
    if len(learner.coef_) == 1:
        # Not less than 0: a comparison that runtimes have for doubles.
        below = node("Less", [scores, constant("zero", double, [0.0])])
        index = node("Cast", [node("Not", [below], version=1)], to=onnx_proto.TensorProto.INT64)
    else:
        index = node("ArgMax", [scores], axis=1, keepdims=1)
    flat = node("Reshape", [index, constant("shape", onnx_proto.TensorProto.INT64, [-1])])
    texts = learner.classes_.dtype.kind in "OUS"
    kind = onnx_proto.TensorProto.STRING if texts else onnx_proto.TensorProto.INT64
    classes = [str(c).encode() for c in learner.classes_] if texts else learner.classes_.astype(np.int64)
    node("Gather", [constant("classes", kind, classes), flat], label)


def same_predictions(path: Path, pipeline: Any, kinds: dict[str, str] | None, X: Any) -> tuple[int, int]:
    """How many rows onnxruntime predicts as the pipeline does, and how many there are."""
    import onnxruntime

    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    if kinds is None:
        feed = {"X": X.toarray().astype(np.float64)}
    else:
        columns = (X[name].to_numpy(np.float64 if kind == "number" else object) for name, kind in kinds.items())
        feed = {put.name: column[:, None] for put, column in zip(session.get_inputs(), columns, strict=True)}
    labels = session.run([session.get_outputs()[0].name], feed)[0]
    expected = pipeline.predict(X)
    return int((labels.astype(expected.dtype) == expected).sum()), len(expected)
