"""Usage: random_cases.py FILE [--cases=N] [OPERATOR...]

Writes N random test cases (default 60) for each operator that has a recipe to
FILE, with the outputs of `onnx.reference`. Prints one line for each operator:
how many cases there are, and why `onnx.reference` refuses others. The same
packages write the same file.
"""

import collections
import sys
import warnings
import zlib

import numpy
import onnx
from onnx import helper, numpy_helper, reference

import elementwise
import movement
import packed_cases
import reduction
import structures
import windows
from draw import Constant, Draw

RECIPES = {
    **elementwise.RECIPES,
    **movement.RECIPES,
    **reduction.RECIPES,
    **structures.RECIPES,
    **windows.RECIPES,
}

# The oldest opset of generated cases. Older ones are compared by the test cases
# of the package.
_MIN_OPSET = 7
# Later ones, where onnx.reference gives older definitions the default of an
# attribute that they do not have.
_MIN_OPSETS = {"RoiAlign": 16}


def _tensor_type(array):
    return helper.np_dtype_to_tensor_dtype(array.dtype)


def _value_info(name, value):
    if isinstance(value, list):
        return helper.make_tensor_sequence_value_info(
            name, _tensor_type(value[0]), None
        )
    value = numpy.asarray(value)
    return helper.make_tensor_value_info(name, _tensor_type(value), value.shape)


def _attribute(value):
    if isinstance(value, numpy.ndarray):
        return numpy_helper.from_array(value)
    return value


def _model(op_type, opset, node, outputs=None):
    """The model of one node. Without `outputs`, the types of results are open."""
    names, inputs, initializers = [], [], []
    for i, operand in enumerate(node.operands):
        name = "" if operand is None else f"x{i}"
        names.append(name)
        if isinstance(operand, Constant):
            initializers.append(numpy_helper.from_array(operand.value, name))
        elif operand is not None:
            inputs.append(_value_info(name, operand))
    while names and not names[-1]:
        names.pop()
    results = [f"y{i}" for i in range(node.results)]
    proto = helper.make_node(
        op_type,
        names,
        results,
        **{name: _attribute(value) for name, value in node.attributes.items()},
    )
    if outputs is None:
        infos = [helper.make_value_info(name, onnx.TypeProto()) for name in results]
    else:
        infos = [_value_info(name, v) for name, v in zip(results, outputs)]
    graph = helper.make_graph([proto], op_type, inputs, infos, initializers)
    return helper.make_model(
        graph,
        opset_imports=[helper.make_opsetid("", opset)],
        ir_version=onnx.IR_VERSION,
    )


def _opsets(op_type):
    """The opsets that have the operator, from the oldest generated one on."""
    opsets = []
    first = _MIN_OPSETS.get(op_type, _MIN_OPSET)
    for opset in range(first, onnx.defs.onnx_opset_version() + 1):
        try:
            schema = onnx.defs.get_schema(op_type, opset, "")
        except onnx.defs.SchemaError:
            continue
        if not schema.deprecated:
            opsets.append(opset)
    return opsets


def _one(op_type, seed):
    """The model, inputs and outputs of one case; raises if there are none."""
    rng = numpy.random.Generator(
        numpy.random.PCG64([zlib.crc32(op_type.encode()), seed])
    )
    opsets = _opsets(op_type)
    opset = opsets[-1]
    if rng.random() < 0.4:
        opset = opsets[int(rng.integers(len(opsets)))]
    node = RECIPES[op_type](Draw(rng, op_type, opset))
    inputs = {
        f"x{i}": operand
        for i, operand in enumerate(node.operands)
        if operand is not None and not isinstance(operand, Constant)
    }
    evaluator = reference.ReferenceEvaluator(_model(op_type, opset, node))
    outputs = evaluator.run(None, inputs)
    return _model(op_type, opset, node, outputs), list(inputs.values()), outputs


def _generate(op_type, count, writer):
    """Writes the cases of an operator and returns the line of the summary."""
    refusals = collections.Counter()
    written = 0
    for seed in range(count * 4):
        if written == count:
            break
        try:
            case = _one(op_type, seed)
        except Exception as error:  # onnx.reference raises anything.
            text = (str(error).splitlines() or [""])[0]
            refusals[f"{type(error).__name__}: {text[:100]}"] += 1
            continue
        writer.add(f"{op_type}/{seed}", *case)
        written += 1
    reasons = "; ".join(f"{n} x {text}" for text, n in refusals.most_common(3))
    return f"{op_type}: {written} cases" + (f" ({reasons})" if reasons else "")


def main(arguments):
    count = 60
    names = []
    for argument in arguments:
        if argument.startswith("--cases="):
            count = int(argument[len("--cases=") :])
        else:
            names.append(argument)
    if not names:
        print(__doc__, file=sys.stderr)
        return 2
    path, *operators = names
    warnings.simplefilter("ignore")
    writer = packed_cases.Writer(path)
    with numpy.errstate(all="ignore"):
        for op_type in operators or sorted(RECIPES):
            print(_generate(op_type, count, writer), flush=True)
    writer.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
