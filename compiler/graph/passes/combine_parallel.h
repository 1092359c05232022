// combine_parallel_conv2d, combine_parallel_dense: merge operators that read
// the same data into one operator.
//
//   %2 = relu(add(conv2d(%x, %w1), %b1))    %4 = conv2d(%x, concat of weights)
//   %3 = relu(add(conv2d(%x, %w2), %b2))    %5 = relu(add(%4, all addends))
//                                           %2 = slice(%5), %3 = slice(%5)
//
// Operators are merged if they have equal attributes, and if the shapes of
// their weights differ only in the number of filters. The weights must be
// float32 constants, and convolutions must have no groups.
//
// The users of the merged operators are merged as well if each of the merged
// operators has exactly one user, and all these users have the same kind and
// equal attributes. The kind must be one of these:
//   - a unary operator;
//   - an addition or a multiplication whose other operand is a float32 constant
//     with one value, or with one value per channel.
// The same rule is then applied to the users of the users, and so on.
//
// Operators are merged if TargetCosts::Combines says that this pays.
// combine_parallel_conv2d must run before assign_encodings, and
// combine_parallel_dense must run before pack_dense.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_COMBINE_PARALLEL_H_
#define ASSAY_COMPILER_GRAPH_PASSES_COMBINE_PARALLEL_H_

#include "compiler/graph/passes/pass.h"
#include "compiler/graph/target_costs.h"

namespace assay::graph {

class CombineParallelConv2d : public Pass {
 public:
  static constexpr char kName[] = "combine_parallel_conv2d";
  // `costs` must outlive the pass.
  explicit CombineParallelConv2d(const TargetCosts* costs) : costs_(*costs) {}
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;

 private:
  const TargetCosts& costs_;
};

class CombineParallelDense : public Pass {
 public:
  static constexpr char kName[] = "combine_parallel_dense";
  // `costs` must outlive the pass.
  explicit CombineParallelDense(const TargetCosts* costs) : costs_(*costs) {}
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;

 private:
  const TargetCosts& costs_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_COMBINE_PARALLEL_H_
