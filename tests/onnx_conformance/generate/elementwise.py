"""Recipes of operators that work element by element."""

import numpy

import values
from draw import Constant, Node


def unary(parameter="T", kind="edges", without=(), **attributes):
    """A recipe for one operand.

    Args:
      parameter: The name of the type of the operand.
      kind: The values (values.array).
      without: Element types that are not drawn.
      **attributes: For each attribute a function from a Draw to a value.
    """

    def recipe(draw):
        type_name = draw.type(parameter, without)
        x = draw.array(type_name, draw.any_shape(), kind)
        chosen = draw.maybe({k: f(draw) for k, f in attributes.items()})
        return Node([x], chosen)

    return recipe


def _binary(parameter="T", kind="edges", attributes=lambda draw, type_name: {}):
    def recipe(draw):
        type_name = draw.type(parameter)
        shape = draw.any_shape()
        shapes = [shape, draw.broadcast(shape)]
        if draw.chance(0.5):
            shapes.reverse()
        operands = [draw.array(type_name, s, kind) for s in shapes]
        return Node(operands, attributes(draw, type_name))

    return recipe


def _variadic(draw):
    type_name = draw.type()
    shape = draw.any_shape()
    operands = [draw.array(type_name, shape)]
    for _ in range(draw.integer(0, 3)):
        operands.append(draw.array(type_name, draw.broadcast(shape)))
    return Node(operands)


def _bit_shift(draw):
    # A shift by all bits or more has no defined result before opset 28.
    type_name = draw.type()
    shape = draw.any_shape()
    bits = numpy.dtype(type_name).itemsize * 8
    count = draw.rng.integers(0, bits, draw.broadcast(shape))
    operands = [
        draw.array(type_name, shape),
        numpy.asarray(count, numpy.dtype(type_name)),
    ]
    return Node(operands, {"direction": draw.choice(["LEFT", "RIGHT"])})


def _mod(draw):
    type_name = draw.type()
    shape = draw.any_shape()
    divisor = draw.array(type_name, draw.broadcast(shape))
    floating = not numpy.issubdtype(divisor.dtype, numpy.integer)
    if not floating:
        divisor = numpy.where(divisor == 0, 3, divisor).astype(divisor.dtype)
    fmod = 1 if floating else draw.choice([0, 1])
    return Node([draw.array(type_name, shape), divisor], {"fmod": fmod})


def _pow(draw):
    shape = draw.any_shape()
    base = draw.array(draw.type("T"), shape)
    parameter = "T1" if draw.opset >= 12 else "T"
    type_name = draw.type(parameter) if draw.opset >= 12 else str(base.dtype)
    kind = "small" if draw.chance(0.5) else "edges"
    exponent = draw.array(type_name, draw.broadcast(shape), kind)
    if numpy.issubdtype(base.dtype, numpy.integer):
        # onnx.reference computes powers of integers in floating point.
        base = draw.array(base.dtype.name, shape, "small")
        exponent = draw.array(type_name, exponent.shape, "small")
        exponent = numpy.rint(numpy.abs(numpy.clip(exponent, -3, 3)))
        exponent = exponent.astype(values.dtype(type_name))
    return Node([base, exponent])


def _prelu(draw):
    type_name = draw.type()
    shape = draw.any_shape()
    return Node(
        [draw.array(type_name, shape), draw.array(type_name, draw.broadcast(shape))]
    )


def _clip(draw):
    type_name = draw.type()
    x = draw.array(type_name, draw.any_shape())
    if draw.opset < 11:
        return Node(
            [x],
            draw.maybe({"min": draw.number(-3, 0), "max": draw.number(0, 3)}),
        )
    bounds = []
    for _ in range(2):
        bound = draw.array(type_name, [], draw.choice(["small", "edges"]))
        bounds.append(draw.choice([bound, Constant(bound), None]))
    return Node([x] + bounds)


