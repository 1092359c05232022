#include "suites/models/mobilenet.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"

namespace assay::suites {
namespace {

// Standard deviation at which ReLU6 clips some values.
constexpr double kSpread = 2.0;

constexpr int64_t kClasses = 1000;

// Checks the options and adds the input.
Feature Image(LayerBuilder& layers, const CatalogOptions& options) {
  CHECK_GE(options.batch, 1);
  CHECK_GE(options.size, 0);
  CHECK(options.multiplier > 0);
  CHECK_GE(options.style.opset, 7);
  CHECK_LE(options.style.opset, 21);
  const int64_t size = options.size > 0 ? options.size : 224;
  return layers.Image("data", {options.batch, 3, size, size});
}

Feature SamePadded(LayerBuilder& layers, ConvLayer layer, int64_t stride,
                   const Feature& x) {
  layer.window = SameWindow(3, stride, x.height);
  layer.spread = kSpread;
  return layers.ConvNormActivate(layer, Activation::kRelu6, x);
}

// A row of table 2 of the paper: `repeats` blocks, the first with `stride`.
struct Stage {
  int64_t expansion, channels, repeats, stride;
};
constexpr Stage kStages[] = {{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2},
                             {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2},
                             {6, 320, 1, 1}};

// Expand, filter depthwise, project; add the input if the shapes are equal.
Feature InvertedResidual(LayerBuilder& layers, const std::string& name,
                         const Feature& x, int64_t out, int64_t stride,
                         int64_t expansion) {
  int index = 0;
  const auto activated = [&](int64_t channels, Window window, bool depthwise,
                             const Feature& value) {
    const std::string part = absl::StrCat(name, ".conv.", index++);
    return layers.ConvNormActivate(
        {absl::StrCat(part, ".0"), absl::StrCat(part, ".1"), channels, window,
         depthwise, kSpread},
        Activation::kRelu6, value);
  };
  const int64_t hidden = expansion * x.channels();
  Feature y = x;
  if (expansion != 1) y = activated(hidden, {1, 1, 0}, false, y);
  y = activated(hidden, {3, stride, 1}, true, y);
  y = layers.ConvNorm({absl::StrCat(name, ".conv.", index),
                       absl::StrCat(name, ".conv.", index + 1),
                       out,
                       {1, 1, 0}},
                      y);
  if (stride != 1 || out != x.channels()) return y;
  return layers.Add(absl::StrCat(name, ".add"), x, y);
}

}  // namespace

std::vector<Feature> MobileNetV1Features(LayerBuilder& layers,
                                         const Feature& image,
                                         double multiplier) {
  // Channels and stride.
  constexpr std::pair<int64_t, int64_t> kPairs[] = {
      {64, 1},  {128, 2}, {128, 1}, {256, 2}, {256, 1},  {512, 2}, {512, 1},
      {512, 1}, {512, 1}, {512, 1}, {512, 1}, {1024, 2}, {1024, 1}};
  Feature x = SamePadded(
      layers, {"conv1", "conv1_bn", ScaledChannels(32, multiplier), {}}, 2,
      image);
  std::vector<Feature> features;
  for (const auto& [channels, stride] : kPairs) {
    const auto name = [number = features.size() + 1](absl::string_view kind) {
      return absl::StrCat("conv_", kind, "_", number);
    };
    x = SamePadded(layers,
                   {name("dw"),
                    absl::StrCat(name("dw"), "_bn"),
                    x.channels(),
                    {},
                    /*depthwise=*/true},
                   stride, x);
    x = layers.ConvNormActivate({name("pw"),
                                 absl::StrCat(name("pw"), "_bn"),
                                 ScaledChannels(channels, multiplier),
                                 {1, 1, 0},
                                 /*depthwise=*/false,
                                 kSpread},
                                Activation::kRelu6, x);
    features.push_back(x);
  }
  return features;
}

onnx::ModelProto BuildMobileNetV1(const CatalogOptions& options) {
  LayerBuilder layers("mobilenet_v1", options.style, options.seed);
  const std::vector<Feature> features =
      MobileNetV1Features(layers, Image(layers, options), options.multiplier);
  const std::string logits =
      layers.Classifier("global_average_pooling", "reshape", "conv_preds",
                        features.back(), kClasses);
  const std::string probabilities = layers.onnx().Softmax("softmax", logits, 1);
  layers.onnx().Output("probabilities", probabilities,
                       {options.batch, kClasses});
  return layers.onnx().Build();
}

onnx::ModelProto BuildMobileNetV2(const CatalogOptions& options) {
  LayerBuilder layers("mobilenet_v2", options.style, options.seed);
  const auto end = [&](int index, int64_t channels, Window window,
                       const Feature& x) {
    const std::string name = absl::StrCat("features.", index);
    return layers.ConvNormActivate(
        {absl::StrCat(name, ".0"), absl::StrCat(name, ".1"), channels, window,
         /*depthwise=*/false, kSpread},
        Activation::kRelu6, x);
  };
  Feature x = end(0, ScaledChannels(32, options.multiplier), {3, 2, 1},
                  Image(layers, options));
  int index = 1;
  for (const Stage& stage : kStages) {
    for (int64_t block = 0; block < stage.repeats; ++block) {
      x = InvertedResidual(layers, absl::StrCat("features.", index++), x,
                           ScaledChannels(stage.channels, options.multiplier),
                           block == 0 ? stage.stride : 1, stage.expansion);
    }
  }
  // A multiplier below 1 does not apply to the last layer.
  x = end(index, ScaledChannels(1280, std::max(1.0, options.multiplier)),
          {1, 1, 0}, x);
  layers.onnx().Output(
      "logits",
      layers.Classifier("pool", "flatten", "classifier.1", x, kClasses),
      {options.batch, kClasses});
  return layers.onnx().Build();
}

}  // namespace assay::suites
