"""Recipes of operators that move, select, sort and count elements."""

import numpy

from draw import Constant, Node, ints


def _array(draw, **limits):
    return draw.array(draw.type(), draw.any_shape(**limits))


def _concat(draw):
    type_name = draw.type()
    shape = draw.any_shape(low_rank=1)
    axis = draw.axis(len(shape))
    operands = []
    for _ in range(draw.integer(1, 4)):
        shape = list(shape)
        shape[axis] = draw.integer(0, 4)
        operands.append(draw.array(type_name, shape))
    return Node(operands, {"axis": axis})


def _depth_to_space(draw):
    block = draw.integer(1, 3)
    shape = draw.shape(rank=4, most=3)
    shape[1] *= block * block
    x = draw.array(draw.type(), shape)
    mode = draw.maybe({"mode": draw.choice(["DCR", "CRD"])})
    return Node([x], {"blocksize": block, **mode})


def _space_to_depth(draw):
    block = draw.integer(1, 3)
    shape = draw.shape(rank=4, most=3)
    shape[2] *= block
    shape[3] *= block
    x = draw.array(draw.type(), shape)
    mode = draw.maybe({"mode": draw.choice(["DCR", "CRD"])})
    return Node([x], {"blocksize": block, **mode})


def _reverse_sequence(draw):
    x = draw.array(draw.type(), draw.shape(low_rank=2))
    batch = draw.integer(0, 1)
    lengths = draw.rng.integers(1, x.shape[1 - batch], x.shape[batch], endpoint=True)
    return Node([x, lengths], {"batch_axis": batch, "time_axis": 1 - batch})


def _slice(draw):
    x = _array(draw, low_rank=1)
    axes = draw.axes(x.ndim, low=1)
    if draw.opset < 11:
        axes = [axis % x.ndim for axis in axes]
    starts, ends, steps = [], [], []
    for axis in axes:
        extent = x.shape[axis]
        starts.append(draw.choice([draw.integer(-extent - 2, extent + 2), 0]))
        far = draw.choice([2**31 - 1, 2**63 - 1, -(2**63) + 1])
        ends.append(draw.choice([draw.integer(-extent - 2, extent + 2), far]))
        steps.append(draw.choice([1, 1, 2, -1, -2, 3]))
    if draw.opset < 10:
        return Node([x], {"axes": axes, "starts": starts, "ends": ends})
    operands = [x, ints(*starts), ints(*ends)]
    if axes == list(range(x.ndim)) and draw.chance(0.5):
        axes_operand = None
    else:
        axes_operand = ints(*axes)
    return Node(operands + [axes_operand, draw.choice([None, ints(*steps)])])


def _split(draw):
    x = _array(draw, low_rank=1)
    axis = draw.axis(x.ndim)
    count = draw.integer(1, 3)
    extent = x.shape[axis]
    cuts = sorted(draw.integer(0, extent) for _ in range(count - 1))
    parts = [b - a for a, b in zip([0] + cuts, cuts + [extent])]
    if draw.opset < 13:
        return Node([x], {"axis": axis, "split": parts}, count)
    if draw.opset >= 18 and draw.chance(0.4) and count <= max(extent, 1):
        return Node([x], {"axis": axis, "num_outputs": count}, count)
    return Node([x, ints(*parts)], {"axis": axis}, count)


def _transpose(draw):
    x = _array(draw)
    perm = [int(axis) for axis in draw.rng.permutation(x.ndim)]
    return Node([x], draw.maybe({"perm": perm}) if x.ndim else {})


def _constant_of_shape(draw):
    value = draw.array(draw.type("T2", without=("bfloat16",)), [1])
    shape = draw.any_shape()
    return Node([ints(*shape)], draw.maybe({"value": value}, 0.8))


def _expand(draw):
    shape = draw.any_shape()
    target = list(shape)
    x = draw.array(draw.type(), draw.broadcast(shape))
    cut = draw.integer(0, len(target)) if draw.chance(0.3) else 0
    target = [1 if draw.chance(0.2) else extent for extent in target[cut:]]
    return Node([x, ints(*target)])