def _where(draw):
    type_name = draw.type()
    shape = draw.any_shape()
    shapes = [shape, draw.broadcast(shape), draw.broadcast(shape)]
    draw.rng.shuffle(shapes)
    return Node(
        [
            draw.array("bool", shapes[0]),
            draw.array(type_name, shapes[1]),
            draw.array(type_name, shapes[2]),
        ]
    )


_ONNX_TYPES = {
    "float32": 1,
    "uint8": 2,
    "int8": 3,
    "uint16": 4,
    "int16": 5,
    "int32": 6,
    "int64": 7,
    "bool": 9,
    "float16": 10,
    "float64": 11,
    "uint32": 12,
    "uint64": 13,
    "bfloat16": 16,
}


def _cast_operands(draw):
    source, target = draw.type("T1"), draw.type("T2")
    x = draw.array(source, draw.any_shape())
    if source not in ("float16", "bfloat16", "float32", "float64"):
        return x, target
    if target in ("float16", "bfloat16", "float32", "float64", "bool"):
        return x, target
    # A float that the integer type cannot represent has no defined result.
    info = numpy.iinfo(target)
    inside = numpy.isfinite(x.astype(numpy.float64)) & (
        numpy.abs(x.astype(numpy.float64)) < min(info.max, 2.0**62)
    )
    if info.min == 0:
        inside &= x.astype(numpy.float64) > -1
    return numpy.where(inside, x, 1).astype(x.dtype), target


def _cast(draw):
    x, target = _cast_operands(draw)
    return Node([x], {"to": _ONNX_TYPES[target]})


def _cast_like(draw):
    x, target = _cast_operands(draw)
    return Node([x, draw.array(target, draw.shape())])


def _dropout(draw):
    x = draw.array(draw.type(), draw.any_shape())
    if draw.opset < 12:
        return Node([x], draw.maybe({"ratio": draw.number(0, 0.9)}))
    ratio = Constant(numpy.array(draw.number(0, 0.9), numpy.float32))
    return Node([x, draw.choice([None, ratio])])


def _alpha(low, high):
    return lambda draw: draw.number(low, high)


RECIPES = {
    **{
        name: unary()
        for name in (
            "Abs Acos Acosh Asin Asinh Atan Atanh BitwiseNot Ceil Cos Cosh Erf"
            " Exp Floor Log Mish Neg Not Reciprocal Relu Round"
            " Sigmoid Sign Sin Sinh Softplus Softsign Sqrt Tan Tanh"
        ).split()
    },
    # onnx.reference computes HardSwish of float64 in float32.
    "HardSwish": unary(without=("float64",)),
    "Identity": unary("V"),
    "IsNaN": unary("T1"),
    "IsInf": unary(
        "T1",
        detect_negative=lambda draw: draw.integer(0, 1),
        detect_positive=lambda draw: draw.integer(0, 1),
    ),
    "Celu": unary(alpha=_alpha(0.1, 3)),
    "Elu": unary(alpha=_alpha(-2, 3)),
    "Gelu": unary(approximate=lambda draw: draw.choice(["none", "tanh"])),
    "HardSigmoid": unary(alpha=_alpha(-1, 1), beta=_alpha(-1, 1)),
    "LeakyRelu": unary(alpha=_alpha(-1, 2)),
    "Selu": unary(alpha=_alpha(-2, 3), gamma=_alpha(-2, 3)),
    "Shrink": unary(bias=_alpha(0, 1), lambd=_alpha(0, 1)),
    "ThresholdedRelu": unary(alpha=_alpha(-1, 2)),
    **{
        name: _binary()
        for name in (
            "Add And BitwiseAnd BitwiseOr BitwiseXor Equal Greater"
            " GreaterOrEqual Less LessOrEqual Mul Or Sub Xor Div"
        ).split()
    },
    **{name: _variadic for name in ("Max", "Mean", "Min", "Sum")},
    "BitShift": _bit_shift,
    "Cast": _cast,
    "CastLike": _cast_like,
    "Clip": _clip,
    "Dropout": _dropout,
    "Mod": _mod,
    "PRelu": _prelu,
    "Pow": _pow,
    "Where": _where,
}
