// Data movements whose ranges and extents are known only when the model runs
// (run_time_extents.h). All functions also take operands with bounded
// dimensions, and return values with bounded dimensions where extents are not
// numbers. An extent that is no number must have an upper limit, which a
// function checks if it is not certain.
//
// Most results are gathered by indices that are computed when the model runs.
// Where the elements of the result are contiguous in the operand, as for a
// prefix of an axis, they are slices and reshapes.
#ifndef ASSAY_COMPILER_GRAPH_BUILDER_RUN_TIME_MOVEMENT_H_
#define ASSAY_COMPILER_GRAPH_BUILDER_RUN_TIME_MOVEMENT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/graph/builder/run_time_extents.h"

namespace assay::graph {

// Returns the elements start, start + step, … before `end` of an axis, as the
// ONNX operator Slice defines them: negative positions count from the end.
// `step` must not be 0.
absl::StatusOr<Value> AddRunTimeSlice(GraphBuilder& op, Value x, int64_t axis,
                                      RunTimeInt start, RunTimeInt end,
                                      int64_t step);

// Joins tensors of the same rank along an axis.
absl::StatusOr<Value> AddRunTimeConcat(GraphBuilder& op,
                                       absl::Span<const Value> parts,
                                       int64_t axis);

// Returns x with elements before and after those of an axis: `mode` is
// constant, which repeats the scalar `value`, edge, reflect or wrap. Negative
// numbers remove elements.
absl::StatusOr<Value> AddRunTimePad(GraphBuilder& op, Value x, int64_t axis,
                                    const RunTimeInt& before,
                                    const RunTimeInt& after,
                                    const std::string& mode, Value value);

// Returns x broadcast to `shape` and its own shape, like the ONNX operator
// Expand.
absl::StatusOr<Value> AddRunTimeExpand(GraphBuilder& op, Value x,
                                       std::vector<RunTimeInt> shape);

// Returns x repeated `repeats` times along an axis.
absl::StatusOr<Value> AddRunTimeTile(GraphBuilder& op, Value x, int64_t axis,
                                     const RunTimeInt& repeats);

// Returns the elements of x in row-major order, under another shape with as
// many elements. An extent that is the number -1 is inferred from the others.
absl::StatusOr<Value> AddRunTimeReshape(GraphBuilder& op, Value x,
                                        std::vector<RunTimeInt> shape);

// Returns `indices`, which select elements of an axis of this extent, counted
// from the front. For several axes, the last axis of `indices` has an entry for
// each of them.
absl::StatusOr<Value> AddFromFront(GraphBuilder& op, Value indices,
                                   absl::Span<const RunTimeInt> extents);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_BUILDER_RUN_TIME_MOVEMENT_H_
