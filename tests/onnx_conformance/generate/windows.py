"""Recipes of convolutions, poolings, images, recurrences and signals."""

import numpy

from draw import Constant, Node, ints


def _window(draw, spatial, extents, dilated=True, most=3):
    """kernel_shape, strides, pads, dilations and auto_pad for the extents."""
    kernel = [draw.integer(1, min(most, extent)) for extent in extents]
    attributes = {"kernel_shape": kernel}
    attributes.update(
        draw.maybe({"strides": [draw.integer(1, 3) for _ in range(spatial)]}, 0.5)
    )
    if dilated and draw.chance(0.3) and "dilations" in draw.schema.attributes:
        attributes["dilations"] = [
            draw.integer(1, 2) if (k - 1) * 2 < e else 1
            for k, e in zip(kernel, extents)
        ]
    if draw.chance(0.3) and "dilations" not in attributes:
        attributes["auto_pad"] = draw.choice(["SAME_UPPER", "SAME_LOWER", "VALID"])
    elif draw.chance(0.6):
        pads = [draw.integer(0, k - 1) for k in kernel + kernel]
        attributes["pads"] = pads
    return attributes


def _image(draw, least=2, most=7):
    spatial = draw.choice([1, 2, 2, 2, 3])
    extents = [draw.integer(least, most) for _ in range(spatial)]
    return spatial, extents


def _conv(draw):
    spatial, extents = _image(draw)
    groups = draw.choice([1, 1, 2, 3])
    inner, outer = draw.integer(1, 3), draw.integer(1, 3)
    type_name = draw.type()
    attributes = _window(draw, spatial, extents)
    x = [draw.integer(1, 2), groups * inner] + extents
    w = [groups * outer, inner] + attributes["kernel_shape"]
    operands = [draw.array(type_name, s, "small") for s in (x, w)]
    if draw.chance(0.5):
        operands.append(draw.array(type_name, w[:1], "small"))
    if groups > 1:
        attributes["group"] = groups
    return Node(operands, attributes)


