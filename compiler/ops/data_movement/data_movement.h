// Operators that only move elements: each element of the result is either an
// element of an operand or a constant.
#ifndef ASSAY_COMPILER_OPS_DATA_MOVEMENT_DATA_MOVEMENT_H_
#define ASSAY_COMPILER_OPS_DATA_MOVEMENT_DATA_MOVEMENT_H_

#include <cstdint>
#include <vector>

#include "compiler/graph/op/attrs.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

te::Tensor Reshape(const te::Tensor& x, const Shape& output);

// Axis i of the result is axis perm[i] of `x`.
te::Tensor Transpose(const te::Tensor& x, const std::vector<int64_t>& perm);

te::Tensor Concat(const std::vector<te::Tensor>& parts, int64_t axis,
                  const Shape& output);

te::Tensor BroadcastTo(const te::Tensor& x, const Shape& output);

// For each index b of the batch axis, reverses the first lengths[b] elements
// along the time axis. `lengths` must be an int64 vector with the extent of the
// batch axis.
te::Tensor ReverseSequence(const te::Tensor& x, const te::Tensor& lengths,
                           const graph::ReverseSequenceAttrs& attrs);

// Along each axis d, index i of the result corresponds to index
// attrs.begins[d] + i * attrs.steps[d] of `x`.
te::Tensor Slice(const te::Tensor& x, const graph::SliceAttrs& attrs);

// On each axis d, adds attrs.before[d] elements before those of `x` and
// attrs.after[d] elements after them. All added elements are equal to
// attrs.value.
te::Tensor PadConstant(const te::Tensor& x, const graph::PadAttrs& attrs,
                       const Shape& output);

te::Tensor Copy(const te::Tensor& x);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_DATA_MOVEMENT_DATA_MOVEMENT_H_
