"""Usage: convert_model.py FORM MODEL FILE

Writes another form of the ONNX file MODEL to FILE, with the tools of ONNX
Runtime:

  qdq           8-bit activations without sign and weights with sign, one scale
                for a tensor, as pairs of QuantizeLinear and DequantizeLinear
  qdq_channel   8-bit activations and weights with sign, one scale for each
                output channel, as such pairs
  qoperator     8-bit activations and weights without sign, one scale for a
                tensor, as QLinearConv and its like
  dynamic       8-bit weights; activations are quantized at run time
  float16       all computations with 16-bit floating-point numbers
  fused_bert,   a transformer whose layers are the fused operators of ONNX
  fused_gpt2    Runtime, such as Attention and SkipLayerNormalization

The scales of activations come from a few runs over random inputs. The results
of such runs differ in their last bits between processors. The ranges are
therefore rounded to six binary digits, so that the file does not.
"""

import json
import logging
import math
import os
import sys
import tempfile

import numpy
import onnx
from onnxruntime import quantization

_STATIC = {
    "qdq": dict(
        quant_format=quantization.QuantFormat.QDQ,
        activation_type=quantization.QuantType.QUInt8,
        weight_type=quantization.QuantType.QInt8,
    ),
    "qdq_channel": dict(
        quant_format=quantization.QuantFormat.QDQ,
        activation_type=quantization.QuantType.QInt8,
        weight_type=quantization.QuantType.QInt8,
        per_channel=True,
    ),
    "qoperator": dict(
        quant_format=quantization.QuantFormat.QOperator,
        activation_type=quantization.QuantType.QUInt8,
        weight_type=quantization.QuantType.QUInt8,
    ),
}


class _RandomInputs(quantization.CalibrationDataReader):
    """Values from 0 to 1 for every input; all dimensions must be known."""

    def __init__(self, graph, runs=4):
        bits = numpy.random.Generator(numpy.random.PCG64(11))
        shapes = {
            value.name: [d.dim_value for d in value.type.tensor_type.shape.dim]
            for value in graph.input
        }
        self._inputs = iter([
            {
                name: bits.random(shape, dtype=numpy.float32)
                for name, shape in shapes.items()
            } for _ in range(runs)
        ])

    def get_next(self):
        return next(self._inputs, None)


def _round_away(value, digits=6):
    """`value` with few binary digits, not closer to zero."""
    fraction, exponent = math.frexp(abs(value))
    scale = 1 << digits
    rounded = math.ldexp(math.ceil(fraction * scale) / scale, exponent)
    return math.copysign(rounded, value)


def _round_ranges(path):
    """Rounds the limits in a file of ranges that ONNX Runtime has written."""
    with open(path, encoding="utf-8") as file:
        ranges = json.load(file)
    for limits in ranges["data"].values():
        for key in ("lowest", "highest"):
            data = limits[key]["data"]
            if isinstance(data, list):
                limits[key]["data"] = [_round_away(value) for value in data]
            else:
                limits[key]["data"] = _round_away(data)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(ranges, file)


def _quantize_static(form, source, target):
    graph = onnx.load(source).graph
    with tempfile.TemporaryDirectory() as folder:
        ranges = os.path.join(folder, "ranges.json")
        # The first call writes the ranges, the second one reads them.
        quantization.quantize_static(
            source, os.path.join(folder, "unrounded.onnx"),
            _RandomInputs(graph), calibration_cache_path=ranges,
            **_STATIC[form])
        _round_ranges(ranges)
        quantization.quantize_static(
            source, target, None, calibration_cache_path=ranges,
            **_STATIC[form])


def main(arguments):
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    form, source, target = arguments
    logging.disable(logging.WARNING)
    if form in _STATIC:
        _quantize_static(form, source, target)
    elif form == "dynamic":
        quantization.quantize_dynamic(source, target)
    elif form == "float16":
        from onnxruntime.transformers import float16
        onnx.save(float16.convert_float_to_float16(onnx.load(source)), target)
    elif form.startswith("fused_"):
        from onnxruntime.transformers import optimizer
        optimizer.optimize_model(
            source, model_type=form[len("fused_"):],
            opt_level=0).save_model_to_file(target)
    else:
        print(f"there is no form `{form}`", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
