// The operators with which TVM's paper shows the benefit of fusion (Chen et
// al., "TVM: an automated end-to-end optimizing compiler for deep learning",
// OSDI 2018, figure 4), as separate models: a 1x1 convolution from 128 to 256
// channels on a 28x28 feature map, and a 3x3 depthwise convolution on 512
// channels of 14x14, both followed by BatchNormalization and ReLU.
#ifndef ASSAY_SUITES_MODELS_FUSED_OPERATORS_H_
#define ASSAY_SUITES_MODELS_FUSED_OPERATORS_H_

#include <cstdint>

#include "onnx/onnx.pb.h"
#include "suites/models/onnx_builder.h"

namespace assay::suites {

struct FusedOperatorOptions {
  int64_t batch = 1;
  bool depthwise = false;
  uint64_t seed = 0;
  ExportStyle style;
};

// One input `data`, one output `result`, both float32.
onnx::ModelProto BuildConvNormRelu(const FusedOperatorOptions& options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_FUSED_OPERATORS_H_
