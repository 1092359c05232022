// PlanLayouts: chooses the layout of every image (tensor of rank 4) of a graph
// so that the total time of convolutions and of layout conversions is small.
//
// Each convolution has candidates. A candidate consists of the layouts of data
// and result and of the time that the convolution takes with these layouts.
// Operators that accept images in any layout (elementwise operators, pooling,
// concat, slice, …) may use the plain layout, or a block size that occurs in a
// candidate and divides the number of their channels. If the layout of an
// operator differs from the layout of its operand, the operand is converted.
// LayoutCosts::transform returns the cost of a conversion. The layouts of all
// operators are chosen together by solving a PBQP (pbqp.h).
//
// If a conversion costs the same at two places, the later place is chosen, so
// that the operators after a convolution have the layout of its result and can
// become its epilogue.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_LAYOUT_PLAN_H_
#define ASSAY_COMPILER_GRAPH_PASSES_LAYOUT_PLAN_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

// The layout of a convolution, and the algorithm for which its weights are
// prepared.
struct ConvLayout {
  // Channel blocks of the data and of the result. Both are 0 in the plain
  // layout. Otherwise in_block must divide the number of input channels, and
  // out_block the number of filters. If there are several groups, in_block must
  // in addition divide, or be a multiple of, the number of input channels of a
  // group. The same applies to out_block and the number of filters of a group.
  int64_t in_block = 0;
  int64_t out_block = 0;
  // winograd is the extent m of the output tile of Winograd's algorithm
  // (graph/op/winograd.h), or 0 for a direct convolution. weight_block is the
  // block of output channels in the transformed weights. It must divide the
  // number of filters.
  int64_t winograd = 0;
  int64_t weight_block = 0;
  // For convolutions of integers only: depth is the number of consecutive input
  // channels on the last axis of the weights (attrs/conv.h), and weight_type is
  // the type to which the weights are converted. In blocks, a convolution of
  // integers must have a depth unless it is depthwise.
  int64_t depth = 0;
  DType weight_type = DType::Float32();
  // 2 if the weights are split in parts (Conv2dAttrs::bfloat16_parts), else 0.
  int64_t bfloat16_parts = 0;
  // Conv2dAttrs::folded_columns.
  int64_t folded_columns = 0;
};

struct ConvCandidate {
  ConvLayout layout;
  double seconds = 0;
};

// Costs, supplied by the target. `conv` returns the candidates for a conv2d in
// the plain layout, given the types of its operands. `transposed` does the same
// for a conv2d_transpose. If the returned list is empty, the operator keeps the
// plain layout. If `transposed` is null, every conv2d_transpose keeps the plain
// layout. `conv` and `transform` must not be null.
struct LayoutCosts {
  std::function<std::vector<ConvCandidate>(const Conv2dAttrs& attrs,
                                           const TensorType& data,
                                           const TensorType& weights)>
      conv;
  std::function<std::vector<ConvCandidate>(const Conv2dTransposeAttrs& attrs,
                                           const TensorType& data,
                                           const TensorType& weights)>
      transposed;
  // Returns the time in seconds of a conversion between any two layouts of an
  // image. `image` is the type of the image in the plain layout.
  std::function<double(const TensorType& image)> transform;
};

// The layout of each node that does not keep the plain layout. For a
// convolution it is the layout of the chosen candidate. For any other operator,
// in_block and out_block are equal.
using LayoutPlan = absl::flat_hash_map<const Node*, ConvLayout>;

LayoutPlan PlanLayouts(const Graph& graph, const LayoutCosts& costs);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_LAYOUT_PLAN_H_
