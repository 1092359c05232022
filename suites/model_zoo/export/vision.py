"""Networks of torchvision: classification, segmentation, detection, video."""

import torchvision
from torchvision.models import detection
from torchvision.models import optical_flow
from torchvision.models import segmentation
from torchvision.models import video

import weights
from recipe import Recipe

_CLASSIFIERS = [
    "alexnet",
    "convnext_tiny",
    "densenet121",
    "efficientnet_b0",
    "efficientnet_b1",
    "efficientnet_v2_s",
    "googlenet",
    "maxvit_t",
    "mnasnet0_5",
    "mnasnet1_0",
    "mobilenet_v2",
    "mobilenet_v3_large",
    "mobilenet_v3_small",
    "regnet_x_400mf",
    "regnet_x_1_6gf",
    "regnet_y_400mf",
    "regnet_y_800mf",
    "resnet18",
    "resnet34",
    "resnet50",
    "resnet101",
    "resnext50_32x4d",
    "shufflenet_v2_x0_5",
    "shufflenet_v2_x1_0",
    "shufflenet_v2_x2_0",
    "squeezenet1_0",
    "squeezenet1_1",
    "swin_t",
    "vgg16",
    "vit_b_16",
    "vit_b_32",
]

# The number of pixels along an edge of the images, if it is not 224.
_EDGES = {
    "efficientnet_b1": 240,
    "efficientnet_v2_s": 384,
}


# Factors without which the activations would grow from block to block until
# rounding alone decides about the output.
_SCALES = {
    "efficientnet_v2_s": {"features.*.block.*.0.weight": 2**-1},
}


def _classifier(name):
    edge = _EDGES.get(name, 224)
    extra = {"init_weights": False} if name == "googlenet" else {}
    return Recipe(
        lambda: getattr(torchvision.models, name)(weights=None, **extra),
        lambda: (weights.image(1, 3, edge, edge),),
        scales=_SCALES.get(name, {}),
    )


def _inception():
    return Recipe(
        lambda: torchvision.models.inception_v3(
            weights=None, init_weights=False),
        lambda: (weights.image(1, 3, 299, 299),),
    )


def _segmenter(name, edge):
    return Recipe(
        lambda: getattr(segmentation, name)(
            weights=None, weights_backbone=None),
        lambda: (weights.image(1, 3, edge, edge),),
    )


def _detector(name, edge, scales, outputs=("boxes", "scores", "labels"),
              **options):
    """A detector whose input is a list of one image."""
    return Recipe(
        lambda: getattr(detection, name)(
            weights=None, weights_backbone=None, **options),
        lambda: ([weights.image(3, edge, edge)],),
        output_names=outputs,
        scales=scales,
    )


def _video(name, frames, edge):
    return Recipe(
        lambda: getattr(video, name)(weights=None),
        lambda: (weights.image(1, 3, frames, edge, edge),),
    )


def _flow(name, height, width):
    return Recipe(
        lambda: getattr(optical_flow, name)(weights=None),
        lambda: (weights.image(1, 3, height, width),
                 weights.image(1, 3, height, width, seed=4)),
        input_names=("first", "second"),
        output_names=("flow",),
    )


RECIPES = {
    **{name: _classifier(name) for name in _CLASSIFIERS},
    "inception_v3": _inception(),
    "deeplabv3_mobilenet_v3_large": _segmenter(
        "deeplabv3_mobilenet_v3_large", 320),
    "deeplabv3_resnet50": _segmenter("deeplabv3_resnet50", 224),
    "fcn_resnet50": _segmenter("fcn_resnet50", 224),
    "lraspp_mobilenet_v3_large": _segmenter("lraspp_mobilenet_v3_large", 320),
    "fasterrcnn_mobilenet_v3_large_320_fpn": _detector(
        "fasterrcnn_mobilenet_v3_large_320_fpn", 320, {
            "rpn.head.cls_logits.*": 2**-6,
            "rpn.head.bbox_pred.*": 2**-8,
            "roi_heads.box_predictor.cls_score.*": 2**-6,
            "roi_heads.box_predictor.bbox_pred.*": 2**-8,
        }, ("boxes", "labels", "scores")),
    "fasterrcnn_resnet50_fpn_v2": _detector(
        "fasterrcnn_resnet50_fpn_v2", 320, {
            "rpn.head.cls_logits.*": 2**-6,
            "rpn.head.bbox_pred.*": 2**-8,
            "roi_heads.box_predictor.cls_score.*": 2**-6,
            "roi_heads.box_predictor.bbox_pred.*": 2**-8,
        }, ("boxes", "labels", "scores"), min_size=320, max_size=320),
    "fcos_resnet50_fpn": _detector(
        "fcos_resnet50_fpn", 320, {}, min_size=320, max_size=320),
    "retinanet_resnet50_fpn": _detector(
        "retinanet_resnet50_fpn", 320, {
            "head.classification_head.cls_logits.*": 2**-16,
            "head.regression_head.bbox_reg.*": 2**-13,
        }, min_size=320, max_size=320),
    "ssd300_vgg16": _detector(
        "ssd300_vgg16", 300, {
            "backbone.scale_weight": 64,
            "head.classification_head.module_list.[1-5].*": 2**-7,
            "head.regression_head.module_list.[1-5].*": 2**-8,
        }),
    "ssdlite320_mobilenet_v3_large": _detector(
        "ssdlite320_mobilenet_v3_large", 320, {
            "head.*.module_list.[0-2].1.*": 2**-1,
        }),
    "mc3_18": _video("mc3_18", 8, 112),
    "r2plus1d_18": _video("r2plus1d_18", 8, 112),
    "r3d_18": _video("r3d_18", 8, 112),
    "s3d": _video("s3d", 16, 224),
    "raft_small": _flow("raft_small", 128, 128),
}
