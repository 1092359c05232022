"""Usage: node_cases.py FILE

Writes the test cases of the nodes of the package `onnx` to FILE. The package
has the program that makes their inputs and outputs, but not its results.
"""

import sys
import warnings

from onnx.backend.test.case import node

import packed_cases


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    warnings.simplefilter("ignore")
    writer = packed_cases.Writer(arguments[0])
    for case in sorted(node.collect_testcases(), key=lambda case: case.name):
        for inputs, outputs in case.data_sets:
            writer.add(case.name, case.model, inputs, outputs)
    writer.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
