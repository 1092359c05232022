"""Random element values, with the edge values of each type."""

import ml_dtypes
import numpy

FLOATS = ("float16", "bfloat16", "float32", "float64")
INTS = ("int8", "int16", "int32", "int64")
UINTS = ("uint8", "uint16", "uint32", "uint64")


def dtype(name):
    if name == "bfloat16":
        return numpy.dtype(ml_dtypes.bfloat16)
    return numpy.dtype(name)


def is_float(name):
    return name in FLOATS


def _float_edges(name):
    info = ml_dtypes.finfo(dtype(name))
    return [
        numpy.nan,
        numpy.inf,
        -numpy.inf,
        0.0,
        -0.0,
        float(info.max),
        float(info.min),
        float(info.smallest_normal),
        -float(info.smallest_subnormal),
        1.0,
        -1.0,
        0.5,
        1.5,
        2.5,
        -0.5,
        -2.5,
    ]


def array(rng, name, shape, kind="edges"):
    """An array of the type `name`.

    Args:
      rng: A numpy.random.Generator.
      name: The element type.
      shape: The extents.
      kind: Which floats and integers: "small" numbers around zero, "ties" few
        different numbers, so that many elements are equal, "positive" numbers
        above zero, or "edges", small numbers with some infinities, NaNs, zeros,
        denormal and extreme numbers among them.
    """
    shape = tuple(shape)
    if name == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if not is_float(name):
        info = numpy.iinfo(dtype(name))
        low, high = max(info.min, -9), min(info.max, 9)
        if kind == "ties":
            low, high = max(info.min, -1), 2
        if kind == "positive":
            low = 1
        values = rng.integers(low, high, shape, endpoint=True)
        values = values.astype(dtype(name))
        if kind == "edges":
            edges = numpy.array([info.min, info.max, 0, 1], dtype(name))
            values = numpy.where(
                rng.random(shape) < 0.2, rng.choice(edges, shape), values
            )
        return values.astype(dtype(name))
    if kind == "ties":
        values = rng.integers(-2, 2, shape) / 2
    else:
        values = rng.standard_normal(shape) * rng.choice([0.5, 2.0, 20.0])
    if kind == "positive":
        values = numpy.abs(values) + 0.01
    if kind == "edges":
        share = rng.choice([0.0, 0.1, 0.4])
        values = numpy.where(
            rng.random(shape) < share,
            rng.choice(_float_edges(name), shape),
            values,
        )
    with numpy.errstate(all="ignore"):
        return numpy.asarray(values, dtype=dtype(name))
