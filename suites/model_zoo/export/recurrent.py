"""Recurrent networks."""

from torch import nn

import weights
from recipe import Recipe


class _Sequence(nn.Module):
    """The outputs of all steps and the last state, without the cell."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, steps):
        output, state = self.layer(steps)
        if isinstance(state, tuple):
            state = state[0]
        return output, state


def _recurrent(layer):
    """Two layers in both directions: batch 2, 20 steps, 64 to 128 features."""
    return Recipe(
        lambda: _Sequence(
            layer(64, 128, num_layers=2, bidirectional=True,
                  batch_first=True)),
        lambda: (weights.image(2, 20, 64),),
        output_names=("output", "state"),
    )


class _Crnn(nn.Module):
    """A text recognizer: convolutions over a line of text, then LSTM layers.

    Shi, Bai and Yao, "An End-to-End Trainable Neural Network for Image-based
    Sequence Recognition", 2015.
    """

    def __init__(self, classes=37):
        super().__init__()
        layers = []
        last = 1
        for index, (channels, pool) in enumerate([
                (64, (2, 2)), (128, (2, 2)), (256, None), (256, (2, 1)),
                (512, None), (512, (2, 1))]):
            layers.append(nn.Conv2d(last, channels, 3, padding=1))
            if index in (2, 4, 5):
                layers.append(nn.BatchNorm2d(channels))
            layers.append(nn.ReLU())
            if pool:
                layers.append(nn.MaxPool2d(pool, pool))
            last = channels
        layers += [nn.Conv2d(512, 512, 2), nn.ReLU()]
        self.features = nn.Sequential(*layers)
        self.lstm = nn.LSTM(512, 256, num_layers=2, bidirectional=True)
        self.head = nn.Linear(512, classes)

    def forward(self, lines):
        columns = self.features(lines).squeeze(2).permute(2, 0, 1)
        return self.head(self.lstm(columns)[0])


class _LanguageModel(nn.Module):
    """Next-token scores of two LSTM layers."""

    def __init__(self, vocabulary=10000, width=256):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.lstm = nn.LSTM(width, width, num_layers=2, batch_first=True)
        self.head = nn.Linear(width, vocabulary)

    def forward(self, tokens):
        return self.head(self.lstm(self.embedding(tokens))[0])


RECIPES = {
    "crnn": Recipe(_Crnn, lambda: (weights.image(1, 1, 32, 100),)),
    "gru_bidirectional": _recurrent(nn.GRU),
    "lstm_bidirectional": _recurrent(nn.LSTM),
    "lstm_language_model": Recipe(
        _LanguageModel,
        lambda: (weights.tokens(10000, 1, 32),),
        input_names=("tokens",),
        output_names=("scores",),
    ),
}
