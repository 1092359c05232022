// MobileNet v1 (Howard et al., "MobileNets: efficient convolutional neural
// networks for mobile vision applications", 2017) and v2 (Sandler et al.,
// "MobileNetV2: inverted residuals and linear bottlenecks", 2018) as ONNX
// models with made-up weights (layers.h).
//
// v1 is that of the paper and of Keras: 3x3/2 convolution, thirteen pairs of a
// depthwise 3x3 and a pointwise convolution, padded as TensorFlow pads
// ("SAME", what is odd at the end), each followed by BatchNormalization and
// ReLU6; average pooling, classifier, softmax. 4,231,976 parameters without
// running statistics and 568,740,352 multiply-adds at 224 x 224.
//
// v2 is torchvision's: 3x3/2 convolution, seventeen inverted residuals of
// expansion 6 (1 in the first) with linear bottlenecks, 1x1 to 1280 channels,
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
  // All channels are multiplied by it (ScaledChannels); positive.
  double multiplier = 1.0;
  uint64_t seed = 0;
  ExportStyle style;
};

// One input `data` [batch,3,size,size], one output [batch,classes], both
// float32: `probabilities` of v1, `logits` of v2. CHECK-fails for options that
// are out of range.
onnx::ModelProto BuildMobileNetV1(const MobileNetOptions& options);
onnx::ModelProto BuildMobileNetV2(const MobileNetOptions& options);

// The convolutions of v1 on `image`: the results of each pair, thirteen in
// all. Detectors take some of them.
std::vector<Feature> MobileNetV1Features(LayerBuilder& layers,
                                         const Feature& image,
                                         double multiplier);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_MOBILENET_H_
