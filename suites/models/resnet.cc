#include "suites/models/resnet.h"

#include <cmath>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/random.h"

namespace assay::suites {
namespace {

constexpr float kEpsilon = 1e-5f;

// The parameters of one BatchNormalization, a value per channel.
struct Norm {
  NDArray scale, bias, mean, variance;
};

class ResNetBuilder {
 public:
  explicit ResNetBuilder(const ResNetOptions& options)
      : options_(options), onnx_("resnet", options.spelling) {}

  onnx::ModelProto Build();

 private:
  // What one convolution with its normalisation does; `gain` is the standard
  // deviation of its result where its operand has a second moment of one.
  struct Layer {
    std::string conv;
    std::string norm;
    int64_t in = 0;
    int64_t out = 0;
    Window window;
    float gain = 1.0f;
  };

  std::string ConvNorm(const Layer& layer, const std::string& x);
  std::string BasicBlock(const std::string& name, const std::string& x,
                         int64_t in, int64_t out, int64_t stride);
  std::string Classifier(const std::string& x, int64_t features);

  Rng RngFor(absl::string_view tensor) const {
    return Rng(SeedFor(options_.seed, tensor));
  }
  NDArray Uniform(const std::string& name, int64_t channels, float lo,
                  float hi) const;
  Norm MakeNorm(const Layer& layer) const;