def _conv_transpose(draw):
    spatial, extents = _image(draw, 1, 5)
    groups = draw.choice([1, 1, 2])
    inner, outer = draw.integer(1, 3), draw.integer(1, 3)
    type_name = draw.type()
    kernel = [draw.integer(1, 4) for _ in range(spatial)]
    strides = [draw.integer(1, 3) for _ in range(spatial)]
    attributes = {"kernel_shape": kernel, "strides": strides}
    if draw.chance(0.3):
        attributes["auto_pad"] = draw.choice(["SAME_UPPER", "SAME_LOWER"])
    elif draw.chance(0.6):
        attributes["pads"] = [draw.integer(0, (k - 1) // 2) for k in kernel * 2]
    if draw.chance(0.3):
        attributes["output_padding"] = [draw.integer(0, s - 1) for s in strides]
    if "auto_pad" not in attributes and draw.chance(0.3):
        attributes["dilations"] = [draw.integer(1, 2) for _ in range(spatial)]
    x = [draw.integer(1, 2), groups * inner] + extents
    w = [groups * inner, outer] + kernel
    operands = [draw.array(type_name, s, "small") for s in (x, w)]
    if draw.chance(0.5):
        # onnx.reference adds the biases of the first group to all groups.
        bias = draw.array(type_name, [outer], "small")
        operands.append(numpy.tile(bias, groups))
    if groups > 1:
        attributes["group"] = groups
    return Node(operands, attributes)


def _pool(extra=lambda draw: {}, parameter="T"):
    def recipe(draw):
        spatial, extents = _image(draw)
        type_name = draw.type(parameter)
        attributes = _window(draw, spatial, extents)
        if "auto_pad" in attributes:
            # onnx.reference shifts windows with strides.
            attributes.pop("strides", None)
        else:
            attributes.update(draw.maybe({"ceil_mode": draw.integer(0, 1)}))
        attributes.update(draw.maybe(extra(draw)))
        x = [draw.integer(1, 2), draw.integer(1, 3)] + extents
        # onnx.reference marks padding by NaN.
        kind = draw.choice(["small", "ties"])
        return Node([draw.array(type_name, x, kind)], attributes)

    return recipe


def _global_pool(draw):
    # onnx.reference keeps extents of images with other ranks.
    x = draw.array(draw.type(), draw.shape(rank=4), "small")
    return Node([x], draw.maybe({"p": draw.integer(1, 3)}))


def _max_unpool(draw):
    channels, height, width = draw.shape(rank=3, most=3)
    shape = [1, channels, height, width]
    x = draw.array(draw.type("T1"), shape, "small")
    big = 4 * height * width
    indices = numpy.stack(
        [
            draw.rng.permutation(big)[: height * width].reshape(height, width) + big * c
            for c in range(channels)
        ]
    )[None]
    return Node(
        [x, indices.astype(numpy.int64)], {"kernel_shape": [2, 2], "strides": [2, 2]}
    )


def _resize(draw):
    shape = [1, draw.integer(1, 2), draw.integer(1, 5), draw.integer(1, 5)]
    mode = draw.choice(["nearest", "linear", "cubic"])
    types = "T1" if draw.opset >= 11 else "T"
    without = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
               "uint64")
    x = draw.array(
        draw.type(types, without=() if mode == "nearest" else without), shape, "small"
    )
    factors = [
        draw.choice([0.5, 1.0, 1.5, 2.0, 0.7, 3.0] if extent > 1 else [1.0, 2.0])
        for extent in shape[2:]
    ]
    scales = Constant(numpy.array([1, 1] + factors, numpy.float32))
    if draw.opset < 11:
        return Node([x, scales], {"mode": "nearest" if mode == "cubic" else mode})
    transform = draw.choice(
        ["half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel"]
        + (["half_pixel_symmetric"] if draw.opset >= 19 else [])
        + ["tf_crop_and_resize"]
    )
    if transform == "half_pixel_symmetric" and mode == "nearest":
        # Coordinates that are integers but for rounding.
        transform = "half_pixel"
    # onnx.reference has the extent before it is rounded in these formulas, and
    # no special case for an extent of 1.
    if transform in ("align_corners", "tf_crop_and_resize", "pytorch_half_pixel"):
        factors = [draw.choice([2.0, 3.0]) for _ in range(2)]
        scales = Constant(numpy.array([1, 1] + factors, numpy.float32))
    attributes = {"mode": mode, "coordinate_transformation_mode": transform}
    if mode == "nearest":
        attributes["nearest_mode"] = draw.choice(
            ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]
        )
    if mode == "cubic":
        attributes.update(
            draw.maybe({"cubic_coeff_a": -0.5, "exclude_outside": draw.integer(0, 1)})
        )
    roi = None
    if transform == "tf_crop_and_resize":
        roi = Constant(numpy.array([0, 0, 0.2, 0.1, 1, 1, 0.8, 1.3], numpy.float32))
        attributes["extrapolation_value"] = draw.number(-2, 2)
    if draw.opset >= 18:
        attributes.update(draw.maybe({"antialias": 1}, 0.15 if mode != "nearest" else 0))
    if draw.chance(0.5):
        least = 2 if transform == "pytorch_half_pixel" else 1
        sizes = ints(1, shape[1], draw.integer(least, 9), draw.integer(least, 9))
        exact = transform in ("align_corners", "tf_crop_and_resize")
        if draw.opset >= 18 and not exact and draw.chance(0.4):
            attributes["keep_aspect_ratio_policy"] = draw.choice(
                ["stretch", "not_larger", "not_smaller"]
            )
            attributes["axes"] = [2, 3]
            sizes = ints(draw.integer(least, 9), draw.integer(least, 9))
        if draw.opset < 13:
            empty = Constant(numpy.zeros(0, numpy.float32))
            return Node([x, roi or empty, empty, sizes], attributes)
        return Node([x, roi, None, sizes], attributes)
    if roi is None and draw.opset < 13:
        roi = Constant(numpy.zeros(0, numpy.float32))
    return Node([x, roi, scales], attributes)


