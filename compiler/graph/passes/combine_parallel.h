// combine_parallel_conv2d, combine_parallel_dense: merge operators that read
// the same data into one operator.
//
//   %2 = relu(add(conv2d(%x, %w1), %b1))    %4 = conv2d(%x, concat of weights)
//   %3 = relu(add(conv2d(%x, %w2), %b2))    %5 = relu(add(%4, all addends))
//                                           %2 = slice(%5), %3 = slice(%5)
//
// Operators are merged if they have equal attributes, and if the shapes of
// their weights differ only in the number of filters. The weights must be
// float32 constants, and convolutions must have the plain layout and no groups.
//
// The users of the merged operators are merged as well if each of the merged
// operators has exactly one user, and all these users have the same kind and
// equal attributes. The kind must be one of these:
//   - a unary operator;
//   - an addition or a multiplication whose other operand is a float32 constant
//     with one value, or with one value per channel.
// The same rule is then applied to the users of the users, and so on.
//
// The function `pays`, an argument of both passes, returns true if merging a
// set of operators is profitable. If `pays` is null, nothing is merged.
// combine_parallel_conv2d must run before alter_conv_layout, and
// combine_parallel_dense must run before pack_dense.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_COMBINE_PARALLEL_H_
#define ASSAY_COMPILER_GRAPH_PASSES_COMBINE_PARALLEL_H_

#include <functional>
#include <utility>
#include <vector>

#include "compiler/graph/passes/pass.h"

namespace assay::graph {

// Returns true if merging a set of operators is profitable. All operators have
// the attributes `attrs` and read the same data, whose type is `data`. The last
// argument contains the type of the weights of each operator.
using CombiningPays =
    std::function<bool(const Attrs& attrs, const TensorType& data,
                       const std::vector<TensorType>&)>;

class CombineParallelConv2d : public Pass {
 public:
  static constexpr char kName[] = "combine_parallel_conv2d";
  explicit CombineParallelConv2d(CombiningPays pays) : pays_(std::move(pays)) {}
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;

 private:
  CombiningPays pays_;
};

class CombineParallelDense : public Pass {
 public:
  static constexpr char kName[] = "combine_parallel_dense";
  explicit CombineParallelDense(CombiningPays pays) : pays_(std::move(pays)) {}
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;

 private:
  CombiningPays pays_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_COMBINE_PARALLEL_H_
