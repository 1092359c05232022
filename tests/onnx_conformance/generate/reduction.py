"""Recipes of reductions, softmaxes, products and normalizations."""

import numpy

from draw import Node, ints


def _reduce(axes_input_since):
    def recipe(draw):
        shape = draw.any_shape(low_rank=0)
        # onnx.reference sums squares of integers in a wider type.
        name = draw.schema.name
        narrow = ("int32", "uint32") if name == "ReduceSumSquare" else ()
        type_name = draw.type(without=narrow)
        kind = draw.choice(["small", "edges"])
        if "int" in type_name and name not in ("ReduceMax", "ReduceMin"):
            kind = "small"
        x = draw.array(type_name, shape, kind)
        attributes = draw.maybe({"keepdims": draw.integer(0, 1)})
        axes = draw.axes(x.ndim)
        if draw.opset < axes_input_since:
            if axes and draw.chance(0.8):
                attributes["axes"] = axes
            return Node([x], attributes)
        attributes.update(draw.maybe({"noop_with_empty_axes": 1}, 0.2))
        if draw.chance(0.2):
            return Node([x], attributes)
        return Node([x, ints(*axes)], attributes)

    return recipe


def _arg(draw):
    x = draw.array(
        draw.type(), draw.shape(low_rank=1), draw.choice(["ties", "small", "edges"])
    )
    axis = draw.axis(x.ndim)
    return Node(
        [x],
        draw.maybe(
            {
                "axis": axis,
                "keepdims": draw.integer(0, 1),
                "select_last_index": draw.integer(0, 1),
            }
        ),
    )


def _softmax(draw):
    kind = draw.choice(["small", "edges"])
    x = draw.array(draw.type(), draw.any_shape(low_rank=1), kind)
    # Before opset 13, the operand is a matrix, whose rows begin at the axis.
    # onnx.reference does not do this.
    axis = draw.axis(x.ndim) if draw.opset >= 13 else x.ndim - 1
    return Node([x], {"axis": axis})


def _hardmax(draw):
    kind = draw.choice(["small", "ties"])
    x = draw.array(draw.type(), draw.shape(low_rank=1), kind)
    return Node([x], {"axis": x.ndim - 1})


def _matmul(draw):
    type_name = draw.type()
    n, k, m = draw.integer(0, 5), draw.integer(0, 5), draw.integer(1, 5)
    batch = draw.shape(high_rank=2)
    left, right = draw.broadcast(batch) + [n, k], draw.broadcast(batch) + [k, m]
    if draw.chance(0.15):
        left = [k]
    if draw.chance(0.15):
        right = [k]
    kind = draw.choice(["small", "small", "edges"])
    return Node([draw.array(type_name, left, kind), draw.array(type_name, right, kind)])


def _gemm(draw):
    type_name = draw.type()
    n, k, m = draw.integer(1, 5), draw.integer(0, 5), draw.integer(1, 5)
    if draw.opset < 11:
        k = max(k, 1)
    attributes = draw.maybe(
        {
            "alpha": draw.choice([0.0, 1.0, 0.5, -2.0]),
            "beta": draw.choice([0.0, 1.0, 0.5, -2.0]),
            "transA": draw.integer(0, 1),
            "transB": draw.integer(0, 1),
        },
        0.4,
    )
    if type_name not in ("float16", "bfloat16", "float32", "float64"):
        for name in ("alpha", "beta"):
            if name in attributes:
                attributes[name] = float(round(attributes[name]))
    kind = draw.choice(["small", "small", "edges"])
    if "int" in type_name:
        # onnx.reference computes in floating point.
        kind = "small"
    a = [k, n] if attributes.get("transA") else [n, k]
    b = [m, k] if attributes.get("transB") else [k, m]
    c = draw.broadcast([n, m])
    operands = [draw.array(type_name, s, kind) for s in (a, b, c)]
    if draw.opset >= 11 and draw.chance(0.2):
        operands.pop()
    return Node(operands, attributes)


def _einsum(draw):
    equation = draw.choice(
        ["ij,jk->ik", "bij,bjk->bik", "ij->ji", "ij->i", "ii->i", "ij,ij->",
         "...i,...i->...", "ij,jk", "i,j->ij", "bhqd,bhkd->bhqk", "ij,kj,k->ik"]
    )
    extents = {letter: draw.integer(1, 4) for letter in "abcdefghijklmnopqrstuvwxyz"}
    type_name = draw.type()
    batch = draw.shape(high_rank=2)
    operands = []
    for term in equation.split("->")[0].split(","):
        lead = batch if "..." in term else []
        shape = [extents[letter] for letter in term.replace("...", "")]
        operands.append(draw.array(type_name, list(lead) + shape, "small"))
    return Node(operands, {"equation": equation})


def _det(draw):
    size = draw.integer(1, 4)
    shape = draw.shape(high_rank=2) + [size, size]
    type_name = draw.type(without=("bfloat16",))
    return Node([draw.array(type_name, shape, "small")])


def _epsilon(draw):
    return draw.choice([1e-5, 1e-3, 0.1])


