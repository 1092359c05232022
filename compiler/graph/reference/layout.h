// Conversions between the plain layout and blocked layouts. The reference
// interpreter evaluates a blocked operator by converting its operands to the
// plain layout, evaluating the plain operator, and converting the result back.
#ifndef ASSAY_COMPILER_GRAPH_REFERENCE_LAYOUT_H_
#define ASSAY_COMPILER_GRAPH_REFERENCE_LAYOUT_H_

#include <cstdint>

#include "absl/types/span.h"
#include "runtime/base/ndarray.h"

namespace assay::graph::reference {

// Returns a copy of `x` with permuted axes: axis i of the result is axis
// perm[i] of `x`.
NDArray Permute(const NDArray& x, absl::Span<const int64_t> perm);

// Converts the channel axis (axis 1) of `x` from blocks of `from_block` to
// blocks of `to_block`. A block of 0 is the plain layout.
NDArray ConvertLayout(const NDArray& x, int64_t from_block, int64_t to_block);

// Converts weights of shape [O/ob, I/ib, KH, KW, ib, ob] or
// [O/ob, I/ib, KH, KW, ib/d, ob, d] to shape [O, I, KH, KW]. `ob` and `ib` are
// the block sizes of output and input channels. `d` is the number of
// consecutive input channels on the last axis (compiler/graph/attrs/conv.h).
NDArray UnpackConvWeights(const NDArray& weights);

// Converts parts of bfloat16, the result of split_bfloat16, to their sums: the
// parts are along axis `axis`, which the result does not have.
NDArray SumOfParts(const NDArray& parts, int64_t axis);

// Converts weights [O/ob, blocks, KH, KW, 2, c/f, ob, f] of bfloat16 parts to
// float32 of shape [O, channels, KH, KW]. The blocks may have more channels. If
// `folded_columns` is not 0, each column of the filter has its own channels
// (Conv2dAttrs::folded_columns).
NDArray UnpackSplitConvWeights(const NDArray& weights, int64_t channels,
                               int64_t folded_columns);

}  // namespace assay::graph::reference

#endif  // ASSAY_COMPILER_GRAPH_REFERENCE_LAYOUT_H_
