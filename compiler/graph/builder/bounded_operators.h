// AddToBounded: adds graph operators whose operands have bounded dynamic
// dimensions (bounded_dims.h).
//
// An operator that keeps the bounded axes apart, such as an elementwise one, is
// added as it is. The elements of a result of other operators would depend on
// elements beyond the extents, which have no meaning. For these operators, one
// of the following is done:
//   - The elements are replaced by others that do not change the result: 0 for
//     a sum and for the summed axis of a product of matrices, minus infinity
//     for a maximum, a softmax, and the largest first elements of a sort. A
//     mean becomes a sum and a division by the extent.
//   - Parts of a concat are moved together, ranges of a slice end at the
//     extent, and negative indices are counted from it
//     (run_time_movement.h).
//   - Updates of a scatter beyond their extent are written beyond the data.
//
// Importers compute with extents of types, which are upper limits. A result of
// the operators above is right only if the importer takes account of the true
// extents. Therefore they are available only where the importer says that it
// does (GraphBuilder::combines_bounded_axes).
#ifndef ASSAY_COMPILER_GRAPH_BUILDER_BOUNDED_OPERATORS_H_
#define ASSAY_COMPILER_GRAPH_BUILDER_BOUNDED_OPERATORS_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "compiler/graph/builder/graph_builder.h"

namespace assay::graph {

// Adds an operator and returns its first result. At least one operand must be
// bounded. Returns Unimplemented if the operator cannot be applied to the
// operands.
absl::StatusOr<Value> AddToBounded(GraphBuilder& op, OpKind kind,
                                   const Attrs& attrs,
                                   absl::Span<const Value> inputs);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_BUILDER_BOUNDED_OPERATORS_H_