_EYE_TYPES = {"float32": 1, "int32": 6, "int64": 7, "float16": 10, "float64": 11,
              "uint8": 2, "int8": 3, "uint64": 13}


def _eye_like(draw):
    x = draw.array(draw.type("T1"), draw.any_shape(rank=2))
    return Node(
        [x],
        draw.maybe(
            {
                "k": draw.integer(-4, 4),
                "dtype": _EYE_TYPES[draw.choice(_EYE_TYPES)],
            }
        ),
    )


def _one_hot(draw):
    depth = draw.integer(1, 6)
    indices = draw.rng.integers(-depth - 2, depth + 1, draw.any_shape())
    indices_type = draw.choice(["int32", "int64", "float32"])
    pair = draw.array(draw.type("T3"), [2])
    axis = draw.integer(-indices.ndim - 1, indices.ndim)
    return Node(
        [
            indices.astype(indices_type),
            Constant(numpy.array(depth, numpy.int64)),
            pair,
        ],
        draw.maybe({"axis": axis}),
    )


def _range(draw):
    type_name = draw.type(without=("float16", "bfloat16"))
    dtype = numpy.dtype(type_name)
    if numpy.issubdtype(dtype, numpy.integer):
        start, limit = draw.integer(-9, 9), draw.integer(-9, 9)
        delta = draw.choice([1, 2, -1, -3, 7])
    else:
        start, limit = draw.number(-9, 9), draw.number(-9, 9)
        delta = draw.choice([0.5, 1.0, -0.75, 0.3, -2.0])
    return Node([Constant(numpy.array(v, dtype)) for v in (start, limit, delta)])


def _tile(draw):
    x = _array(draw)
    return Node([x, ints(*[draw.integer(0, 3) for _ in x.shape])])


def _trilu(draw):
    x = draw.array(draw.type(), draw.any_shape(low_rank=2))
    k = Constant(numpy.array(draw.integer(-6, 6), numpy.int64))
    return Node([x, draw.choice([None, k])], draw.maybe({"upper": draw.integer(0, 1)}))


def _pad(draw):
    mode = draw.choice(["constant", "edge", "reflect"])
    if mode == "constant":
        x = _array(draw, low_rank=1)
        low, high = -2, 3
    else:
        x = draw.array(draw.type(), draw.shape(low_rank=1, least=2))
        low, high = 0, 1 if mode == "reflect" else 3
    if draw.opset >= 19 and draw.chance(0.2):
        mode, low, high = "wrap", 0, 1
        x = draw.array(draw.type(), draw.shape(low_rank=1, least=2))
    axes = sorted(axis % x.ndim for axis in draw.axes(x.ndim, low=1))
    if draw.opset < 18:
        axes = list(range(x.ndim))
    begins, ends = [], []
    for axis in axes:
        begin, end = draw.integer(low, high), draw.integer(low, high)
        if x.shape[axis] + begin + end < 0:
            begin = end = 0
        begins.append(begin)
        ends.append(end)
    if draw.opset < 11:
        return Node([x], {"pads": begins + ends, "mode": mode})
    value = draw.choice([None, draw.array(x.dtype.name, [])])
    operands = [x, ints(*begins, *ends), value if mode == "constant" else None]
    if len(axes) < x.ndim or (draw.opset >= 18 and draw.chance(0.5)):
        operands.append(ints(*axes))
    return Node(operands, {"mode": mode})


def _flatten(draw):
    x = _array(draw, low_rank=1)
    low = -x.ndim if draw.opset >= 11 else 0
    return Node([x], draw.maybe({"axis": draw.integer(low, x.ndim)}))


def _reshape(draw):
    x = _array(draw)
    shape = list(x.shape)
    draw.rng.shuffle(shape)
    if shape and draw.chance(0.4) and 0 not in shape:
        shape[draw.integer(0, len(shape) - 1)] = -1
    elif draw.chance(0.4) and x.shape:
        shape = [0] + [-1] if 0 not in x.shape else list(x.shape)
    if draw.chance(0.3):
        shape.insert(draw.integer(0, len(shape)), 1)
        if shape[:1] == [1] and 0 in shape and draw.opset < 14:
            shape = list(x.shape)
    attributes = {}
    if draw.opset >= 14 and 0 in x.shape:
        shape, attributes = list(x.shape), {"allowzero": 1}
    return Node([x, ints(*shape)], attributes)