def _upsample(draw):
    shape = [1, draw.integer(1, 2), draw.integer(1, 5), draw.integer(1, 5)]
    factors = [1.0, 1.0, draw.choice([1.0, 2.0, 3.0]), draw.choice([1.0, 2.0, 1.5])]
    x = draw.array(draw.type(), shape, "small")
    if draw.opset < 9:
        return Node([x], {"scales": factors, "mode": "nearest"})
    return Node(
        [x, Constant(numpy.array(factors, numpy.float32))], {"mode": "nearest"}
    )


def _grid_sample(draw):
    spatial = draw.choice([2, 2, 3]) if draw.opset >= 20 else 2
    batch, channels = draw.integer(1, 2), draw.integer(1, 2)
    x = draw.array(
        "float32", [batch, channels] + draw.shape(rank=spatial), "small"
    )
    grid = draw.rng.uniform(-1.4, 1.4, [batch] + draw.shape(rank=spatial) + [spatial])
    modes = ["linear", "nearest", "cubic"]
    if draw.opset < 20:
        modes = ["bilinear", "nearest", "bicubic"]
    mode = draw.choice(modes[: 2 if spatial == 3 else 3])
    return Node(
        [x, grid.astype(numpy.float32)],
        {
            "mode": mode,
            "padding_mode": draw.choice(["zeros", "border", "reflection"]),
            "align_corners": draw.integer(0, 1),
        },
    )


def _roi_align(draw):
    shape = [draw.integer(1, 2), draw.integer(1, 2)] + draw.shape(rank=2, least=2, most=8)
    rois = draw.integer(1, 3)
    corners = draw.rng.uniform(-1, 9, [rois, 4]).astype(numpy.float32)
    corners = numpy.concatenate(
        [numpy.minimum(corners[:, :2], corners[:, 2:]),
         numpy.maximum(corners[:, :2], corners[:, 2:])], 1
    )
    attributes = {
        "output_height": draw.integer(1, 4),
        "output_width": draw.integer(1, 4),
        "sampling_ratio": draw.integer(0, 3),
        "spatial_scale": draw.choice([1.0, 0.5, 0.25]),
        "mode": draw.choice(["avg", "max"]),
    }
    if draw.opset >= 16:
        attributes["coordinate_transformation_mode"] = draw.choice(
            ["half_pixel", "output_half_pixel"]
        )
    batch = draw.rng.integers(0, shape[0], rois)
    return Node(
        [draw.array("float32", shape, "small"), corners, batch], attributes
    )


def _non_max_suppression(draw):
    batches, boxes, classes = draw.integer(1, 2), draw.integer(1, 7), draw.integer(1, 2)
    corners = draw.rng.uniform(0, 1, [batches, boxes, 4]).astype(numpy.float32)
    center = draw.integer(0, 1)
    scores = draw.rng.uniform(0, 1, [batches, classes, boxes]).astype(numpy.float32)
    return Node(
        [
            corners,
            scores,
            ints(draw.integer(0, 4)),
            Constant(numpy.array([draw.number(0, 0.8)], numpy.float32)),
            Constant(numpy.array([draw.number(0, 0.8)], numpy.float32)),
        ],
        {"center_point_box": center},
    )


def _recurrent(gates, hidden_states):
    def recipe(draw):
        directions = draw.choice([1, 1, 2])
        size = draw.integer(1, 3)
        steps, batch, width = draw.integer(1, 4), draw.integer(1, 3), draw.integer(1, 3)
        attributes = {"hidden_size": size}
        if directions == 2:
            attributes["direction"] = "bidirectional"
        else:
            attributes.update(draw.maybe({"direction": "reverse"}, 0.3))
        if gates == 3:
            attributes.update(draw.maybe({"linear_before_reset": 1}, 0.5))
        operands = [
            draw.array("float32", [steps, batch, width], "small"),
            draw.array("float32", [directions, gates * size, width], "small"),
            draw.array("float32", [directions, gates * size, size], "small"),
        ]
        operands.append(
            draw.array("float32", [directions, 2 * gates * size], "small")
            if draw.chance(0.6)
            else None
        )
        operands.append(None)
        state = [directions, batch, size]
        for _ in range(hidden_states):
            given = draw.array("float32", state, "small")
            operands.append(given if draw.chance(0.5) else None)
        return Node(operands, attributes, 1 + hidden_states)

    return recipe