def _batch_normalization(draw):
    if draw.opset < 14:
        # onnx.reference normalizes with the statistics of the data.
        raise ValueError("not drawn")
    x = draw.array(draw.type(), draw.shape(low_rank=2), "small")
    channels = [x.shape[1]]
    type_name = x.dtype.name
    parameters = [draw.array(type_name, channels, "small") for _ in range(3)]
    variance = draw.array(type_name, channels, "positive")
    return Node(
        [x] + parameters + [variance], draw.maybe({"epsilon": _epsilon(draw)})
    )


def _instance_normalization(draw):
    shape = draw.shape(low_rank=3, high_rank=4)
    x = draw.array(draw.type(), shape, "small")
    pair = [draw.array(x.dtype.name, [x.shape[1]], "small") for _ in range(2)]
    return Node([x] + pair, draw.maybe({"epsilon": _epsilon(draw)}))


def _layer_normalization(draw):
    x = draw.array(draw.type(), draw.shape(low_rank=1), "small")
    axis = draw.axis(x.ndim)
    shape = x.shape[axis:]
    pair = [draw.array(x.dtype.name, shape, "small") for _ in range(2)]
    if draw.chance(0.3):
        pair.pop()
    return Node(
        [x] + pair,
        {"axis": axis, **draw.maybe({"epsilon": _epsilon(draw)})},
        # The other results are float32, but 16-bit floats in onnx.reference.
        draw.choice([1, 1, 3]) if x.dtype.name == "float32" else 1,
    )


def _group_normalization(draw):
    groups = draw.integer(1, 3)
    shape = draw.shape(low_rank=3, high_rank=4)
    shape[1] = groups * draw.integer(1, 3)
    # onnx.reference computes float64 in float32.
    x = draw.array(draw.type(without=("float64",)), shape, "small")
    width = shape[1] if draw.opset >= 21 else groups
    pair = [draw.array(x.dtype.name, [width], "small") for _ in range(2)]
    return Node(
        [x] + pair,
        {"num_groups": groups, **draw.maybe({"epsilon": _epsilon(draw)})},
    )


def _lp_normalization(draw):
    p = draw.integer(1, 2)
    # onnx.reference takes no absolute values.
    kind = "positive" if p == 1 else draw.choice(["small", "ties"])
    x = draw.array(draw.type(), draw.shape(low_rank=1), kind)
    return Node([x], {"p": p, **draw.maybe({"axis": draw.axis(x.ndim)})})


def _mean_variance_normalization(draw):
    x = draw.array(draw.type(), draw.shape(rank=4), "small")
    axes = sorted(axis % 4 for axis in draw.axes(4, low=1))
    return Node([x], draw.maybe({"axes": axes}))


def _lrn(draw):
    # onnx.reference normalizes as many channels as there are images.
    shape = draw.shape(rank=4, most=4)
    shape[0] = shape[1] = draw.integer(2, 5)
    x = draw.array(draw.type(), shape, "small")
    return Node(
        [x],
        {
            "size": draw.integer(1, 5),
            **draw.maybe(
                {
                    "alpha": draw.choice([1e-4, 0.1]),
                    "beta": draw.choice([0.75, 0.5, 1.0]),
                    "bias": draw.choice([1.0, 2.0]),
                }
            ),
        },
    )


def _log_likelihood(draw):
    shape = draw.shape(low_rank=2)
    classes = shape[1]
    type_name = draw.type()
    target = draw.rng.integers(0, classes, [shape[0]] + shape[2:])
    attributes = draw.maybe(
        {"reduction": draw.choice(["none", "mean", "sum"])}, 0.8
    )
    if draw.chance(0.3):
        attributes["ignore_index"] = draw.integer(-1, classes - 1)
    operands = [
        draw.array(type_name, shape, "small"),
        target.astype(draw.choice(["int32", "int64"])),
    ]
    if draw.chance(0.4):
        operands.append(draw.array(type_name, [classes], "positive"))
    return operands, attributes


def _negative_log_likelihood(draw):
    operands, attributes = _log_likelihood(draw)
    return Node(operands, attributes)


def _softmax_cross_entropy(draw):
    operands, attributes = _log_likelihood(draw)
    return Node(operands, attributes, draw.integer(1, 2))


RECIPES = {
    **{
        name: _reduce(13 if name == "ReduceSum" else 18)
        for name in (
            "ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax"
            " ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare"
        ).split()
    },
    "ArgMax": _arg,
    "ArgMin": _arg,
    "BatchNormalization": _batch_normalization,
    "Det": _det,
    "Einsum": _einsum,
    "Gemm": _gemm,
    "GroupNormalization": _group_normalization,
    "Hardmax": _hardmax,
    "InstanceNormalization": _instance_normalization,
    "LRN": _lrn,
    "LayerNormalization": _layer_normalization,
    "LogSoftmax": _softmax,
    "LpNormalization": _lp_normalization,
    "MatMul": _matmul,
    "MeanVarianceNormalization": _mean_variance_normalization,
    "NegativeLogLikelihoodLoss": _negative_log_likelihood,
    "Softmax": _softmax,
    "SoftmaxCrossEntropyLoss": _softmax_cross_entropy,
}
