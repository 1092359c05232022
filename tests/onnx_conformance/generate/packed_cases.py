"""Writes test cases to one file, a message `PackedCases` of packed_cases.proto.

The message is encoded by hand, because no protocol compiler for Python is
needed otherwise.
"""

import numpy
import onnx
from onnx import numpy_helper


def _varint(value):
    encoded = bytearray()
    while value >= 0x80:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def _field(number, content):
    """A field of type bytes, string or message."""
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _encode_value(info, value):
    """The message that holds `value`, whose type is that of `info`."""
    if info.type.HasField("sequence_type"):
        return numpy_helper.from_list(value, info.name)
    if info.type.HasField("optional_type"):
        return numpy_helper.from_optional(value, info.name)
    if info.type.HasField("map_type"):
        return numpy_helper.from_dict(value, info.name)
    if isinstance(value, onnx.TensorProto):
        return value
    return numpy_helper.from_array(numpy.asarray(value), info.name)


def encode_case(name, model, inputs, outputs):
    """A case with the values of the inputs and outputs of the model's graph."""
    fields = [_field(1, name.encode()), _field(2, model.SerializeToString())]
    for number, infos, values in (
        (3, model.graph.input, inputs),
        (4, model.graph.output, outputs),
    ):
        for info, value in zip(infos, values):
            encoded = _encode_value(info, value).SerializeToString()
            fields.append(_field(number, encoded))
    return b"".join(fields)


class Writer:
    """Appends cases to a file."""

    def __init__(self, path):
        self._file = open(path, "wb")

    def add(self, name, model, inputs, outputs):
        self._file.write(_field(1, encode_case(name, model, inputs, outputs)))

    def close(self):
        self._file.close()
