// Functions for the importers of operators with bodies: If, Loop and Scan.
//
// A graph has no control flow. Where a condition is computed when the model
// runs, the nodes of a body are always computed, and their results are selected
// by the condition.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_BODIES_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_BODIES_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/frontend/onnx/operators/op_import.h"

namespace assay::frontend {

// Returns the graph in the attribute `name`, or InvalidArgument if there is
// none.
absl::StatusOr<const onnx::GraphProto*> ReadBody(OpImport& op,
                                                 absl::string_view name);

// Returns result `i` of a body, which must be a tensor.
absl::StatusOr<graph::Value> TensorResult(
    const std::vector<ImportValue>& results, size_t i);

// Returns `yes` if `condition` is 1, and `no` if it is 0. Both must have the
// same element type and rank. An extent of the result is bounded if those of
// the operands differ. `what` is the name of the result for error messages.
absl::StatusOr<graph::Value> AddSelected(OpImport& op,
                                         const RunTimeInt& condition,
                                         graph::Value yes, graph::Value no,
                                         absl::string_view what);

// Returns the value that a loop carries after an iteration that is executed if
// `runs` is 1: `after` or `before`, the value before it. Returns Unimplemented
// if `runs` is no number and the values differ in type or extents.
absl::StatusOr<ImportValue> AddCarried(OpImport& op, const RunTimeInt& runs,
                                       const ImportValue& before,
                                       const ImportValue& after,
                                       absl::string_view what);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_BODIES_H_
