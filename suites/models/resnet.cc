#include "suites/models/resnet.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "suites/models/layers.h"

namespace assay::suites {
namespace {

constexpr int64_t kWidening = 4;

// Adds a residual block with the names of torchvision.
Feature Block(LayerBuilder& layers, const std::string& name, int64_t channels,
              int64_t stride, bool bottleneck, const Feature& x) {
  const auto conv = [&](int number, int64_t out, Window window,
                        const Feature& data) {
    return layers.ConvNorm({absl::StrCat(name, ".conv", number),
                            absl::StrCat(name, ".bn", number), out, window},
                           data);
  };
  const auto relu = [&](int number, const Feature& data) {
    return layers.Activate(absl::StrCat(name, ".relu", number),
                           Activation::kRelu, data);
  };
  Feature y;
  if (bottleneck) {
    y = relu(1, conv(1, channels, {1, 1, 0}, x));
    y = relu(2, conv(2, channels, {3, stride, 1}, y));
    y = conv(3, kWidening * channels, {1, 1, 0}, y);
  } else {
    y = relu(1, conv(1, channels, {3, stride, 1}, x));
    y = conv(2, channels, {3, 1, 1}, y);
  }
  Feature shortcut = x;
  if (stride != 1 || x.channels() != y.channels()) {
    shortcut = layers.ConvNorm({absl::StrCat(name, ".downsample.0"),
                                absl::StrCat(name, ".downsample.1"),
                                y.channels(),
                                {1, stride, 0}},
                               x);
  }
  return relu(bottleneck ? 3 : 2,
              layers.Add(absl::StrCat(name, ".add"), y, shortcut));
}

}  // namespace

ResNetOptions ResNet34Options() {
  ResNetOptions options;
  options.blocks = {3, 4, 6, 3};
  return options;
}

ResNetOptions ResNet50Options() {
  ResNetOptions options = ResNet34Options();
  options.bottlenecks = true;
  return options;
}

ResNetOptions TinyResNetOptions() {
  ResNetOptions options;
  options.height = 32;
  options.width = 32;
  options.classes = 10;
  options.channels = 8;
  options.blocks = {1, 1, 1};
  return options;
}

onnx::ModelProto BuildResNet(const ResNetOptions& options) {
  CHECK_GE(options.batch, 1);
  CHECK_GE(options.height, 1);
  CHECK_GE(options.width, 1);
  CHECK_GE(options.classes, 1);
  CHECK_GE(options.channels, 1);
  CHECK_GE(options.style.opset, 7);
  CHECK_LE(options.style.opset, 21);
  LayerBuilder layers("resnet", options.style, options.seed);
  Feature x =
      layers.Image("data", {options.batch, 3, options.height, options.width});
  int64_t channels = options.channels;
  x = layers.ConvNorm({"conv1", "bn1", channels, {7, 2, 3}}, x);
  x = layers.Activate("relu", Activation::kRelu, x);
  x = layers.MaxPool("maxpool", x, {3, 2, 1});
  for (size_t stage = 0; stage < options.blocks.size(); ++stage) {
    if (stage > 0) channels *= 2;
    for (int64_t number = 0; number < options.blocks[stage]; ++number) {
      const int64_t stride = stage > 0 && number == 0 ? 2 : 1;
      x = Block(layers, absl::StrCat("layer", stage + 1, ".", number), channels,
                stride, options.bottlenecks, x);
    }
  }
  const std::string logits =
      layers.Classifier("avgpool", "flatten", "fc", x, options.classes);
  layers.onnx().Output("logits", logits, {options.batch, options.classes});
  return layers.onnx().Build();
}

}  // namespace assay::suites
