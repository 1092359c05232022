#include "compiler/frontend/onnx/operators/flat_rows.h"

#include <optional>

#include "runtime/base/status_macros.h"

namespace assay::frontend {

absl::StatusOr<Rows> ReadRows(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const std::optional<int64_t> axis,
                         op.attributes().OptionalInt("axis"));
  Rows rows;
  if (axis.has_value()) {
    rows.x = op.Input(0);
    ASSAY_ASSIGN_OR_RETURN(
        rows.axis,
        NormalizeAxis(op, "attribute `axis`", *axis, op.InputType(0).rank()));
  } else {
    ASSAY_ASSIGN_OR_RETURN(
        rows.x, op.AddReshape(op.Input(0), {op.InputType(0).num_elements()}));
  }
  return rows;
}

}  // namespace assay::frontend
