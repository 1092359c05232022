"""A recipe describes an exported model: a network, its inputs and their names."""

import dataclasses
from typing import Callable, Sequence

import torch
from torch import nn


@dataclasses.dataclass
class Recipe:
    """One model. `network` and `inputs` are called when it is exported."""

    network: Callable[[], nn.Module]
    inputs: Callable[[], Sequence[torch.Tensor]]
    input_names: Sequence[str] = ("input",)
    output_names: Sequence[str] = ("output",)
    # For example {"input": {0: "batch"}}.
    dynamic_axes: dict = dataclasses.field(default_factory=dict)
    # Factors for parameters, by patterns of their names. They must be powers of
    # two, so that the product is exact. Without them the scores of detectors
    # would all be 1, and which boxes are chosen would depend on rounding.
    scales: dict = dataclasses.field(default_factory=dict)
    opset: int = 17
