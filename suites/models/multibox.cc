#include "suites/models/multibox.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"

namespace assay::suites {
namespace {

// Reshapes [N, boxes * values, H, W] to [N, H * W * boxes, values].
std::string Rows(OnnxBuilder& onnx, const std::string& name, const Feature& map,
                 int64_t batch, int64_t values) {
  const std::string last =
      onnx.Transpose(absl::StrCat(name, ".transpose"), map.value, {0, 2, 3, 1});
  return onnx.Reshape(absl::StrCat(name, ".rows"), last, {batch, -1, values});
}

// Returns two fields of all priors as a constant [1, P, 2].
std::string PriorColumns(OnnxBuilder& onnx, absl::string_view name,
                         const std::vector<PriorBox>& priors,
                         double PriorBox::* first, double PriorBox::* second) {
  std::vector<float> values;
  for (const PriorBox& prior : priors) {
    values.push_back(static_cast<float>(prior.*first));
    values.push_back(static_cast<float>(prior.*second));
  }
  return onnx.Weight(name,
                     NDArray::FromVector<float>(
                         {1, static_cast<int64_t>(priors.size()), 2}, values));
}

std::string Number(OnnxBuilder& onnx, absl::string_view name, float value) {
  return onnx.Weight(name, NDArray::FromVector<float>({1}, {value}));
}

}  // namespace

Predictions Predict(LayerBuilder& layers,
                    const std::vector<PredictorLayer>& predictors,
                    int64_t batch, int64_t kernel,
                    const std::vector<double>& class_shift) {
  const auto classes = static_cast<int64_t>(class_shift.size());
  const Window window = {kernel, 1, kernel / 2};
  std::vector<std::string> offsets;
  std::vector<std::string> logits;
  for (const PredictorLayer& predictor : predictors) {
    const Feature& map = predictor.map;
    const Feature boxes = layers.ConvBias(
        {predictor.box_conv, "", 4 * predictor.boxes, window}, map);
    offsets.push_back(Rows(layers.onnx(), predictor.box_conv, boxes, batch, 4));
    std::vector<double> shift;
    for (int64_t i = 0; i < predictor.boxes; ++i) {
      shift.insert(shift.end(), class_shift.begin(), class_shift.end());
    }
    const Feature scores = layers.ConvBias(
        {predictor.class_conv, "", classes * predictor.boxes, window}, map,
        shift);
    logits.push_back(
        Rows(layers.onnx(), predictor.class_conv, scores, batch, classes));
  }
  return {layers.onnx().Concat("offsets", offsets, 1),
          layers.onnx().Concat("logits", logits, 1)};
}

std::string DecodeBoxes(OnnxBuilder& onnx, const std::string& offsets,
                        const std::vector<PriorBox>& priors) {
  const std::string prior_centers =
      PriorColumns(onnx, "priors.centers", priors, &PriorBox::y, &PriorBox::x);
  const std::string prior_extents = PriorColumns(
      onnx, "priors.extents", priors, &PriorBox::height, &PriorBox::width);
  const auto node = [&](const char* op, const char* name,
                        const std::vector<std::string>& inputs) {
    return onnx.AddNode(op, absl::StrCat("decode.", name), inputs)->output(0);
  };
  const std::string center =
      node("Mul", "center_scaled",
           {onnx.Slice("decode.center_offsets", offsets, 2, 0, 2),
            Number(onnx, "decode.center_scale", 0.1f)});
  const std::string centers = node(
      "Add", "centers",
      {node("Mul", "center_shift", {center, prior_extents}), prior_centers});
  const std::string extent =
      node("Mul", "extent_scaled",
           {onnx.Slice("decode.extent_offsets", offsets, 2, 2, 4),
            Number(onnx, "decode.extent_scale", 0.2f)});
  const std::string extents =
      node("Mul", "extents", {node("Exp", "growth", {extent}), prior_extents});
  const std::string halves =
      node("Mul", "halves", {extents, Number(onnx, "decode.half", 0.5f)});
  const std::string from = node("Sub", "from", {centers, halves});
  const std::string to = node("Add", "to", {centers, halves});
  return onnx.Concat("decode.corners", {from, to}, 2);
}

void OutputDetections(OnnxBuilder& onnx, const std::string& boxes,
                      const std::string& scores, const Shape& scores_shape,
                      const Suppression& suppression) {
  CHECK_GE(onnx.style().opset, 10) << "NonMaxSuppression came with opset 10";
  const int64_t classes = scores_shape[2];
  const std::string by_class = onnx.Transpose(
      "scores_by_class", onnx.Slice("foreground", scores, 2, 1, classes),
      {0, 2, 1});
  const std::string most = onnx.Weight(
      "nms.boxes_per_class",
      NDArray::FromVector<int64_t>({1}, {suppression.boxes_per_class}));
  const std::string overlap = Number(onnx, "nms.overlap", suppression.overlap);
  const std::string score = Number(onnx, "nms.score", suppression.score);
  const std::string detections =
      onnx.AddNode("NonMaxSuppression", "nms",
                   {boxes, by_class, most, overlap, score})
          ->output(0);
  const int64_t batch = scores_shape[0];
  const int64_t priors = scores_shape[1];
  onnx.Output("boxes", boxes, {batch, priors, 4});
  onnx.Output("scores", by_class, {batch, classes - 1, priors});
  onnx.OutputOfRank("detections", detections, 2, DType::Int64());
}

}  // namespace assay::suites
