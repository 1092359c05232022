// NonMaxSuppression.
#include <limits>

#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "compiler/frontend/onnx/scalar.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

// A number that bounds results or decides about them; `absent` where it is
// left out.
absl::StatusOr<float> ConstantNumber(const OpImport& op, int i,
                                     absl::string_view what, float absent) {
  if (!op.HasInput(i)) return absent;
  const std::optional<float> value = ConstantScalar(op, i);
  if (value.has_value()) return *value;
  if (op.ConstantInput(i) != nullptr) {
    return Malformed("input ", i, " (", what, ") is ",
                     op.InputType(i).ToString(), " but one number is needed");
  }
  return Unsupported("input ", i, " (", what,
                     ") is computed when the model runs; only constants are "
                     "supported");
}

}  // namespace

absl::Status ImportNonMaxSuppression(OpImport& op) {
  graph::NonMaxSuppressionAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.center,
                         op.attributes().Flag("center_point_box", false));
  ASSAY_ASSIGN_OR_RETURN(
      const float most, ConstantNumber(op, 2, "max_output_boxes_per_class", 0));
  ASSAY_ASSIGN_OR_RETURN(attrs.iou_threshold,
                         ConstantNumber(op, 3, "iou_threshold", 0));
  ASSAY_ASSIGN_OR_RETURN(
      attrs.score_threshold,
      ConstantNumber(op, 4, "score_threshold",
                     -std::numeric_limits<float>::infinity()));
  // More than there are boxes means all of them; a float may be rounded.
  const int64_t boxes =
      op.InputType(0).rank() == 3 ? op.InputType(0).shape[1] : 0;
  attrs.most =
      most >= static_cast<float>(boxes) ? boxes : static_cast<int64_t>(most);
  ASSAY_ASSIGN_OR_RETURN(const graph::Value selected,
                         op.Add(graph::OpKind::kNonMaxSuppression, attrs,
                                {op.Input(0), op.Input(1)}));
  op.SetBound(selected, /*axis=*/0, {selected.node, 1});
  return op.SetResult(selected);
}

}  // namespace assay::frontend
