// MobileNet v1 (Howard et al., "MobileNets: efficient convolutional neural
// networks for mobile vision applications", 2017) and v2 (Sandler et al.,
// "MobileNetV2: inverted residuals and linear bottlenecks", 2018) as ONNX
// models with random weights (layers.h).
//
// v1 follows the paper and Keras: 3x3/2 convolution, thirteen pairs of a
// depthwise 3x3 and a pointwise convolution with TensorFlow's "SAME" padding
// (SameWindow), each followed by BatchNormalization and ReLU6; average pooling,
// classifier, softmax. 4,231,976 parameters without running statistics and
// 568,740,352 multiply-adds at 224 x 224.
//
// v2 follows torchvision: 3x3/2 convolution, 17 inverted residuals of expansion
// 6 (the first 1) with linear bottlenecks, 1x1 convolution to 1280 channels,
// pooling, classifier. 3,504,872 parameters, 300,774,272 multiply-adds.
#ifndef ASSAY_SUITES_MODELS_MOBILENET_H_
#define ASSAY_SUITES_MODELS_MOBILENET_H_

#include <cstdint>
#include <vector>

#include "onnx/onnx.pb.h"
#include "suites/models/layers.h"
#include "suites/models/onnx_builder.h"

namespace assay::suites {

struct MobileNetOptions {
  int64_t batch = 1;
  // Height and width of the image, at least 1.
  int64_t size = 224;
  int64_t classes = 1000;
  // Width multiplier of all channels (ScaledChannels); positive.
  double multiplier = 1.0;
  uint64_t seed = 0;
  ExportStyle style;
};

// The models have one input `data` [batch,3,size,size] and one output
// [batch,classes], both float32; the output is `probabilities` in v1, `logits`
// in v2. CHECK-fails for options that are out of range.
onnx::ModelProto BuildMobileNetV1(const MobileNetOptions& options);
onnx::ModelProto BuildMobileNetV2(const MobileNetOptions& options);

// Applies the convolutions of v1 to `image` and returns the results of the
// thirteen pairs, some of which detectors use.
std::vector<Feature> MobileNetV1Features(LayerBuilder& layers,
                                         const Feature& image,
                                         double multiplier);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_MOBILENET_H_
