// CumSum.
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/scalar.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;

absl::Status ImportCumSum(OpImport& op) {
  graph::CumSumAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(const int64_t axis,
                         KnownInteger(op, op.Input(1), "input 1 (axis)"));
  ASSAY_ASSIGN_OR_RETURN(attrs.axis, NormalizeAxis(op, "input 1 (axis)", axis,
                                                   op.InputType(0).rank()));
  ASSAY_ASSIGN_OR_RETURN(attrs.exclusive,
                         op.attributes().Flag("exclusive", false));
  ASSAY_ASSIGN_OR_RETURN(attrs.reverse, op.attributes().Flag("reverse", false));
  return op.SetResult(op.Add(OpKind::kCumSum, attrs, {op.Input(0)}));
}

constexpr OperatorRow kOperators[] = {
    {"CumSum", 11, 14, 2, 2, 1, ImportCumSum},
};

}  // namespace

absl::Span<const OperatorRow> ScanOperators() { return kOperators; }

}  // namespace assay::frontend
