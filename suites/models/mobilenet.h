// Builds MobileNet v1 (Howard et al., "MobileNets: efficient convolutional
// neural networks for mobile vision applications", 2017) and v2 (Sandler et
// al., "MobileNetV2: inverted residuals and linear bottlenecks", 2018) as ONNX
// models with random weights (layers.h).
//
// v1 has the structure of the paper and of Keras:
//   - a 3x3 convolution with stride 2;
//   - thirteen pairs of a depthwise 3x3 convolution and a 1x1 convolution;
//   - average pooling, a classifier, and softmax.
// Each of the convolutions above is followed by BatchNormalization and ReLU6.
// The 3x3 convolutions have TensorFlow's "SAME" padding (SameWindow). For
// images of 224 x 224, v1 has 568,740,352 multiply-adds and 4,231,976
// parameters. The running statistics are not counted as parameters.
//
// v2 has the structure of torchvision:
//   - a 3x3 convolution with stride 2;
//   - 17 inverted residual blocks with linear bottlenecks. The expansion factor
//     is 1 in the first block and 6 in the other blocks;
//   - a 1x1 convolution to 1280 channels;
//   - average pooling and a classifier.
// For images of 224 x 224, v2 has 3,504,872 parameters and 300,774,272
// multiply-adds.
#ifndef ASSAY_SUITES_MODELS_MOBILENET_H_
#define ASSAY_SUITES_MODELS_MOBILENET_H_

#include <vector>

#include "onnx/onnx.pb.h"
#include "suites/models/layers.h"

namespace assay::suites {

// Returns v1. The model has one input `data` [batch,3,size,size], where `size`
// is 224 by default, and one output `probabilities` [batch,1000]. Both are
// float32. CHECK-fails if an option is out of range.
onnx::ModelProto BuildMobileNetV1(const CatalogOptions& options);

// Returns v2. The only difference in the interface of the model is that the
// output is named `logits`. A multiplier below 1 does not apply to the last
// convolution. CHECK-fails if an option is out of range.
onnx::ModelProto BuildMobileNetV2(const CatalogOptions& options);

// Adds the convolutions of v1, applied to `image`. Returns the results of the
// thirteen pairs in order; detectors use some of them.
std::vector<Feature> MobileNetV1Features(LayerBuilder& layers,
                                         const Feature& image,
                                         double multiplier);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_MOBILENET_H_
