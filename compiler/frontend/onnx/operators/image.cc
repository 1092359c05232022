// GridSample, MaxRoiPool, RoiAlign and NonMaxSuppression.
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/scalar.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/graph/builder/run_time_extents.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;

absl::Status NotOneOf(absl::string_view attribute, const std::string& value,
                      absl::string_view choices) {
  return Malformed("attribute ", Quote(attribute), " is ", Quote(value),
                   " but ", choices, " is needed");
}

absl::Status ImportGridSample(OpImport& op) {
  graph::GridSampleAttrs attrs;
  const bool renamed = op.opset() >= 20;
  ASSAY_ASSIGN_OR_RETURN(
      const std::string mode,
      op.attributes().String("mode", renamed ? "linear" : "bilinear"));
  if (mode == (renamed ? "linear" : "bilinear")) {
    attrs.taps = 2;
  } else if (mode == (renamed ? "cubic" : "bicubic")) {
    attrs.taps = 4;
  } else if (mode == "nearest") {
    attrs.taps = 1;
  } else {
    return NotOneOf(
        "mode", mode,
        renamed ? "linear, nearest or cubic" : "bilinear, nearest or bicubic");
  }
  ASSAY_ASSIGN_OR_RETURN(const std::string padding,
                         op.attributes().String("padding_mode", "zeros"));
  if (padding != "zeros" && padding != "border" && padding != "reflection") {
    return NotOneOf("padding_mode", padding, "zeros, border or reflection");
  }
  attrs.border = padding == "border";
  attrs.reflect = padding == "reflection";
  ASSAY_ASSIGN_OR_RETURN(attrs.align_corners,
                         op.attributes().Flag("align_corners", false));
  return op.SetResult(
      op.Add(OpKind::kGridSample, attrs, {op.Input(0), op.Input(1)}));
}

absl::Status ImportRoiAlign(OpImport& op) {
  graph::RoiAlignAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.output[0],
                         op.attributes().Int("output_height", 1));
  ASSAY_ASSIGN_OR_RETURN(attrs.output[1],
                         op.attributes().Int("output_width", 1));
  ASSAY_ASSIGN_OR_RETURN(attrs.sampling,
                         op.attributes().Int("sampling_ratio", 0));
  ASSAY_ASSIGN_OR_RETURN(attrs.scale,
                         op.attributes().Float("spatial_scale", 1));
  ASSAY_ASSIGN_OR_RETURN(const std::string mode,
                         op.attributes().String("mode", "avg"));
  if (mode != "avg" && mode != "max") {
    return NotOneOf("mode", mode, "avg or max");
  }
  attrs.max = mode == "max";
  if (op.opset() >= 16) {
    ASSAY_ASSIGN_OR_RETURN(
        const std::string coordinates,
        op.attributes().String("coordinate_transformation_mode", "half_pixel"));
    if (coordinates != "half_pixel" && coordinates != "output_half_pixel") {
      return NotOneOf("coordinate_transformation_mode", coordinates,
                      "half_pixel or output_half_pixel");
    }
    attrs.half_pixel = coordinates == "half_pixel";
  }
  return op.SetResult(op.Add(OpKind::kRoiAlign, attrs,
                             {op.Input(0), op.Input(1), op.Input(2)}));
}

absl::Status ImportMaxRoiPool(OpImport& op) {
  graph::MaxRoiPoolAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(const auto shape,
                         op.attributes().OptionalInts("pooled_shape"));
  if (!shape.has_value() || shape->size() != 2) {
    return Malformed("attribute `pooled_shape` needs two numbers");
  }
  attrs.output = {(*shape)[0], (*shape)[1]};
  ASSAY_ASSIGN_OR_RETURN(attrs.scale,
                         op.attributes().Float("spatial_scale", 1));
  return op.SetResult(
      op.Add(OpKind::kMaxRoiPool, attrs, {op.Input(0), op.Input(1)}));
}

// The value of a scalar operand that must be constant; `absent` if it is left
// out.
absl::StatusOr<float> Threshold(const OpImport& op, int i,
                                absl::string_view what, float absent) {
  if (!op.HasInput(i)) return absent;
  const std::optional<float> value = KnownScalar(op, i);
  if (value.has_value()) return *value;
  if (op.KnownInput(i) != nullptr) {
    return Malformed("input ", i, " (", what, ") is ",
                     op.InputType(i).ToString(), " but one number is needed");
  }
  return Unsupported("input ", i, " (", what,
                     ") is computed when the model runs; only constants are "
                     "supported");
}

absl::Status ImportNonMaxSuppression(OpImport& op) {
  graph::NonMaxSuppressionAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.center,
                         op.attributes().Flag("center_point_box", false));
  if (op.HasInput(2)) {
    ASSAY_ASSIGN_OR_RETURN(
        const int64_t most,
        KnownInteger(op, op.Input(2), "input 2 (max_output_boxes_per_class)"));
    // A number above that of the boxes selects all boxes.
    const int64_t boxes =
        op.InputType(0).rank() == 3 ? op.InputType(0).shape[1] : 0;
    attrs.most = std::min(most, boxes);
  }
  ASSAY_ASSIGN_OR_RETURN(attrs.iou_threshold,
                         Threshold(op, 3, "iou_threshold", 0));
  ASSAY_ASSIGN_OR_RETURN(attrs.score_threshold,
                         Threshold(op, 4, "score_threshold",
                                   -std::numeric_limits<float>::infinity()));
  ASSAY_ASSIGN_OR_RETURN(const graph::Value selected,
                         op.Add(graph::OpKind::kNonMaxSuppression, attrs,
                                {op.Input(0), op.Input(1)}));
  return op.SetResult(
      Bounded(op, selected, /*axis=*/0,
              CountOf(op, {selected.node, 1}, selected.type().shape[0])));
}

constexpr OperatorRow kOperators[] = {
    {"GridSample", 16, 22, 2, 2, 1, ImportGridSample},
    {"MaxRoiPool", 1, 22, 2, 2, 1, ImportMaxRoiPool},
    {"NonMaxSuppression", 10, 11, 2, 5, 1, ImportNonMaxSuppression},
    {"RoiAlign", 10, 22, 3, 3, 1, ImportRoiAlign},
};

}  // namespace

absl::Span<const OperatorRow> ImageOperators() { return kOperators; }

}  // namespace assay::frontend
