"""Weights for networks that are exported without training.

The weights come from integers and from additions, multiplications and square
roots alone, which every processor rounds alike. Thus the same network has the
same bytes everywhere, which PyTorch's own initialization does not promise: it
computes logarithms and cosines with the instructions of the processor.
"""

import fnmatch
import math

import numpy
import torch
from torch import nn

_NORMS = (nn.modules.batchnorm._BatchNorm, nn.LayerNorm, nn.GroupNorm)
_CONVOLUTIONS = (nn.modules.conv._ConvNd,)


class _Uniform:
    """Uniform numbers of a seed."""

    def __init__(self, seed):
        self._bits = numpy.random.Generator(numpy.random.PCG64(seed))

    def fill(self, tensor, low, high):
        """Sets the elements of a floating-point tensor."""
        values = self._bits.random(tuple(tensor.shape), dtype=numpy.float32)
        values *= numpy.float32(high - low)
        values += numpy.float32(low)
        tensor.copy_(torch.from_numpy(numpy.asarray(values)))


def _bound(module, tensor):
    """The largest absolute weight that keeps the scale of activations."""
    if isinstance(module, nn.RNNBase):
        return 1 / math.sqrt(module.hidden_size)
    if isinstance(module, nn.Embedding) or tensor.dim() < 2:
        return 0.1
    inputs = math.prod(tensor.shape[1:])
    if isinstance(module, nn.ConvTranspose2d):
        inputs = tensor.shape[0] * math.prod(
            k / s for k, s in zip(module.kernel_size, module.stride))
    # ReLU, which follows most convolutions, halves the second moment.
    gain = 2 if isinstance(module, _CONVOLUTIONS) else 1
    return math.sqrt(3 * gain / inputs)


@torch.no_grad()
def fill(network, scales, seed=17):
    """Sets all parameters and statistics of `network` and returns it.

    `scales` is that of the recipe.
    """
    uniform = _Uniform(seed)
    for module in network.modules():
        norm = isinstance(module, _NORMS)
        for name, tensor in module.named_parameters(recurse=False):
            if norm and name == "weight":
                uniform.fill(tensor, 0.75, 1.25)
            else:
                bound = _bound(module, tensor)
                uniform.fill(tensor, -bound, bound)
        if norm and getattr(module, "running_mean", None) is not None:
            uniform.fill(module.running_mean, -0.1, 0.1)
            uniform.fill(module.running_var, 0.75, 1.25)
    for name, tensor in network.named_parameters():
        for pattern, factor in scales.items():
            if fnmatch.fnmatchcase(name, pattern):
                tensor.mul_(factor)
    return network.eval()


def image(*shape, seed=3):
    """An input with values from 0 to 1."""
    tensor = torch.empty(shape)
    _Uniform(seed).fill(tensor, 0, 1)
    return tensor


def tokens(count, *shape, seed=5):
    """Indices below `count`."""
    bits = numpy.random.Generator(numpy.random.PCG64(seed))
    return torch.from_numpy(bits.integers(0, count, shape))
