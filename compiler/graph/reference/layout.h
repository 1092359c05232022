// Conversions between the plain and the blocked layouts, for blocked operators,
// which the interpreter evaluates as unpack, plain operator, pack.
#ifndef ASSAY_COMPILER_GRAPH_REFERENCE_LAYOUT_H_
#define ASSAY_COMPILER_GRAPH_REFERENCE_LAYOUT_H_

#include <cstdint>

#include "absl/types/span.h"
#include "runtime/base/ndarray.h"

namespace assay::graph::reference {

// Result axis i is axis perm[i] of `x`.
NDArray Permute(const NDArray& x, absl::Span<const int64_t> perm);

// Converts the channel axis of `x` from blocks of `from_block` to blocks of
// `to_block`. A block of 0 is the plain layout.
NDArray ConvertLayout(const NDArray& x, int64_t from_block, int64_t to_block);

// Converts [O/ob, I/ib, KH, KW, ib, ob] or [O/ob, I/ib, KH, KW, ib/d, ob, d] to
// [O, I, KH, KW].
NDArray UnpackConvWeights(const NDArray& weights);

}  // namespace assay::graph::reference

#endif  // ASSAY_COMPILER_GRAPH_REFERENCE_LAYOUT_H_
