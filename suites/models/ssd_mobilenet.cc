#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "suites/models/mobilenet.h"
#include "suites/models/ssd.h"

namespace assay::suites {
namespace {

constexpr int64_t kClasses = 91;
// Shifts of the logits by class: every tenth class has some detections.
std::vector<double> Shift() {
  std::vector<double> shift(kClasses, -6.0);
  for (int64_t c = 1; c < kClasses; c += 10) shift[c] = -2.5;
  return shift;
}

// The scale of the boxes increases from 0.2 of the image in the lowest map to
// 0.95 in the highest, with aspect ratios 1, 2, 1/2, 3 and 1/3. Each map also
// has a square whose scale is the geometric mean of this and the next scale.
// The lowest map has only three boxes, one of them smaller.
std::vector<PriorBox> Priors(const std::vector<Feature>& maps) {
  const auto scale = [&](size_t level) {
    return level == maps.size()
               ? 1.0
               : 0.2 + 0.75 * static_cast<double>(level) /
                           static_cast<double>(maps.size() - 1);
  };
  std::vector<PriorBox> priors;
  for (size_t level = 0; level < maps.size(); ++level) {
    struct Form {
      double scale, ratio;
    };
    const double s = scale(level);
    std::vector<Form> forms = {{0.1, 1}, {s, 2}, {s, 0.5}};
    if (level > 0) {
      forms = {{s, 1}, {s, 2},       {s, 0.5},
               {s, 3}, {s, 1.0 / 3}, {std::sqrt(s * scale(level + 1)), 1}};
    }
    const int64_t extent = maps[level].height;
    for (int64_t i = 0; i < extent * extent; ++i) {
      const double row = static_cast<double>(i / extent);
      const double column = static_cast<double>(i % extent);
      for (const Form& form : forms) {
        const double root = std::sqrt(form.ratio);
        priors.push_back({(row + 0.5) / static_cast<double>(extent),
                          (column + 0.5) / static_cast<double>(extent),
                          form.scale / root, form.scale * root});
      }
    }
  }
  return priors;
}

std::vector<Feature> Maps(LayerBuilder& layers, const Feature& image,
                          double multiplier) {
  const std::vector<Feature> features =
      MobileNetV1Features(layers, image, multiplier);
  std::vector<Feature> maps = {features[10], features[12]};
  int index = 2;
  for (const int64_t channels : {512, 256, 256, 128}) {
    const auto block = [&](absl::string_view kind, int64_t out, Window window,
                           const Feature& x) {
      const std::string name = absl::StrCat("extra_", index, "_", kind);
      return layers.ConvNormActivate({name, absl::StrCat(name, "_bn"),
                                      ScaledChannels(out, multiplier), window},
                                     Activation::kRelu6, x);
    };
    const Feature narrow = block("1x1", channels / 2, {1, 1, 0}, maps.back());
    maps.push_back(
        block("3x3", channels, SameWindow(3, 2, narrow.height), narrow));
    ++index;
  }
  return maps;
}

}  // namespace

Suppression SsdMobileNetV1Suppression() { return {100, 0.6f, 0.3f}; }

onnx::ModelProto BuildSsdMobileNetV1(const CatalogOptions& options) {
  CHECK_GE(options.batch, 1);
  LayerBuilder layers("ssd_mobilenet_v1", options.style, options.seed);
  OnnxBuilder& onnx = layers.onnx();
  const Feature image =
      layers.Image("data", {options.batch, 3, kSsdImage, kSsdImage});
  const std::vector<Feature> maps = Maps(layers, image, options.multiplier);
  std::vector<PredictorLayer> predictors;
  for (const Feature& map : maps) {
    const std::string name = absl::StrCat("predictor_", predictors.size());
    predictors.push_back({map, predictors.empty() ? 3 : 6,
                          absl::StrCat(name, "_boxes"),
                          absl::StrCat(name, "_classes")});
  }
  const Predictions predictions =
      Predict(layers, predictors, options.batch, /*kernel=*/1, Shift());
  const std::vector<PriorBox> priors = Priors(maps);
  const std::string boxes = DecodeBoxes(onnx, predictions.offsets, priors);
  const std::string scores =
      onnx.AddNode("Sigmoid", "sigmoid", {predictions.logits})->output(0);
  OutputDetections(
      onnx, boxes, scores,
      {options.batch, static_cast<int64_t>(priors.size()), kClasses},
      SsdMobileNetV1Suppression());
  return onnx.Build();
}

}  // namespace assay::suites
