// NonMaxSuppression.
#include <algorithm>
#include <limits>

#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "compiler/frontend/onnx/scalar.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

// A number that decides about results; `absent` where it is left out.
absl::StatusOr<float> Threshold(const OpImport& op, int i,
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
  if (op.HasInput(2)) {
    ASSAY_ASSIGN_OR_RETURN(
        const int64_t most,
        ConstantInteger(op.Input(2), "input 2 (max_output_boxes_per_class)"));
    // More than there are boxes means all of them.
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
  op.SetBound(selected, /*axis=*/0, {selected.node, 1});
  return op.SetResult(selected);
}

}  // namespace assay::frontend
