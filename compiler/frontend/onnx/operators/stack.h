// TakeIndex and Stack: the parts of a tensor along an axis. Loops, scans and
// sequences divide tensors into parts and combine parts to tensors.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_STACK_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_STACK_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "compiler/frontend/onnx/operators/op_import.h"

namespace assay::frontend {

// Returns the `count` indices of `axis` that begin at index `begin`, which must
// exist.
absl::StatusOr<graph::Value> TakeRange(OpImport& op, graph::Value x,
                                       int64_t axis, int64_t begin,
                                       int64_t count);

// Returns index `i` of `axis`, which must exist. The result does not have this
// axis.
absl::StatusOr<graph::Value> TakeIndex(OpImport& op, graph::Value x,
                                       int64_t axis, int64_t i);

// Joins `parts`, of which there must be at least one, along a new axis: part i
// is index i of axis `axis` of the result. Returns InvalidArgument if the parts
// differ in their types or if the axis is out of range. `what` is the name of
// the axis for error messages.
absl::StatusOr<graph::Value> Stack(OpImport& op,
                                   absl::Span<const graph::Value> parts,
                                   int64_t axis, absl::string_view what);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_STACK_H_