def _scales(draw, shape, exact=False):
    """Scales, often powers of two, whose products are exact."""
    scales = [0.5, 1.0, 0.25, 0.125] if exact else [0.01, 0.1, 0.5, 1.0, 0.037]
    return numpy.asarray(draw.rng.choice(scales, shape), numpy.float32)


def _even(zero_point):
    """A zero point for which the products of onnx.reference are right.

    It adds the zero point before it rounds, and so ties become odd numbers if
    the zero point is odd.
    """
    return (zero_point // 2 * 2).astype(zero_point.dtype)


def _quantize(draw):
    x = draw.array("float32", draw.any_shape(low_rank=1), draw.choice(["small", "edges"]))
    target = draw.choice(["uint8", "int8"])
    attributes = {}
    shape = []
    if draw.opset >= 13 and x.ndim > 1 and draw.chance(0.4):
        axis = draw.axis(x.ndim)
        attributes["axis"] = axis
        shape = [x.shape[axis]]
    operands = [x, _scales(draw, shape)]
    if draw.chance(0.8) or target == "int8":
        operands.append(draw.array(target, shape))
    return Node(operands, attributes)


def _dequantize(draw):
    type_name = draw.choice(["uint8", "int8", "int32"])
    x = draw.array(type_name, draw.any_shape(low_rank=1))
    attributes = {}
    shape = []
    if draw.opset >= 13 and x.ndim > 1 and draw.chance(0.4):
        axis = draw.axis(x.ndim)
        attributes["axis"] = axis
        shape = [x.shape[axis]]
    operands = [x, _scales(draw, shape)]
    if type_name != "int32" and draw.chance(0.7):
        operands.append(draw.array(type_name, shape))
    return Node(operands, attributes)


def _dynamic_quantize(draw):
    kind = draw.choice(["small", "ties", "positive"])
    return Node([draw.array("float32", draw.shape(low_rank=1), kind)], {}, 3)


def _matmul_integer(draw):
    left, right = draw.choice(["uint8", "int8"]), draw.choice(["uint8", "int8"])
    n, k, m = draw.integer(1, 5), draw.integer(1, 9), draw.integer(1, 5)
    operands = [draw.array(left, [n, k]), draw.array(right, [k, m])]
    if draw.chance(0.6):
        operands.append(draw.array(left, []))
        if draw.chance(0.6):
            operands.append(draw.array(right, []))
    return Node(operands)


def _conv_integer(draw):
    extents = draw.shape(rank=2, least=3, most=6)
    attributes = _window(draw, 2, extents)
    channels = draw.integer(1, 3)
    x = draw.array(draw.choice(["uint8"]), [1, channels] + extents)
    w = draw.array("uint8", [draw.integer(1, 3), channels] + attributes["kernel_shape"])
    operands = [x, w]
    if draw.chance(0.6):
        operands.append(draw.array(x.dtype.name, []))
        if draw.chance(0.6):
            operands.append(draw.array(w.dtype.name, []))
    return Node(operands, attributes)


def _qlinear_matmul(draw):
    n, k, m = draw.integer(1, 5), draw.integer(1, 9), draw.integer(1, 5)
    operands = []
    for shape in ([n, k], [k, m]):
        type_name = draw.choice(["uint8", "int8"])
        operands += [
            draw.array(type_name, shape),
            _scales(draw, [], exact=True),
            draw.array(type_name, []),
        ]
    out = draw.choice(["uint8", "int8"])
    return Node(
        operands + [_scales(draw, [], exact=True), _even(draw.array(out, []))]
    )


def _qlinear_conv(draw):
    extents = draw.shape(rank=2, least=3, most=6)
    attributes = _window(draw, 2, extents)
    channels, outer = draw.integer(1, 3), draw.integer(1, 3)
    out = draw.choice(["uint8"])
    return Node(
        [
            draw.array("uint8", [1, channels] + extents),
            _scales(draw, [], exact=True),
            draw.array("uint8", []),
            draw.array("uint8", [outer, channels] + attributes["kernel_shape"]),
            _scales(draw, [], exact=True),
            draw.array("uint8", []),
            _scales(draw, [], exact=True),
            _even(draw.array(out, [])),
        ],
        attributes,
    )


def _dft(draw):
    length = draw.integer(1, 8)
    shape = [draw.integer(1, 2), length, draw.choice([1, 2])]
    x = draw.array("float32", shape, "small")
    attributes = draw.maybe({"inverse": 1}, 0.4)
    if shape[-1] == 1 and not attributes:
        attributes.update(draw.maybe({"onesided": 1}, 0.5))
    size = None
    if draw.chance(0.4):
        size = Constant(numpy.array(draw.integer(1, 10), numpy.int64))
    if draw.opset < 20:
        return Node([x, size], {"axis": 1, **attributes})
    return Node([x, size, Constant(numpy.array(1, numpy.int64))], attributes)


def _stft(draw):
    length = draw.integer(8, 20)
    frame = draw.integer(2, 8)
    signal = draw.array("float32", [draw.integer(1, 2), length, 1], "small")
    window = draw.array("float32", [frame], "positive")
    step = Constant(numpy.array(draw.integer(1, 4), numpy.int64))
    size = Constant(numpy.array(frame, numpy.int64))
    return Node([signal, step, window, size], draw.maybe({"onesided": draw.integer(0, 1)}))


def _signal_window(draw):
    size = Constant(numpy.array(draw.integer(1, 12), numpy.int64))
    return Node(
        [size],
        draw.maybe({"periodic": draw.integer(0, 1), "output_datatype": draw.choice([1, 11])}),
    )


def _mel(draw):
    return Node(
        [
            Constant(numpy.array(draw.integer(1, 6), numpy.int64)),
            Constant(numpy.array(draw.integer(8, 24), numpy.int64)),
            Constant(numpy.array(8192, numpy.int64)),
            Constant(numpy.array(draw.choice([0.0, 100.0]), numpy.float32)),
            Constant(numpy.array(draw.choice([2000.0, 4096.0]), numpy.float32)),
        ],
    )


RECIPES = {
    "AveragePool": _pool(lambda draw: {"count_include_pad": draw.integer(0, 1)}),
    "BlackmanWindow": _signal_window,
    "Conv": _conv,
    "ConvInteger": _conv_integer,
    "ConvTranspose": _conv_transpose,
    "DFT": _dft,
    "DequantizeLinear": _dequantize,
    "DynamicQuantizeLinear": _dynamic_quantize,
    "GRU": _recurrent(3, 1),
    "GlobalAveragePool": _global_pool,
    "GlobalLpPool": _global_pool,
    "GlobalMaxPool": _global_pool,
    "GridSample": _grid_sample,
    "HammingWindow": _signal_window,
    "HannWindow": _signal_window,
    "LSTM": _recurrent(4, 2),
    "LpPool": _pool(lambda draw: {"p": draw.integer(1, 3)}),
    "MatMulInteger": _matmul_integer,
    # The indices of onnx.reference are wrong for most windows.
    "MaxPool": _pool(lambda draw: {"storage_order": draw.integer(0, 1)}),
    "MaxUnpool": _max_unpool,
    "MelWeightMatrix": _mel,
    "NonMaxSuppression": _non_max_suppression,
    "QLinearConv": _qlinear_conv,
    "QLinearMatMul": _qlinear_matmul,
    "QuantizeLinear": _quantize,
    "RNN": _recurrent(1, 1),
    "Resize": _resize,
    "RoiAlign": _roi_align,
    "STFT": _stft,
    "Upsample": _upsample,
}
