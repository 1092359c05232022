"""Usage: export_model.py NAME FILE

Writes the network NAME to FILE in the format of ONNX. `--list` prints the
names. The weights are random numbers of a fixed seed, so an exported model
computes nothing useful, but it has the operators, shapes and sizes of the
network, which are what a compiler's speed depends on.
"""

import sys
import warnings

import torch

import convolutional
import recurrent
import speech
import transformer
import vision
import weights

RECIPES = {
    **convolutional.RECIPES,
    **recurrent.RECIPES,
    **speech.RECIPES,
    **transformer.RECIPES,
    **vision.RECIPES,
}


def main(arguments):
    if arguments == ["--list"]:
        print("\n".join(sorted(RECIPES)))
        return 0
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    name, path = arguments
    if name not in RECIPES:
        print(f"there is no network `{name}`", file=sys.stderr)
        return 2
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    recipe = RECIPES[name]
    network = weights.fill(recipe.network(), recipe.scales)
    torch.onnx.export(
        network,
        tuple(recipe.inputs()),
        path,
        opset_version=recipe.opset,
        input_names=list(recipe.input_names),
        output_names=list(recipe.output_names),
        dynamic_axes=recipe.dynamic_axes,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
