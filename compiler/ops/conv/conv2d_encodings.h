// Conv2dChoices: returns the encodings with which a target can compute a
// convolution, each with an estimated or measured time. One of them is chosen
// before fusion, because the encodings of neighbouring operators and the form
// of the weights, which determines the algorithm, depend on the choice.
#ifndef ASSAY_COMPILER_OPS_CONV_CONV2D_ENCODINGS_H_
#define ASSAY_COMPILER_OPS_CONV_CONV2D_ENCODINGS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "compiler/graph/op/attrs.h"
#include "compiler/graph/op/tensor_type.h"
#include "compiler/graph/target_costs.h"
#include "compiler/ops/op_instance.h"
#include "compiler/target/target.h"

namespace assay::ops {

// Returns the time of convolution `op` in seconds, or nullopt if no
// implementation applies. The types of `op` have encodings.
using Conv2dTime = std::function<std::optional<double>(const OpInstance& op)>;

struct Conv2dTimes {
  // Returns the time of the fastest implementation for the encodings of `op`.
  Conv2dTime fastest;
  // If true, the algorithm is chosen before block sizes are compared, by the
  // modelled times of the default configurations. If false, all algorithms are
  // compared with all block sizes.
  bool algorithm_first = false;
  // The preferred block sizes are those that ChooseChannelBlocks
  // (channel_groups.h) returns. The times of candidates with other block sizes
  // are multiplied by this factor. If it is above 1, a small difference between
  // two times does not lead to other block sizes, because the difference may be
  // an error of the estimates. Other block sizes can still be chosen because
  // they save a layout conversion.
  double margin = 1;
};

// Returns the choices for a convolution, the preferred one first. `data` and
// `weights` must be plain.
//
// All tensors stay plain in each of the following cases:
//
// - ChooseChannelBlocks (channel_groups.h) returns nullopt.
// - The data type is a float type other than float32.
// - The data type is an integer type, and a group has only a part of a block of
//   channels or filters, unless the convolution is depthwise.
// - The data type is an integer type, and the target has no dot products
//   (dot_tile.h).
// - The data type is an integer type, and the block size of the input channels
//   is not a multiple of DotTile::depth.
//
// In all other cases with groups or with integers, there is also only one
// choice: the direct algorithm with the preferred block sizes.
//
// In the remaining case, float32 without groups, the algorithms are the
// implementations that choose the encoding of the weights
// (Implementation::weights), with each encoding that they return, if their
// error bounds are at most `max_error`. If `times.algorithm_first` is set, only
// the fastest algorithm for the preferred block sizes is considered. The
// choices are those for which `times.fastest` returns a time. If there are some
// with the preferred block sizes, the fastest of these is the first. If
// `times.fastest` returns no time at all, the only choice has the preferred
// block sizes.
//
// If there is only one choice, its time may be 0.
std::vector<graph::EncodingChoice> Conv2dChoices(
    const target::Target& target, const graph::Conv2dAttrs& attrs,
    const graph::TensorType& data, const graph::TensorType& weights,
    double max_error, const Conv2dTimes& times);

// Returns `op`, whose types are plain, with these encodings; nullopt if they do
// not fit.
std::optional<OpInstance> WithEncodings(const OpInstance& op,
                                        const graph::EncodingChoice& choice);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_CONV2D_ENCODINGS_H_
