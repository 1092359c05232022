// combine_parallel_conv2d, combine_parallel_dense: make one operator of several
// that have the same data.
//
//   %2 = relu(add(conv2d(%x, %w1), %b1))    %4 = conv2d(%x, concat of weights)
//   %3 = relu(add(conv2d(%x, %w2), %b2))    %5 = relu(add(%4, all addends))
//                                           %2 = slice(%5), %3 = slice(%5)
//
// The operators agree in attributes and in the extents of the weights but for
// the number of filters; weights are constant float32 in plain layout, in one
// group. What follows each of them is combined too as far as all have the same:
// unary operators, and additions of and multiplications by one constant for
// each channel.
//
// `pays` decides whether a set of them is combined; null combines none. Must
// run before alter_conv_layout.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_COMBINE_PARALLEL_H_
#define ASSAY_COMPILER_GRAPH_PASSES_COMBINE_PARALLEL_H_

#include <functional>
#include <utility>
#include <vector>

#include "compiler/graph/passes/pass.h"

namespace assay::graph {

// Of operators on one value `data` with these weights.
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
