"""Convolutional networks that torchvision does not have."""

import torch
from torch import nn

import weights
from recipe import Recipe


def _conv(inputs, outputs, kernel=3, stride=1, groups=1):
    return [
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups,
                  bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(),
    ]


class _MobileNet(nn.Module):
    """Howard et al., "MobileNets", 2017, version 1."""

    def __init__(self, width=1.0, classes=1000):
        super().__init__()
        channels = int(32 * width)
        layers = _conv(3, channels, stride=2)
        for outputs, stride in [(64, 1), (128, 2), (128, 1), (256, 2),
                                (256, 1), (512, 2), (512, 1), (512, 1),
                                (512, 1), (512, 1), (512, 1), (1024, 2),
                                (1024, 1)]:
            outputs = int(outputs * width)
            layers += _conv(channels, channels, 3, stride, channels)
            layers += _conv(channels, outputs, 1)
            channels = outputs
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Linear(channels, classes)

    def forward(self, images):
        features = self.features(images)
        pooled = nn.functional.adaptive_avg_pool2d(features, 1)
        return self.classifier(torch.flatten(pooled, 1))


class _UNet(nn.Module):
    """Ronneberger, Fischer and Brox, "U-Net", 2015, padded, half as wide."""

    def __init__(self, width=32, classes=2):
        super().__init__()
        widths = [width << level for level in range(5)]
        self.down = nn.ModuleList()
        last = 3
        for channels in widths:
            self.down.append(
                nn.Sequential(*_conv(last, channels),
                              *_conv(channels, channels)))
            last = channels
        self.lift = nn.ModuleList()
        self.up = nn.ModuleList()
        for channels in reversed(widths[:-1]):
            self.lift.append(nn.ConvTranspose2d(last, channels, 2, 2))
            self.up.append(
                nn.Sequential(*_conv(2 * channels, channels),
                              *_conv(channels, channels)))
            last = channels
        self.head = nn.Conv2d(last, classes, 1)

    def forward(self, images):
        skipped = []
        for level, block in enumerate(self.down):
            images = block(images)
            if level + 1 < len(self.down):
                skipped.append(images)
                images = nn.functional.max_pool2d(images, 2)
        for lift, block in zip(self.lift, self.up):
            images = block(torch.cat([skipped.pop(), lift(images)], 1))
        return self.head(images)


class _SuperResolution(nn.Module):
    """Shi et al., "Real-Time Single Image and Video Super-Resolution Using an
    Efficient Sub-Pixel Convolutional Neural Network", 2016."""

    def __init__(self, factor=3):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(1, 64, 5, padding=2), nn.ReLU(),
            nn.Conv2d(64, 64, 3, padding=1), nn.ReLU(),
            nn.Conv2d(64, 32, 3, padding=1), nn.ReLU(),
            nn.Conv2d(32, factor**2, 3, padding=1), nn.PixelShuffle(factor))

    def forward(self, images):
        return self.layers(images)


class _Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.layers = nn.Sequential(
            nn.ReflectionPad2d(1), nn.Conv2d(channels, channels, 3),
            nn.InstanceNorm2d(channels, affine=True), nn.ReLU(),
            nn.ReflectionPad2d(1), nn.Conv2d(channels, channels, 3),
            nn.InstanceNorm2d(channels, affine=True))

    def forward(self, images):
        return images + self.layers(images)


