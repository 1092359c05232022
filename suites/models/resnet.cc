#include "suites/models/resnet.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "suites/models/layers.h"

namespace assay::suites {
namespace {

constexpr int64_t kWidening = 4;

// A residual block with the names of torchvision.
class Block {
 public:
  Block(LayerBuilder& layers, std::string name, int64_t channels,
        int64_t stride)
      : layers_(layers),
        name_(std::move(name)),
        channels_(channels),
        stride_(stride) {}

  Feature Basic(const Feature& x) const {
    Feature y = Rectified(1, channels_, {3, stride_, 1}, x);
    y = Conv("conv2", "bn2", channels_, {3, 1, 1}, y);
    return Sum(y, x, 2);
  }

  Feature Bottleneck(const Feature& x) const {
    Feature y = Rectified(1, channels_, {1, 1, 0}, x);
    y = Rectified(2, channels_, {3, stride_, 1}, y);
    y = Conv("conv3", "bn3", kWidening * channels_, {1, 1, 0}, y);
    return Sum(y, x, 3);
  }

 private:
  std::string Sub(absl::string_view part) const {
    return absl::StrCat(name_, ".", part);
  }

  Feature Conv(absl::string_view conv, absl::string_view norm, int64_t out,
               Window window, const Feature& x) const {
    return layers_.ConvNorm({Sub(conv), Sub(norm), out, window}, x);
  }

  Feature Relu(int number, const Feature& x) const {
    return layers_.Activate(Sub(absl::StrCat("relu", number)),
                            Activation::kRelu, x);
  }

  Feature Rectified(int number, int64_t out, Window window,
                    const Feature& x) const {
    return Relu(number, Conv(absl::StrCat("conv", number),
                             absl::StrCat("bn", number), out, window, x));
  }

  Feature Sum(const Feature& y, const Feature& x, int number) const {
    Feature shortcut = x;
    if (stride_ != 1 || x.channels() != y.channels()) {
      shortcut = Conv("downsample.0", "downsample.1", y.channels(),
                      {1, stride_, 0}, x);
    }
    return Relu(number, layers_.Add(Sub("add"), y, shortcut));
  }

  LayerBuilder& layers_;
  const std::string name_;
  const int64_t channels_;
  const int64_t stride_;
};

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
      const Block block(layers, absl::StrCat("layer", stage + 1, ".", number),
                        channels, stride);
      x = options.bottlenecks ? block.Bottleneck(x) : block.Basic(x);
    }
  }
  const std::string logits =
      layers.Classifier("avgpool", "flatten", "fc", x, options.classes);
  layers.onnx().Output("logits", logits, {options.batch, options.classes});
  return layers.onnx().Build();
}

}  // namespace assay::suites