def _shape(draw):
    x = _array(draw)
    return Node(
        [x],
        draw.maybe({"start": draw.integer(-5, 5), "end": draw.integer(-5, 5)}),
    )


def _squeeze(draw):
    shape = [1 if draw.chance(0.5) else e for e in draw.any_shape()]
    x = draw.array(draw.type(), shape)
    ones = [axis for axis, extent in enumerate(shape) if extent == 1]
    if draw.opset >= 11:
        ones = [a - x.ndim if draw.chance(0.3) else a for a in ones]
    if not ones or draw.chance(0.3):
        return Node([x])
    if draw.opset < 13:
        return Node([x], {"axes": ones})
    return Node([x, ints(*ones)])


def _unsqueeze(draw):
    x = _array(draw, high_rank=3)
    rank = x.ndim + draw.integer(1, 2)
    axes = [int(a) for a in draw.rng.permutation(rank)[: rank - x.ndim]]
    if draw.opset >= 11:
        axes = [a - rank if draw.chance(0.3) else a for a in axes]
    else:
        axes.sort()
    if draw.opset < 13:
        return Node([x], {"axes": axes})
    return Node([x, ints(*axes)])


def _compress(draw):
    x = draw.array(draw.type(), draw.shape(low_rank=1))
    if draw.chance(0.4):
        length = draw.integer(1, x.size)
        return Node([x, draw.array("bool", [length])])
    axis = draw.axis(x.ndim)
    length = draw.integer(1, x.shape[axis])
    return Node([x, draw.array("bool", [length])], {"axis": axis})


def _indices(draw, extent, shape):
    low = -extent if draw.opset >= 11 else 0
    indices = draw.rng.integers(low, extent, shape)
    return indices.astype(draw.choice(["int32", "int64"]))


def _gather(draw):
    x = draw.array(draw.type(), draw.shape(low_rank=1))
    axis = draw.axis(x.ndim)
    indices = _indices(draw, x.shape[axis], draw.any_shape(high_rank=2))
    return Node([x, indices], {"axis": axis} if axis else draw.maybe({"axis": 0}))


def _gather_elements(draw):
    x = draw.array(draw.type(), draw.shape(low_rank=1))
    axis = draw.axis(x.ndim)
    shape = [draw.integer(1, extent) for extent in x.shape]
    shape[axis] = draw.integer(0, 6)
    return Node([x, _indices(draw, x.shape[axis], shape)], {"axis": axis})


def _gather_nd(draw):
    x = draw.array(draw.type(), draw.shape(low_rank=1))
    batch = 0
    if draw.opset >= 12 and x.ndim > 1 and draw.chance(0.4):
        batch = draw.integer(1, x.ndim - 1)
    depth = draw.integer(1, x.ndim - batch)
    shape = list(x.shape[:batch]) + draw.shape(low_rank=0, high_rank=2)
    columns = [
        draw.rng.integers(-x.shape[batch + i], x.shape[batch + i], shape)
        for i in range(depth)
    ]
    indices = numpy.stack(columns, -1).astype(numpy.int64)
    return Node([x, indices], {"batch_dims": batch} if batch else {})


def _scatter_elements(draw):
    x = draw.array(draw.type(), draw.shape(low_rank=1))
    axis = draw.axis(x.ndim)
    shape = [draw.integer(1, extent) for extent in x.shape]
    modes = {16: ["none", "add", "mul"], 18: ["none", "add", "mul", "max", "min"]}
    known = [since for since in modes if since <= draw.opset]
    reduction = draw.choice(modes[max(known)]) if known else "none"
    if x.dtype.name == "bool":
        reduction = "none"
    extent = x.shape[axis]
    if reduction == "none":
        # Without a reduction, indices are different.
        along = numpy.arange(extent)
        draw.rng.shuffle(along)
        column = along[: shape[axis]]
        form = [1] * x.ndim
        form[axis] = len(column)
        indices = numpy.broadcast_to(column.reshape(form), shape)
        indices = numpy.where(draw.chance(0.3), indices - extent, indices)
    else:
        indices = draw.rng.integers(-extent, extent, shape)
    indices = numpy.ascontiguousarray(indices).astype(
        draw.choice(["int32", "int64"])
    )
    updates = draw.array(x.dtype.name, shape)
    attributes = {"axis": axis}
    if reduction != "none":
        attributes["reduction"] = reduction
    return Node([x, indices, updates], attributes)


