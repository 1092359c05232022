// PlanLayouts: in which layout every image of a graph is best computed.
//
// Each convolution has candidates: pairs of channel blocks for its data and its
// result, with what the convolution takes in these. Operators that work on
// images in any layout (elementwise ones, poolings, concat, slice, …) may
// compute in the plain one or in every block that some candidate has and that
// divides their channels. Where an operator's layout is not that of its
// operand, the image is converted, which takes what `transform` says. All
// choices together are a ChoiceProblem (choice_problem.h), whose cost is the
// time of convolutions and conversions.
//
// Of two equally good places for a conversion the later one is taken, so that
// what follows a convolution has its layout and can be its epilogue.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_LAYOUT_PLAN_H_
#define ASSAY_COMPILER_GRAPH_PASSES_LAYOUT_PLAN_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

// Blocks of 0 stand for the plain layout; else positive, `in` divides the
// convolution's channels, `out` its filters. With several groups, each divides
// the channels or filters of a group or is a multiple of them.
struct ConvBlocks {
  int64_t in = 0;
  int64_t out = 0;
  // The tile of graph/op/winograd.h, 0 for none, and the block of the output
  // channels in the transformed weights, a divisor of the filters too.
  int64_t winograd = 0;
  int64_t weights = 0;
  // Of integers: how many input channels are innermost in the weights, and the
  // type of those.
  int64_t depth = 0;
  DType weight_type = DType::Float32();
};

struct ConvCandidate {
  ConvBlocks blocks;
  double seconds = 0;
};

// What the target says. The functions for convolutions give at least one
// candidate; `transposed` may be null, which stands for the plain layout.
struct LayoutCosts {
  std::function<std::vector<ConvCandidate>(const Conv2dAttrs& attrs,
                                           const TensorType& data,
                                           const TensorType& weights)>
      conv;
  std::function<std::vector<ConvCandidate>(const Conv2dTransposeAttrs& attrs,
                                           const TensorType& data,
                                           const TensorType& weights)>
      transposed;
  // Seconds to convert a plain image of this type, whichever the layouts.
  std::function<double(const TensorType& image)> transform;
};

// The choice for each node that has a layout other than the plain one: for a
// convolution the candidate, for others `in` and `out` the same block.
using LayoutPlan = absl::flat_hash_map<const Node*, ConvBlocks>;

LayoutPlan PlanLayouts(const Graph& graph, const LayoutCosts& costs);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_LAYOUT_PLAN_H_
