// BuildConvNormRelu: builds one of two small models that show the benefit of
// fusion:
//   - a 1x1 convolution from 128 to 256 channels on a 28x28 feature map;
//   - a 3x3 depthwise convolution on a 14x14 feature map with 512 channels.
// In both models, BatchNormalization and ReLU follow the convolution.
//
// Source: figure 4 of Chen et al., "TVM: an automated end-to-end optimizing
// compiler for deep learning", OSDI 2018.
#ifndef ASSAY_SUITES_MODELS_FUSED_OPERATORS_H_
#define ASSAY_SUITES_MODELS_FUSED_OPERATORS_H_

#include <cstdint>

#include "onnx/onnx.pb.h"
#include "suites/models/onnx_builder.h"

namespace assay::suites {

struct FusedOperatorOptions {
  int64_t batch = 1;
  bool depthwise = false;  // selects the second model
  uint64_t seed = 0;
  ExportStyle style;
};

// Returns the model. It has one input `data` and one output `result`, both
// float32. CHECK-fails if the batch size is less than 1.
onnx::ModelProto BuildConvNormRelu(const FusedOperatorOptions& options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_FUSED_OPERATORS_H_
