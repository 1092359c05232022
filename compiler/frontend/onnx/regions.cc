// Operators that sample images at computed places or pool regions of them, and
// ReverseSequence: GridSample, MaxRoiPool, RoiAlign.
#include <string>
#include <vector>

#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;

absl::Status NotOneOf(absl::string_view attribute, const std::string& value,
                      absl::string_view choices) {
  return Malformed("attribute ", Quote(attribute), " is ", Quote(value),
                   " but ", choices, " is needed");
}

}  // namespace

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

absl::Status ImportReverseSequence(OpImport& op) {
  graph::ReverseSequenceAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.batch_axis,
                         op.attributes().Int("batch_axis", 1));
  ASSAY_ASSIGN_OR_RETURN(attrs.time_axis, op.attributes().Int("time_axis", 0));
  return op.SetResult(
      op.Add(OpKind::kReverseSequence, attrs, {op.Input(0), op.Input(1)}));
}

}  // namespace assay::frontend