def _scatter_nd(draw):
    x = draw.array(draw.type(), draw.shape(low_rank=1))
    depth = draw.integer(1, x.ndim)
    modes = {16: ["none", "add", "mul"], 18: ["none", "add", "mul", "max", "min"]}
    known = [since for since in modes if since <= draw.opset]
    reduction = draw.choice(modes[max(known)]) if known else "none"
    if x.dtype.name == "bool":
        reduction = "none"
    count = draw.integer(1, 4)
    places = int(numpy.prod(x.shape[:depth]))
    if reduction == "none":
        count = min(count, places)
        flat = draw.rng.permutation(places)[:count]
    else:
        flat = draw.rng.integers(0, places, count)
    indices = numpy.stack(numpy.unravel_index(flat, x.shape[:depth]), -1)
    if draw.opset >= 11 and draw.chance(0.3):
        indices = indices - numpy.array(x.shape[:depth])
    updates = draw.array(x.dtype.name, [count] + list(x.shape[depth:]))
    attributes = {"reduction": reduction} if reduction != "none" else {}
    return Node([x, indices.astype(numpy.int64), updates], attributes)


def _top_k(draw):
    x = draw.array(
        draw.type(), draw.shape(low_rank=1), draw.choice(["ties", "edges", "small"])
    )
    axis = draw.axis(x.ndim)
    k = draw.integer(1, x.shape[axis])
    attributes = {"axis": axis}
    if draw.opset >= 11:
        attributes.update(draw.maybe({"largest": draw.integer(0, 1)}))
    if draw.opset < 10:
        return Node([x], {**attributes, "k": k}, 2)
    return Node([x, ints(k)], attributes, 2)


def _unique(draw):
    x = draw.array(
        draw.type(), draw.shape(low_rank=1, high_rank=3),
        draw.choice(["ties", "edges"]),
    )
    # onnx.reference sorts the results for sorted=0, too.
    attributes = draw.maybe({"sorted": 1})
    if draw.chance(0.4):
        attributes["axis"] = draw.axis(x.ndim)
    return Node([x], attributes, draw.integer(1, 4))


def _non_zero(draw):
    return Node([draw.array(draw.type(), draw.any_shape(low_rank=1), "ties")])


def _cumulate(draw):
    x = draw.array(
        draw.type("T"), draw.any_shape(low_rank=1), draw.choice(["small", "edges"])
    )
    axis = numpy.array(draw.axis(x.ndim), draw.choice(["int32", "int64"]))
    return Node(
        [x, Constant(axis)],
        draw.maybe({"exclusive": draw.integer(0, 1), "reverse": draw.integer(0, 1)}),
    )


def _size(draw):
    return Node([_array(draw)])


RECIPES = {
    "Compress": _compress,
    "Concat": _concat,
    "ConstantOfShape": _constant_of_shape,
    "CumSum": _cumulate,
    "DepthToSpace": _depth_to_space,
    "Expand": _expand,
    "EyeLike": _eye_like,
    "Flatten": _flatten,
    "Gather": _gather,
    "GatherElements": _gather_elements,
    "GatherND": _gather_nd,
    "NonZero": _non_zero,
    "OneHot": _one_hot,
    "Pad": _pad,
    "Range": _range,
    "Reshape": _reshape,
    "ReverseSequence": _reverse_sequence,
    "ScatterElements": _scatter_elements,
    "ScatterND": _scatter_nd,
    "Shape": _shape,
    "Size": _size,
    "Slice": _slice,
    "SpaceToDepth": _space_to_depth,
    "Split": _split,
    "Squeeze": _squeeze,
    "Tile": _tile,
    "TopK": _top_k,
    "Transpose": _transpose,
    "Trilu": _trilu,
    "Unique": _unique,
    "Unsqueeze": _unsqueeze,
}
