"""Transformers: encoders, decoders and a mixer of patches."""

import math

import torch
from torch import nn

import weights
from recipe import Recipe


class _Attention(nn.Module):
    """Attention with several heads; `mask` is added to the scores."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.size = width // heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.output = nn.Linear(width, width)

    def split(self, states):
        batch, steps, _ = states.shape
        return states.view(batch, steps, self.heads, self.size).transpose(1, 2)

    def forward(self, states, mask):
        query = self.split(self.query(states))
        key = self.split(self.key(states))
        value = self.split(self.value(states))
        scores = query @ key.transpose(2, 3) / math.sqrt(self.size) + mask
        mixed = (scores.softmax(-1) @ value).transpose(1, 2)
        return self.output(mixed.flatten(2))


class _EncoderLayer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.attention = _Attention(width, heads)
        self.after_attention = nn.LayerNorm(width, eps=1e-12)
        self.widen = nn.Linear(width, 4 * width)
        self.narrow = nn.Linear(4 * width, width)
        self.after_feed = nn.LayerNorm(width, eps=1e-12)

    def forward(self, states, mask):
        states = self.after_attention(states + self.attention(states, mask))
        feed = self.narrow(nn.functional.gelu(self.widen(states)))
        return self.after_feed(states + feed)


class _Bert(nn.Module):
    """Devlin et al., "BERT", 2018: the states of all tokens and the pooled
    state of the first."""

    def __init__(self, layers, width, heads, vocabulary=30522, length=512):
        super().__init__()
        self.words = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(length, width)
        self.segments = nn.Embedding(2, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.layers = nn.ModuleList(
            _EncoderLayer(width, heads) for _ in range(layers))
        self.pooler = nn.Linear(width, width)

    def forward(self, tokens, mask, segments):
        positions = torch.arange(tokens.shape[1], device=tokens.device)
        states = self.norm(
            self.words(tokens) + self.positions(positions) +
            self.segments(segments))
        hidden = (1 - mask[:, None, None, :].to(states.dtype)) * -10000.0
        for layer in self.layers:
            states = layer(states, hidden)
        return states, torch.tanh(self.pooler(states[:, 0]))


def _bert(layers, width, heads, steps=128):
    names = ("input_ids", "attention_mask", "token_type_ids")
    return Recipe(
        lambda: _Bert(layers, width, heads),
        lambda: (weights.tokens(30522, 1, steps),
                 torch.ones(1, steps, dtype=torch.long),
                 torch.zeros(1, steps, dtype=torch.long)),
        input_names=names,
        output_names=("last_hidden_state", "pooler_output"),
        dynamic_axes={
            **{name: {0: "batch", 1: "sequence"} for name in names},
            "last_hidden_state": {0: "batch", 1: "sequence"},
            "pooler_output": {0: "batch"},
        },
    )


class _DecoderLayer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.before_attention = nn.LayerNorm(width)
        self.attention = _Attention(width, heads)
        self.before_feed = nn.LayerNorm(width)
        self.widen = nn.Linear(width, 4 * width)
        self.narrow = nn.Linear(4 * width, width)

    def forward(self, states, mask):
        states = states + self.attention(self.before_attention(states), mask)
        feed = self.widen(self.before_feed(states))
        # The approximation of GELU with the hyperbolic tangent.
        cube = feed + 0.044715 * torch.pow(feed, 3)
        feed = 0.5 * feed * (1 + torch.tanh(math.sqrt(2 / math.pi) * cube))
        return states + self.narrow(feed)


class _Gpt2(nn.Module):
    """Radford et al., "Language Models are Unsupervised Multitask Learners",
    2019: the scores of the next tokens, without a cache of keys."""

    def __init__(self, layers, width, heads, vocabulary, length):
        super().__init__()
        self.words = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(length, width)
        self.layers = nn.ModuleList(
            _DecoderLayer(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)

    def forward(self, tokens):
        steps = tokens.shape[1]
        positions = torch.arange(steps, device=tokens.device)
        states = self.words(tokens) + self.positions(positions)
        later = positions[None, :] > positions[:, None]
        mask = torch.where(later, torch.tensor(-10000.0), torch.tensor(0.0))
        for layer in self.layers:
            states = layer(states, mask)
        return self.norm(states) @ self.words.weight.t()


class _RootMeanSquare(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, states):
        mean = states.pow(2).mean(-1, keepdim=True)
        return self.weight * (states * torch.rsqrt(mean + 1e-6))


class _RotaryLayer(nn.Module):
    """Attention with rotated positions and shared keys, and a gated layer."""

    def __init__(self, width, heads, groups):
        super().__init__()
        self.heads = heads
        self.groups = groups
        self.size = width // heads
        self.before_attention = _RootMeanSquare(width)
        self.query = nn.Linear(width, width, bias=False)
        self.key = nn.Linear(width, groups * self.size, bias=False)
        self.value = nn.Linear(width, groups * self.size, bias=False)
        self.output = nn.Linear(width, width, bias=False)
        self.before_feed = _RootMeanSquare(width)
        hidden = width * 8 // 3 // 64 * 64
        self.gate = nn.Linear(width, hidden, bias=False)
        self.widen = nn.Linear(width, hidden, bias=False)
        self.narrow = nn.Linear(hidden, width, bias=False)

    def split(self, states, heads):
        batch, steps, _ = states.shape
        return states.view(batch, steps, heads, self.size).transpose(1, 2)

    @staticmethod
    def repeat(states, times):
        """Repeats each group, for the heads that share it."""
        batch, groups, steps, size = states.shape
        states = states[:, :, None].expand(batch, groups, times, steps, size)
        return states.reshape(batch, groups * times, steps, size)

    @staticmethod
    def rotate(states, cosine, sine):
        first, second = states.chunk(2, -1)
        return states * cosine + torch.cat([-second, first], -1) * sine

    def forward(self, states, cosine, sine, mask):
        inner = self.before_attention(states)
        query = self.rotate(
            self.split(self.query(inner), self.heads), cosine, sine)
        key = self.rotate(
            self.split(self.key(inner), self.groups), cosine, sine)
        value = self.split(self.value(inner), self.groups)
        repeats = self.heads // self.groups
        key = self.repeat(key, repeats)
        value = self.repeat(value, repeats)
        scores = query @ key.transpose(2, 3) / math.sqrt(self.size) + mask
        mixed = (scores.softmax(-1) @ value).transpose(1, 2).flatten(2)
        states = states + self.output(mixed)
        inner = self.before_feed(states)
        feed = nn.functional.silu(self.gate(inner)) * self.widen(inner)
        return states + self.narrow(feed)


class _Llama(nn.Module):
    """Touvron et al., "LLaMA", 2023, in a small size, without a cache."""

    def __init__(self, layers=8, width=512, heads=8, groups=4,
                 vocabulary=8000):
        super().__init__()
        self.words = nn.Embedding(vocabulary, width)
        self.layers = nn.ModuleList(
            _RotaryLayer(width, heads, groups) for _ in range(layers))
        self.norm = _RootMeanSquare(width)
        self.head = nn.Linear(width, vocabulary, bias=False)
        size = width // heads
        # The frequencies are computed by Python, not by vector instructions.
        self.register_buffer("frequencies", torch.tensor(
            [10000.0**(-index / size) for index in range(0, size, 2)]))

    def forward(self, tokens):
        positions = torch.arange(tokens.shape[1], device=tokens.device)
        angles = positions[:, None] * self.frequencies[None, :]
        angles = torch.cat([angles, angles], -1)
        later = positions[None, :] > positions[:, None]
        mask = torch.where(later, torch.tensor(-10000.0), torch.tensor(0.0))
        states = self.words(tokens)
        for layer in self.layers:
            states = layer(states, torch.cos(angles), torch.sin(angles), mask)
        return self.head(self.norm(states))


class _Mixer(nn.Module):
    """Tolstikhin et al., "MLP-Mixer", 2021, with patches of 16 pixels."""

    def __init__(self, layers=8, width=512, patches=196, classes=1000):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 16, 16)
        self.layers = nn.ModuleList(
            nn.ModuleList([
                nn.LayerNorm(width), nn.Linear(patches, 256),
                nn.Linear(256, patches), nn.LayerNorm(width),
                nn.Linear(width, 4 * width), nn.Linear(4 * width, width),
            ]) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, classes)

    def forward(self, images):
        states = self.stem(images).flatten(2).transpose(1, 2)
        gelu = nn.functional.gelu
        for norm1, widen1, narrow1, norm2, widen2, narrow2 in self.layers:
            across = narrow1(gelu(widen1(norm1(states).transpose(1, 2))))
            states = states + across.transpose(1, 2)
            states = states + narrow2(gelu(widen2(norm2(states))))
        return self.head(self.norm(states).mean(1))


def _decoder(network, vocabulary, steps):
    return Recipe(
        network,
        lambda: (weights.tokens(vocabulary, 1, steps),),
        input_names=("input_ids",),
        output_names=("logits",),
        dynamic_axes={
            "input_ids": {0: "batch", 1: "sequence"},
            "logits": {0: "batch", 1: "sequence"},
        },
    )


RECIPES = {
    "bert_base": _bert(12, 768, 12),
    "bert_mini": _bert(4, 256, 4),
    "distilbert": _bert(6, 768, 12),
    "gpt2": _decoder(lambda: _Gpt2(12, 768, 12, 50257, 1024), 50257, 64),
    "gpt2_mini": _decoder(lambda: _Gpt2(4, 256, 4, 8000, 256), 8000, 64),
    "llama_mini": _decoder(_Llama, 8000, 64),
    "mlp_mixer_s16": Recipe(_Mixer, lambda: (weights.image(1, 3, 224, 224),)),
}
