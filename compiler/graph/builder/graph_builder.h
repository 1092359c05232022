// GraphBuilder: adds nodes to a graph, for the importers of models.
//
// An importer states operators; Add() checks their types and the memory that
// their results need, and
//   - replaces a node by a constant if all operands are constants, the result
//     is small, and the operator is a cheap one, such as add, gather or concat:
//     shape arithmetic leaves no nodes;
//   - does the same if all elements of the result are numbers although an
//     operand is computed when the model runs (run_time_ints.h);
//   - adds the nodes that bounded dynamic dimensions need
//     (bounded_operators.h).
//
// A builder adds the nodes of one operator of a model, whose name they get. The
// builders of all operators share a state:
//
//   GraphBuilder op(state, "Reshape_5", /*combines_bounded_axes=*/true);
//   ASSAY_ASSIGN_OR_RETURN(const Value y, op.AddReshape(x, {1, 1000}));
#ifndef ASSAY_COMPILER_GRAPH_BUILDER_GRAPH_BUILDER_H_
#define ASSAY_COMPILER_GRAPH_BUILDER_GRAPH_BUILDER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "compiler/graph/builder/bounded_dims.h"
#include "compiler/graph/builder/known_values.h"
#include "compiler/graph/builder/run_time_ints.h"
#include "compiler/graph/graph.h"
#include "runtime/base/memory_limit.h"

namespace assay::graph {

class GraphBuilder {
 public:
  // All objects must outlive the builders.
  struct State {
    Graph* graph;
    // Inputs and constants are subtracted when they are added.
    MemoryBudget* memory;
    BoundedDims* bounded_dims;
    KnownValues* known_values;
    RunTimeInts* run_time_ints;
  };

  // Maximum size in bytes of a constant that replaces a node.
  static constexpr int64_t kMaxEvaluatedBytes = 1 << 20;

  // `combines_bounded_axes` must be true only if the caller takes account of
  // the extents of bounded axes (bounded_operators.h).
  GraphBuilder(const State& state, std::string name, bool combines_bounded_axes)
      : state_(state),
        name_(std::move(name)),
        combines_bounded_axes_(combines_bounded_axes) {}

  bool combines_bounded_axes() const { return combines_bounded_axes_; }
  // Returns the maximum size in bytes of the next constant or result.
  int64_t max_bytes() const { return state_.memory->left(); }
  BoundedDims& bounded_dims() const { return *state_.bounded_dims; }
  RunTimeInts& run_time_ints() const { return *state_.run_time_ints; }
  // Returns the value of `value` if it is known (known_values.h); null
  // otherwise, and if it has a bounded dynamic dimension.
  const NDArray* Known(Value value) const;

  // Adds a graph node and returns its first result, or the constant that
  // replaces the node. Returns an error if the types of the operands or the
  // attributes are invalid, or if a result exceeds max_bytes(). If an operand
  // has a bounded dimension, other nodes may be added as well. AddNode() adds
  // only the one node, which must be applicable to its operands except for the
  // dimensions in `settled`.
  absl::StatusOr<Value> Add(OpKind kind, Attrs attrs,
                            absl::Span<const Value> inputs);
  absl::StatusOr<Value> AddNode(OpKind kind, Attrs attrs,
                                absl::Span<const Value> inputs,
                                absl::Span<const OperandAxis> settled = {});
  Value AddConstant(NDArray value);
  absl::StatusOr<Value> AddReshape(Value x, Shape shape);
  absl::StatusOr<Value> AddTranspose(Value x, std::vector<int64_t> perm);
  // Subtracts `bytes` from the memory budget. Returns a MemoryError
  // (runtime/base/memory_limit.h) that names `what` if less memory is left.
  absl::Status UseMemory(absl::string_view what, int64_t bytes);

 private:
  // Returns the result of `node`, or a constant if all elements are numbers.
  Value AddComputed(Node* node);

  const State state_;
  const std::string name_;
  const bool combines_bounded_axes_;
};

// Returns `value` as a scalar of type `type`. For a float type, the value is
// rounded. Returns Unimplemented if an integer type cannot represent the value
// exactly.
absl::StatusOr<NDArray> ScalarOf(DType type, double value);

// Adds an int64 constant with the elements 0, 1, …, count - 1. Its rank is
// `rank`, its extent along `axis` is `count`, and all other extents are 1.
absl::StatusOr<Value> AddPositions(GraphBuilder& op, int64_t count,
                                   int64_t axis, int64_t rank);

// Returns `x` converted to element type `type`, or `x` itself if it already has
// this type.
absl::StatusOr<Value> ConvertedTo(GraphBuilder& op, Value x, DType type);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_BUILDER_GRAPH_BUILDER_H_
