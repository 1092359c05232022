// combine_parallel_conv2d, combine_parallel_dense: merge operators that read
// the same data into one.
//
//   %2 = relu(add(conv2d(%x, %w1), %b1))    %4 = conv2d(%x, concat of weights)
//   %3 = relu(add(conv2d(%x, %w2), %b2))    %5 = relu(add(%4, all addends))
//                                           %2 = slice(%5), %3 = slice(%5)
//
// The operators have the same attributes, and weights that differ only in the
// number of filters; weights are float32 constants in plain layout, without
// groups. Operators that follow all of them alike are merged as well: unary
// operators, and additions of and multiplications by a constant per channel.
//
// `pays` decides whether a set of operators is merged; if null, none is. Must
// run before alter_conv_layout.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_COMBINE_PARALLEL_H_
#define ASSAY_COMPILER_GRAPH_PASSES_COMBINE_PARALLEL_H_

#include <functional>
#include <utility>
#include <vector>

#include "compiler/graph/passes/pass.h"

namespace assay::graph {

// Returns true if operators that read `data`, with these weights, should be
// merged.
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
