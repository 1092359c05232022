// PlanLayouts: chooses the layout of every image of a graph so that the time of
// convolutions and of conversions between layouts is minimal.
//
// Each convolution has candidates: a layout of its data and its result, with
// the time of the convolution in it. Operators that work on images in any
// layout (elementwise operators, poolings, concat, slice, …) may use the plain
// layout or any block size that occurs in some candidate and divides their
// channels. Where the layout of an operator differs from that of its operand,
// the image is converted, which costs what `transform` returns. The joint
// choice is a PBQP (pbqp.h).
//
// If two places for a conversion are equally cheap, the later one is taken, so
// that the operators after a convolution have its layout and can be its
// epilogue.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_LAYOUT_PLAN_H_
#define ASSAY_COMPILER_GRAPH_PASSES_LAYOUT_PLAN_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

// The layout of a convolution, and the algorithm that its weights are prepared
// for.
struct ConvLayout {
  // Channel blocks of data and result; both are 0 in the plain layout. in_block
  // divides the channels and out_block the filters. With several groups, each
  // divides the channels or filters of a group or is a multiple of them.
  int64_t in_block = 0;
  int64_t out_block = 0;
  // Winograd tile (graph/op/winograd.h), 0 for a direct convolution, and the
  // block of output channels in the transformed weights, which divides the
  // filters.
  int64_t winograd = 0;
  int64_t weight_block = 0;
  // Integers only: the number of input channels that are innermost in the
  // weights, and the type to which the weights are converted.
  int64_t depth = 0;
  DType weight_type = DType::Float32();
};

struct ConvCandidate {
  ConvLayout layout;
  double seconds = 0;
};

// Costs supplied by the target. The functions for convolutions return at least
// one candidate. A null `transposed` keeps every conv2d_transpose plain.
struct LayoutCosts {
  std::function<std::vector<ConvCandidate>(const Conv2dAttrs& attrs,
                                           const TensorType& data,
                                           const TensorType& weights)>
      conv;
  std::function<std::vector<ConvCandidate>(const Conv2dTransposeAttrs& attrs,
                                           const TensorType& data,
                                           const TensorType& weights)>
      transposed;
  // Seconds to convert an image, given its plain type, between any two layouts.
  std::function<double(const TensorType& image)> transform;
};

// The layout of each node that does not keep the plain one: for a convolution
// its candidate, for other nodes in_block = out_block.
using LayoutPlan = absl::flat_hash_map<const Node*, ConvLayout>;

LayoutPlan PlanLayouts(const Graph& graph, const LayoutCosts& costs);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_LAYOUT_PLAN_H_