class _StyleTransfer(nn.Module):
    """Johnson, Alahi and Fei-Fei, "Perceptual Losses for Real-Time Style
    Transfer and Super-Resolution", 2016, with instance normalization."""

    def __init__(self):
        super().__init__()
        layers = []
        for inputs, outputs, kernel, stride in [(3, 32, 9, 1), (32, 64, 3, 2),
                                                (64, 128, 3, 2)]:
            layers += [
                nn.ReflectionPad2d(kernel // 2),
                nn.Conv2d(inputs, outputs, kernel, stride),
                nn.InstanceNorm2d(outputs, affine=True),
                nn.ReLU(),
            ]
        layers += [_Residual(128) for _ in range(5)]
        for inputs, outputs in [(128, 64), (64, 32)]:
            layers += [
                nn.Upsample(scale_factor=2, mode="nearest"),
                nn.ReflectionPad2d(1),
                nn.Conv2d(inputs, outputs, 3),
                nn.InstanceNorm2d(outputs, affine=True),
                nn.ReLU(),
            ]
        layers += [nn.ReflectionPad2d(4), nn.Conv2d(32, 3, 9)]
        self.layers = nn.Sequential(*layers)

    def forward(self, images):
        return self.layers(images)


class _Generator(nn.Module):
    """Radford, Metz and Chintala, "Unsupervised Representation Learning with
    Deep Convolutional Generative Adversarial Networks", 2015: the generator."""

    def __init__(self, latent=100, width=64):
        super().__init__()
        layers = []
        last = latent
        for index, channels in enumerate([8 * width, 4 * width, 2 * width,
                                          width]):
            stride, padding = (2, 1) if index else (1, 0)
            layers += [
                nn.ConvTranspose2d(last, channels, 4, stride, padding,
                                   bias=False),
                nn.BatchNorm2d(channels),
                nn.ReLU(),
            ]
            last = channels
        layers += [nn.ConvTranspose2d(last, 3, 4, 2, 1, bias=False), nn.Tanh()]
        self.layers = nn.Sequential(*layers)

    def forward(self, codes):
        return self.layers(codes)


class _LeNet(nn.Module):
    """LeCun et al., "Gradient-Based Learning Applied to Document
    Recognition", 1998, with ReLU and maximum pooling."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
            nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(),
            nn.Linear(84, 10))

    def forward(self, images):
        return self.layers(images)


class _TinyYolo(nn.Module):
    """Redmon and Farhadi, "YOLOv3", 2018: the small network, up to the two
    maps of raw predictions."""

    def __init__(self, classes=80):
        super().__init__()
        outputs = 3 * (5 + classes)

        def block(inputs, channels, kernel=3):
            return nn.Sequential(
                nn.Conv2d(inputs, channels, kernel, padding=kernel // 2,
                          bias=False),
                nn.BatchNorm2d(channels), nn.LeakyReLU(0.1))

        layers = []
        last = 3
        for channels in [16, 32, 64, 128]:
            layers += [block(last, channels), nn.MaxPool2d(2)]
            last = channels
        self.fine = nn.Sequential(*layers, block(128, 256))
        self.coarse = nn.Sequential(
            nn.MaxPool2d(2), block(256, 512), nn.ZeroPad2d((0, 1, 0, 1)),
            nn.MaxPool2d(2, 1), block(512, 1024), block(1024, 256, 1))
        self.large = nn.Sequential(block(256, 512), nn.Conv2d(512, outputs, 1))
        self.lift = nn.Sequential(
            block(256, 128, 1), nn.Upsample(scale_factor=2, mode="nearest"))
        self.small = nn.Sequential(block(384, 256), nn.Conv2d(256, outputs, 1))

    def forward(self, images):
        fine = self.fine(images)
        coarse = self.coarse(fine)
        lifted = torch.cat([self.lift(coarse), fine], 1)
        return self.large(coarse), self.small(lifted)


def _images(network, *shape, **options):
    return Recipe(network, lambda: (weights.image(*shape),), **options)


RECIPES = {
    "dcgan_generator": _images(_Generator, 1, 100, 1, 1),
    "lenet": _images(_LeNet, 1, 1, 28, 28),
    "mobilenet_v1": _images(_MobileNet, 1, 3, 224, 224),
    "mobilenet_v1_050": _images(lambda: _MobileNet(0.5), 1, 3, 224, 224),
    "style_transfer": _images(_StyleTransfer, 1, 3, 224, 224),
    "super_resolution": _images(_SuperResolution, 1, 1, 224, 224),
    "unet": _images(_UNet, 1, 3, 256, 256),
    "yolo_v3_tiny": _images(_TinyYolo, 1, 3, 416, 416,
                            output_names=("large", "small")),
}
