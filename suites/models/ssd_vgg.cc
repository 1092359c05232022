#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "suites/models/ssd.h"

namespace assay::suites {
namespace {

constexpr int64_t kClasses = 21;
// Shifts of the logits by class: nearly all boxes are background, and every
// fifth class has some detections.
std::vector<double> Shift() {
  std::vector<double> shift(kClasses, -4.0);
  shift[0] = 8.5;
  for (int64_t c = 1; c < kClasses; c += 5) shift[c] = 0.0;
  return shift;
}

// The boxes of a map: their distance and the two scales in pixels, and the
// aspect ratios of those that are not square, each with its inverse.
struct Level {
  double step, small, large;
  std::vector<double> ratios;

  int64_t boxes() const { return 2 + 2 * static_cast<int64_t>(ratios.size()); }
};

std::vector<Level> Levels() {
  return {{8, 30, 60, {2}},       {16, 60, 111, {2, 3}}, {32, 111, 162, {2, 3}},
          {64, 162, 213, {2, 3}}, {100, 213, 264, {2}},  {300, 264, 315, {2}}};
}

std::vector<PriorBox> Priors(const std::vector<Feature>& maps) {
  constexpr double kImage = kSsdImage;
  const auto inside = [](double value) {
    return std::min(std::max(value, 0.0), 1.0);
  };
  std::vector<PriorBox> priors;
  const std::vector<Level> levels = Levels();
  for (size_t m = 0; m < maps.size(); ++m) {
    const Level& level = levels[m];
    const double small = level.small / kImage;
    const double between = std::sqrt(small * level.large / kImage);
    const int64_t extent = maps[m].height;
    for (int64_t i = 0; i < extent * extent; ++i) {
      const double y =
          (static_cast<double>(i / extent) + 0.5) * level.step / kImage;
      const double x =
          (static_cast<double>(i % extent) + 0.5) * level.step / kImage;
      const auto add = [&](double height, double width) {
        priors.push_back({inside(y), inside(x), inside(height), inside(width)});
      };
      add(small, small);
      add(between, between);
      for (const double ratio : level.ratios) {
        const double root = std::sqrt(ratio);
        add(small / root, small * root);
        add(small * root, small / root);
      }
    }
  }
  return priors;
}

// L2 normalization of each position over the channels, times a learned scale
// per channel, whose initial value in training is 20.
Feature Scaled(LayerBuilder& layers, const Feature& x) {
  OnnxBuilder& onnx = layers.onnx();
  const NDArray scale =
      layers.Uniform("conv4_3_norm.weight", x.channels(), 16, 24);
  const std::string length = onnx.Add(
      "conv4_3_norm_length", onnx.ReduceL2("conv4_3_norm_l2", x.value, {1}),
      onnx.Weight("conv4_3_norm.epsilon",
                  NDArray::FromVector<float>({1}, {1e-10f})));
  const std::string unit =
      onnx.AddNode("Div", "conv4_3_norm_unit", {x.value, length})->output(0);
  Feature y = x;
  y.value =
      onnx.AddNode("Mul", "conv4_3_norm",
                   {unit, onnx.Weight("conv4_3_norm.weight",
                                      scale.Reshaped({1, x.channels(), 1, 1}))})
          ->output(0);
  double square = 0;
  for (int64_t c = 0; c < x.channels(); ++c) {
    square += x.mean[c] * x.mean[c] + x.variance[c];
  }
  for (int64_t c = 0; c < x.channels(); ++c) {
    const double factor = scale.data<float>()[c] / std::sqrt(square);
    y.mean[c] *= factor;
    y.variance[c] *= factor * factor;
  }
  return y;
}

std::vector<Feature> Maps(LayerBuilder& layers, Feature x, double multiplier) {
  const auto conv = [&](const std::string& name, int64_t channels,
                        Window window, const Feature& data) {
    const Feature y = layers.ConvBias(
        {name, "", ScaledChannels(channels, multiplier), window}, data);
    return layers.Activate(absl::StrCat(name, "_relu"), Activation::kRelu, y);
  };
  // Adds the convolutions `conv<stage>_1` to `conv<stage>_<count>`.
  const auto convs = [&](int stage, int count, int64_t channels, Feature data) {
    for (int i = 1; i <= count; ++i) {
      data =
          conv(absl::StrCat("conv", stage, "_", i), channels, {3, 1, 1}, data);
    }
    return data;
  };
  const Window half = {2, 2, 0};
  Window half_up = half;
  half_up.ceil = true;
  x = layers.MaxPool("pool1", convs(1, 2, 64, x), half);
  x = layers.MaxPool("pool2", convs(2, 2, 128, x), half);
  x = layers.MaxPool("pool3", convs(3, 3, 256, x), half_up);
  x = convs(4, 3, 512, x);
  std::vector<Feature> maps = {Scaled(layers, x)};
  x = convs(5, 3, 512, layers.MaxPool("pool4", x, half));
  x = layers.MaxPool("pool5", x, {3, 1, 1});
  Window wide = {3, 1, 6};
  wide.dilation = 6;
  x = conv("conv6", 1024, wide, x);
  x = conv("conv7", 1024, {1, 1, 0}, x);
  maps.push_back(x);
  const std::pair<int64_t, Window> extras[] = {
      {512, {3, 2, 1}}, {256, {3, 2, 1}}, {256, {3, 1, 0}}, {256, {3, 1, 0}}};
  int stage = 8;
  for (const auto& [channels, window] : extras) {
    x = conv(absl::StrCat("conv", stage, "_1"), channels / 2, {1, 1, 0}, x);
    x = conv(absl::StrCat("conv", stage, "_2"), channels, window, x);
    maps.push_back(x);
    ++stage;
  }
  return maps;
}

}  // namespace

Suppression SsdVgg16Suppression() { return {200, 0.45f, 0.01f}; }

onnx::ModelProto BuildSsdVgg16(const CatalogOptions& options) {
  CHECK_GE(options.batch, 1);
  LayerBuilder layers("ssd_vgg16", options.style, options.seed);
  OnnxBuilder& onnx = layers.onnx();
  const std::vector<Feature> maps = Maps(
      layers, layers.Image("data", {options.batch, 3, kSsdImage, kSsdImage}),
      options.multiplier);
  const std::vector<Level> levels = Levels();
  std::vector<PredictorLayer> predictors;
  for (size_t i = 0; i < maps.size(); ++i) {
    predictors.push_back({maps[i], levels[i].boxes(), absl::StrCat("loc.", i),
                          absl::StrCat("conf.", i)});
  }
  const Predictions predictions =
      Predict(layers, predictors, options.batch, /*kernel=*/3, Shift());
  const std::vector<PriorBox> priors = Priors(maps);
  const std::string boxes = DecodeBoxes(onnx, predictions.offsets, priors);
  const std::string scores = onnx.Softmax("softmax", predictions.logits, 2);
  OutputDetections(
      onnx, boxes, scores,
      {options.batch, static_cast<int64_t>(priors.size()), kClasses},
      SsdVgg16Suppression());
  return onnx.Build();
}

}  // namespace assay::suites
