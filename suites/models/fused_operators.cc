#include "suites/models/fused_operators.h"

#include "runtime/base/check.h"
#include "suites/models/layers.h"

namespace assay::suites {

onnx::ModelProto BuildConvNormRelu(const FusedOperatorOptions& options) {
  CHECK_GE(options.batch, 1);
  const bool depthwise = options.depthwise;
  const int64_t in = depthwise ? 512 : 128;
  const int64_t out = depthwise ? 512 : 256;
  const int64_t extent = depthwise ? 14 : 28;
  const Window window = depthwise ? Window{3, 1, 1} : Window{1, 1, 0};
  LayerBuilder layers(depthwise ? "depthwise_bn_relu" : "conv_bn_relu",
                      options.style, options.seed);
  const Feature x = layers.Image("data", {options.batch, in, extent, extent});
  const Feature y = layers.ConvNormActivate(
      {"conv", "bn", out, window, depthwise}, Activation::kRelu, x);
  layers.onnx().Output("result", y.value, {options.batch, out, extent, extent});
  return layers.onnx().Build();
}

}  // namespace assay::suites
