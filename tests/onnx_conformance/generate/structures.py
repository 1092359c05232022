"""Recipes of operators with bodies, sequences, optional values and text."""

import numpy
from onnx import TensorProto, helper

from draw import Constant, Node


def _tensors(draw, type_name, count=None, shape=None):
    count = draw.integer(1, 4) if count is None else count
    return [
        draw.array(type_name, draw.shape() if shape is None else shape)
        for _ in range(count)
    ]


def _position(draw, length):
    """A position in a sequence, sometimes counted from the end."""
    value = draw.integer(-length, length - 1)
    return Constant(numpy.array(value, draw.choice(["int32", "int64"])))


def _sequence_at(draw):
    tensors = _tensors(draw, draw.type("T", without=("bfloat16",)))
    return Node([tensors, _position(draw, len(tensors))])


def _sequence_construct(draw):
    return Node(_tensors(draw, draw.type("T", without=("bfloat16",))))


def _sequence_erase(draw):
    tensors = _tensors(draw, "float32", draw.integer(2, 4))
    position = draw.choice([None, _position(draw, len(tensors))])
    return Node([tensors, position])


def _sequence_insert(draw):
    tensors = _tensors(draw, "float32")
    # onnx.reference inserts at the front for the position after the last one.
    position = draw.choice([None, _position(draw, len(tensors))])
    return Node([tensors, draw.array("float32", draw.shape()), position])


def _sequence_length(draw):
    return Node([_tensors(draw, "float32")])


def _concat_from_sequence(draw):
    shape = draw.shape(low_rank=1)
    new_axis = draw.integer(0, 1)
    axis = draw.axis(len(shape) + new_axis)
    tensors = _tensors(draw, "float32", shape=shape)
    if not new_axis:
        for i, tensor in enumerate(tensors):
            other = list(tensor.shape)
            other[axis] = draw.integer(1, 4)
            tensors[i] = draw.array("float32", other)
    return Node([tensors], {"axis": axis, "new_axis": new_axis})


def _split_to_sequence(draw):
    x = draw.array(draw.type("T", without=("bfloat16",)), draw.shape(low_rank=1))
    axis = draw.axis(x.ndim)
    extent = x.shape[axis]
    attributes = {"axis": axis}
    kind = draw.integer(0, 2)
    if kind == 0:
        attributes["keepdims"] = draw.integer(0, 1)
        return Node([x], attributes)
    if kind == 1:
        part = draw.integer(1, extent)
        return Node([x, Constant(numpy.array(part, numpy.int64))], attributes)
    cut = draw.integer(0, extent)
    parts = [part for part in (cut, extent - cut) if part > 0]
    return Node([x, Constant(numpy.array(parts, numpy.int64))], attributes)


def _infos(*names):
    return [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, None)
        for name in names
    ]


def _if(draw):
    """Two branches of different constants and operators."""
    shape = draw.shape(high_rank=2)
    branches = {}
    for name in ("then_branch", "else_branch"):
        op_type = draw.choice(["Relu", "Neg", "Exp", "Abs"])
        value = helper.make_tensor(
            "v",
            TensorProto.FLOAT,
            shape,
            draw.array("float32", shape, "small").reshape(-1),
        )
        branches[name] = helper.make_graph(
            [
                helper.make_node("Constant", [], ["c"], value=value),
                helper.make_node(op_type, ["c"], ["r"]),
            ],
            name,
            [],
            _infos("r"),
        )
    return Node([numpy.array(draw.chance(0.5))], branches)


def _loop(draw):
    """A loop that carries one value and collects another one."""
    bool_info = [helper.make_tensor_value_info("go", TensorProto.BOOL, [])]
    trip_info = [helper.make_tensor_value_info("trip", TensorProto.INT64, [])]
    combine = draw.choice(["Add", "Mul", "Max", "Sub"])
    body = helper.make_graph(
        [
            helper.make_node("Identity", ["go"], ["go_on"]),
            helper.make_node("Cast", ["trip"], ["number"], to=TensorProto.FLOAT),
            helper.make_node(combine, ["v", "number"], ["next"]),
            helper.make_node("Neg", ["next"], ["row"]),
        ],
        "body",
        trip_info + bool_info + _infos("v"),
        [helper.make_tensor_value_info("go_on", TensorProto.BOOL, [])]
        + _infos("next", "row"),
    )
    return Node(
        [
            Constant(numpy.array(draw.integer(1, 5), numpy.int64)),
            Constant(numpy.array(True)),
            # onnx.reference joins the rows of matrices along their first axis.
            draw.array("float32", draw.shape(rank=1), "small"),
        ],
        {"body": body},
        2,
    )


def _scan(draw):
    """A running combination of the rows of the operand."""
    if draw.opset < 9:
        raise ValueError("not drawn")
    row = draw.shape(high_rank=2)
    combine = draw.choice(["Add", "Mul", "Max", "Sub"])
    body = helper.make_graph(
        [
            helper.make_node(combine, ["s", "x"], ["next"]),
            helper.make_node("Neg", ["next"], ["row"]),
        ],
        "body",
        _infos("s", "x"),
        _infos("next", "row"),
    )
    attributes = {"body": body, "num_scan_inputs": 1}
    attributes.update(
        draw.maybe(
            {
                "scan_input_directions": [draw.integer(0, 1)],
                "scan_output_directions": [draw.integer(0, 1)],
            },
            0.3,
        )
    )
    return Node(
        [
            draw.array("float32", row, "small"),
            draw.array("float32", [draw.integer(1, 5)] + row, "small"),
        ],
        attributes,
        2,
    )


def _tf_idf(draw):
    x = draw.rng.integers(0, 5, [draw.integer(1, 3), draw.integer(2, 8)])
    grams = sorted({(draw.integer(0, 4),) for _ in range(3)})
    pairs = sorted({(draw.integer(0, 4), draw.integer(0, 4)) for _ in range(3)})
    pool = [n for gram in grams + pairs for n in gram]
    count = len(grams) + len(pairs)
    low = draw.integer(1, 2)
    return Node(
        [x.astype(draw.choice(["int32", "int64"]))],
        {
            "max_gram_length": draw.integer(low, 2),
            "min_gram_length": low,
            "max_skip_count": draw.integer(0, 2),
            "mode": draw.choice(["TF", "IDF", "TFIDF"]),
            "ngram_counts": [0, len(grams)],
            "ngram_indexes": list(range(count)),
            "pool_int64s": pool,
            "weights": [round(float(w), 2) for w in draw.rng.uniform(0, 2, count)],
        },
    )


def _constant(draw):
    value = draw.array(draw.type("T", without=("bfloat16",)), draw.any_shape())
    return Node([], {"value": value})


RECIPES = {
    "ConcatFromSequence": _concat_from_sequence,
    "Constant": _constant,
    "If": _if,
    "Loop": _loop,
    "Scan": _scan,
    "SequenceAt": _sequence_at,
    "SequenceConstruct": _sequence_construct,
    "SequenceErase": _sequence_erase,
    "SequenceInsert": _sequence_insert,
    "SequenceLength": _sequence_length,
    "SplitToSequence": _split_to_sequence,
    "TfIdfVectorizer": _tf_idf,
}
