// Conv2dLayouts: the candidates for layout and algorithm of a convolution in a
// graph, each with its estimated or measured time. The choice is made before
// fusion, because the layouts of neighbouring operators and the form of the
// weights depend on it.
#ifndef ASSAY_COMPILER_OPS_CONV_CONV2D_LAYOUT_H_
#define ASSAY_COMPILER_OPS_CONV_CONV2D_LAYOUT_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "compiler/graph/op/attrs.h"
#include "compiler/graph/op/tensor_type.h"
#include "compiler/graph/passes/layout_plan.h"
#include "compiler/ops/op_instance.h"
#include "compiler/target/target.h"

namespace assay::ops {

// Returns the time of convolution `op` in seconds, or nullopt if no
// implementation applies. The attributes and the types of `op` determine the
// layout.
using Conv2dTime = std::function<std::optional<double>(const OpInstance& op)>;

struct Conv2dTimes {
  // Returns the time of the fastest implementation for the layout of `op`.
  Conv2dTime fastest;
  // Returns the time that is used to choose between the direct algorithm and
  // Winograd's algorithm. Both are compared with the same block sizes.
  Conv2dTime algorithm;
  // The preferred block sizes are those that ChooseChannelBlocks
  // (channel_groups.h) returns. The times of candidates with other block sizes
  // are multiplied by this factor. If it is above 1, a small difference between
  // two times does not lead to other block sizes, because the difference may be
  // an error of the estimates. Other block sizes can still be chosen because
  // they save a layout conversion.
  double margin = 1;
};

// Returns the candidates for a convolution, the preferred one first. `attrs`,
// `data` and `weights` must describe a plain convolution (NCHW, OIHW).
//
// For float32 without groups, all candidates use the same algorithm. It is the
// one with the smallest `times.algorithm` among the direct algorithm and, if
// the filter is 3 x 3 with stride and dilation 1, Winograd's algorithm for each
// tile size of kWinogradTiles (graph/op/winograd.h) up to `max_winograd`. The
// first candidate has the preferred block sizes. If `times.fastest` returns its
// time, further candidates can follow. They have other block sizes, and
// `times.fastest` returns a time for each of them.
//
// For float32 with groups, and for integers, the direct algorithm in the
// preferred blocks is the only candidate. The plain layout is the only
// candidate in the following cases:
//
// - ChooseChannelBlocks (channel_groups.h) returns nullopt.
// - The type is a float type other than float32.
// - The type is an integer type, and the convolution has groups, the target has
//   no dot products (dot_tile.h), or the block size of the input channels is
//   not a multiple of DotTile::depth.
//
// If there is only one candidate, its time may be 0.
std::vector<graph::ConvCandidate> Conv2dLayouts(
    const target::Target& target, const graph::Conv2dAttrs& attrs,
    const graph::TensorType& data, const graph::TensorType& weights,
    int64_t max_winograd, const Conv2dTimes& times);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_CONV2D_LAYOUT_H_
