"""Usage: operator_definitions.py FILE

Writes one line for each operator of ONNX to FILE: its name and the opsets that
define it. An opset that deprecates it is negative.
"""

import collections
import sys

from onnx import defs


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    opsets = collections.defaultdict(list)
    for schema in defs.get_all_schemas_with_history():
        if schema.domain == "":
            sign = -1 if schema.deprecated else 1
            opsets[schema.name].append(sign * schema.since_version)
    with open(arguments[0], "w") as file:
        for name in sorted(opsets):
            numbers = sorted(opsets[name], key=abs)
            print(name, *numbers, file=file)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
