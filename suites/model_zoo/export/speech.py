"""Networks for speech and sound, of torchaudio and of our own."""

import torchaudio
from torch import nn

import weights
from recipe import Recipe


class _Conformer(nn.Module):
    """The states of a conformer over sequences of full length."""

    def __init__(self, width=144, layers=8):
        super().__init__()
        self.conformer = torchaudio.models.Conformer(
            width, num_heads=4, ffn_dim=4 * width, num_layers=layers,
            depthwise_conv_kernel_size=31)

    def forward(self, frames):
        states = frames.transpose(0, 1)
        for layer in self.conformer.conformer_layers:
            states = layer(states, None)
        return states.transpose(0, 1)


class _Wav2Vec2(nn.Module):
    """The features of a wav2vec 2.0 network with fewer layers."""

    def __init__(self, layers):
        super().__init__()
        self.network = torchaudio.models.wav2vec2_model(
            extractor_mode="group_norm",
            extractor_conv_layer_config=[(512, 10, 5)] + [(512, 3, 2)] * 4 +
            [(512, 2, 2)] * 2,
            extractor_conv_bias=False,
            encoder_embed_dim=768,
            encoder_projection_dropout=0.0,
            encoder_pos_conv_kernel=128,
            encoder_pos_conv_groups=16,
            encoder_num_layers=layers,
            encoder_num_heads=12,
            encoder_attention_dropout=0.0,
            encoder_ff_interm_features=3072,
            encoder_ff_interm_dropout=0.0,
            encoder_dropout=0.0,
            encoder_layer_norm_first=False,
            encoder_layer_drop=0.0,
            aux_num_out=32)
        # The exporter does not know the norm of a weight that is a product.
        nn.utils.remove_weight_norm(
            self.network.encoder.transformer.pos_conv_embed.conv)

    def forward(self, samples):
        return self.network(samples)[0]


class _KeywordSpotter(nn.Module):
    """Zhang et al., "Hello Edge: Keyword Spotting on Microcontrollers", 2017:
    depthwise separable convolutions over a spectrogram."""

    def __init__(self, width=64, classes=12):
        super().__init__()
        layers = [
            nn.Conv2d(1, width, (10, 4), 2, (5, 1), bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(),
        ]
        for _ in range(4):
            layers += [
                nn.Conv2d(width, width, 3, padding=1, groups=width,
                          bias=False),
                nn.BatchNorm2d(width),
                nn.ReLU(),
                nn.Conv2d(width, width, 1, bias=False),
                nn.BatchNorm2d(width),
                nn.ReLU(),
            ]
        self.layers = nn.Sequential(
            *layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(),
            nn.Linear(width, classes), nn.Softmax(-1))

    def forward(self, spectrograms):
        return self.layers(spectrograms)


RECIPES = {
    "conformer_small": Recipe(
        _Conformer, lambda: (weights.image(1, 200, 144),),
        input_names=("frames",)),
    "convtasnet": Recipe(
        torchaudio.models.conv_tasnet_base,
        lambda: (weights.image(1, 1, 16000),),
        input_names=("samples",)),
    "deepspeech": Recipe(
        lambda: torchaudio.models.DeepSpeech(n_feature=128, n_hidden=512),
        lambda: (weights.image(1, 1, 100, 128),),
        input_names=("spectrogram",)),
    "keyword_spotting": Recipe(
        _KeywordSpotter, lambda: (weights.image(1, 1, 49, 10),),
        input_names=("spectrogram",)),
    "wav2letter": Recipe(
        lambda: torchaudio.models.Wav2Letter(
            num_classes=40, input_type="waveform", num_features=1),
        lambda: (weights.image(1, 1, 16000),),
        input_names=("samples",)),
    "wav2vec2_6_layers": Recipe(
        lambda: _Wav2Vec2(6), lambda: (weights.image(1, 16000),),
        input_names=("samples",)),
}