  const ResNetOptions& options_;
  OnnxBuilder onnx_;
};

NDArray ResNetBuilder::Uniform(const std::string& name, int64_t channels,
                               float lo, float hi) const {
  NDArray array(DType::Float32(), {channels});
  RngFor(name).FillUniform(array, lo, hi);
  return array;
}

Norm ResNetBuilder::MakeNorm(const Layer& layer) const {
  // The convolutions double the second moment; a variance around two undoes
  // it, and the scale then sets the gain.
  const auto name = [&](absl::string_view part) {
    return absl::StrCat(layer.norm, ".", part);
  };
  Norm norm;
  norm.scale =
      Uniform(name("weight"), layer.out, 0.7f * layer.gain, 1.3f * layer.gain);
  norm.bias = Uniform(name("bias"), layer.out, -0.2f, 0.2f);
  norm.mean = Uniform(name("running_mean"), layer.out, -0.3f, 0.3f);
  norm.variance = Uniform(name("running_var"), layer.out, 1.2f, 2.8f);
  return norm;
}

// w * scale / sqrt(variance + epsilon), and the bias that remains. Double in
// between, so that the result does not depend on how the machine contracts.
std::pair<NDArray, NDArray> Fold(const NDArray& weight, const Norm& norm) {
  NDArray folded(DType::Float32(), weight.shape());
  NDArray bias(DType::Float32(), norm.bias.shape());
  const int64_t channels = bias.num_elements();
  const int64_t per_channel = weight.num_elements() / channels;
  for (int64_t c = 0; c < channels; ++c) {
    const double variance = norm.variance.data<float>()[c];
    const double factor = norm.scale.data<float>()[c] /
                          std::sqrt(variance + static_cast<double>(kEpsilon));
    for (int64_t i = c * per_channel; i < (c + 1) * per_channel; ++i) {
      folded.data<float>()[i] =
          static_cast<float>(weight.data<float>()[i] * factor);
    }
    const double shift = norm.mean.data<float>()[c] * factor;
    bias.data<float>()[c] =
        static_cast<float>(norm.bias.data<float>()[c] - shift);
  }
  return {folded, bias};
}

std::string ResNetBuilder::ConvNorm(const Layer& layer, const std::string& x) {
  const std::string weight_name = absl::StrCat(layer.conv, ".weight");
  const int64_t k = layer.window.kernel;
  NDArray weight(DType::Float32(), {layer.out, layer.in, k, k});
  // He's scaling: it keeps the second moment through a convolution of
  // rectified values, and doubles it through one of zero-mean values.
  const float fan_in = static_cast<float>(layer.in * k * k);
  RngFor(weight_name).FillNormal(weight, 0.0f, std::sqrt(2.0f / fan_in));
  Norm norm = MakeNorm(layer);
  if (options_.spelling.fold_batch_norm) {
    auto [folded, bias] = Fold(weight, norm);
    const std::string w = onnx_.Weight(weight_name, folded);
    const std::string b = onnx_.Weight(absl::StrCat(layer.conv, ".bias"), bias);
    return onnx_.Conv(layer.conv, x, w, b, layer.window);
  }
  const std::string w = onnx_.Weight(weight_name, weight);
  const std::string y = onnx_.Conv(layer.conv, x, w, "", layer.window);
  const auto parameter = [&](absl::string_view part, const NDArray& value) {
    return onnx_.Weight(absl::StrCat(layer.norm, ".", part), value);
  };
  const std::string scale = parameter("weight", norm.scale);
  const std::string bias = parameter("bias", norm.bias);
  const std::string mean = parameter("running_mean", norm.mean);
  const std::string variance = parameter("running_var", norm.variance);
  return onnx_.BatchNorm(layer.norm, y, scale, bias, mean, variance, kEpsilon);
}

std::string ResNetBuilder::BasicBlock(const std::string& name,
                                      const std::string& x, int64_t in,
                                      int64_t out, int64_t stride) {
  const auto sub = [&](absl::string_view part) {
    return absl::StrCat(name, ".", part);
  };
  std::string y =
      ConvNorm({sub("conv1"), sub("bn1"), in, out, {3, stride, 1}, 1.0f}, x);
  y = onnx_.Relu(sub("relu1"), y);
  // Less than one, or the sums would grow from block to block.
  y = ConvNorm({sub("conv2"), sub("bn2"), out, out, {3, 1, 1}, 0.7f}, y);
  std::string shortcut = x;
  if (stride != 1 || in != out) {
    shortcut = ConvNorm({sub("downsample.0"),
                         sub("downsample.1"),
                         in,
                         out,
                         {1, stride, 0},
                         1.0f},
                        x);
  }
  return onnx_.Relu(sub("relu2"), onnx_.Add(sub("add"), y, shortcut));
}

std::string ResNetBuilder::Classifier(const std::string& x, int64_t features) {
  NDArray weight(DType::Float32(), {options_.classes, features});
  RngFor("fc.weight")
      .FillNormal(weight, 0.0f, std::sqrt(2.0f / static_cast<float>(features)));
  const std::string w = onnx_.Weight("fc.weight", weight);
  const std::string b = onnx_.Weight(
      "fc.bias", Uniform("fc.bias", options_.classes, -0.1f, 0.1f));
  return onnx_.Dense("fc", onnx_.Flatten("flatten", x), w, b);
}

onnx::ModelProto ResNetBuilder::Build() {
  const std::string data =
      onnx_.Input("data", {options_.batch, 3, options_.height, options_.width});
  int64_t channels = options_.channels;
  std::string x =
      ConvNorm({"conv1", "bn1", 3, channels, {7, 2, 3}, 1.0f}, data);
  x = onnx_.MaxPool("maxpool", onnx_.Relu("relu", x), {3, 2, 1});
  int64_t in = channels;
  for (size_t stage = 0; stage < options_.blocks.size(); ++stage) {
    if (stage > 0) channels *= 2;
    for (int64_t block = 0; block < options_.blocks[stage]; ++block) {
      const int64_t stride = stage > 0 && block == 0 ? 2 : 1;
      x = BasicBlock(absl::StrCat("layer", stage + 1, ".", block), x, in,
                     channels, stride);
      in = channels;
    }
  }
  x = onnx_.GlobalAveragePool("avgpool", x);
  onnx_.Output("logits", Classifier(x, channels),
               {options_.batch, options_.classes});
  return onnx_.Build();
}

}  // namespace

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
  CHECK_GE(options.spelling.opset, 7);
  CHECK_LE(options.spelling.opset, 21);
  return ResNetBuilder(options).Build();
}

}  // namespace assay::suites
