"""Draw: random choices for one node of an operator, in one opset."""

import dataclasses

import numpy
import onnx

import values


@dataclasses.dataclass
class Constant:
    """An operand that is an initializer of the model."""

    value: numpy.ndarray


@dataclasses.dataclass
class Node:
    """A node: its operands, attributes and the number of its results.

    An operand is an array, which becomes an input of the model, a Constant, a
    list of arrays, which is a sequence, or None if it is left out.
    """

    operands: list
    attributes: dict = dataclasses.field(default_factory=dict)
    results: int = 1


def ints(*elements):
    return Constant(numpy.array(elements, numpy.int64))


class Draw:
    """Random choices for a node.

    Attributes:
      rng: The source of all choices.
      opset: The opset of the model.
      schema: The definition of the operator in this opset.
    """

    def __init__(self, rng, op_type, opset):
        self.rng = rng
        self.opset = opset
        self.schema = onnx.defs.get_schema(op_type, opset, "")

    def choice(self, options):
        options = list(options)
        return options[int(self.rng.integers(len(options)))]

    def chance(self, probability):
        return self.rng.random() < probability

    def integer(self, low, high):
        """An integer from `low` to `high`."""
        return int(self.rng.integers(low, high + 1))

    def number(self, low, high):
        """A float attribute with few digits."""
        return round(float(self.rng.uniform(low, high)), 2)

    def type(self, parameter="T", without=()):
        """An element type that the definition allows for `parameter`."""
        for constraint in self.schema.type_constraints:
            if constraint.type_param_str == parameter:
                allowed = constraint.allowed_type_strs
                break
        else:
            raise ValueError(f"{self.schema.name} has no type {parameter}")
        names = {"float": "float32", "double": "float64"}
        known = set(values.FLOATS + values.INTS + values.UINTS + ("bool",))
        types = []
        for text in sorted(allowed):
            if text.startswith("tensor("):
                name = names.get(text[7:-1], text[7:-1])
                if name in known and name not in without:
                    types.append(name)
        # float32 is what nearly all models have.
        if "float32" in types and self.chance(0.4):
            return "float32"
        return self.choice(types)

    def shape(self, rank=None, least=1, most=5, low_rank=0, high_rank=4):
        if rank is None:
            rank = self.integer(low_rank, high_rank)
        return [self.integer(least, most) for _ in range(rank)]

    def any_shape(self, **limits):
        """A shape that sometimes has an extent of 0."""
        shape = self.shape(**limits)
        if shape and self.chance(0.08):
            shape[self.integer(0, len(shape) - 1)] = 0
        return shape

    def array(self, type_name, shape, kind="edges"):
        return values.array(self.rng, type_name, shape, kind)

    def axis(self, rank):
        """An axis, sometimes counted from the end, which opset 11 permits."""
        axis = self.integer(0, rank - 1)
        from_end = self.opset >= 11 and self.chance(0.4)
        return axis - rank if from_end else axis

    def axes(self, rank, low=0):
        """Different axes in random order, sometimes counted from the end."""
        count = self.integer(min(low, rank), rank)
        chosen = self.rng.permutation(rank)[:count]
        return [
            int(axis) - rank
            if self.opset >= 11 and self.chance(0.3)
            else int(axis)
            for axis in chosen
        ]

    def broadcast(self, shape):
        """A shape that broadcasts to `shape`."""
        cut = self.integer(0, len(shape)) if self.chance(0.4) else 0
        return [1 if self.chance(0.25) else e for e in shape[cut:]]

    def maybe(self, attributes, probability=0.6):
        """Some of the attributes; the others keep their defaults."""
        return {
            name: value
            for name, value in attributes.items()
            if self.chance(probability) and name in self.schema.attributes
        }
