// Operators that only move elements: every element of the result is an element
// of an operand or a constant.
#ifndef ASSAY_COMPILER_OPS_DATA_MOVEMENT_DATA_MOVEMENT_H_
#define ASSAY_COMPILER_OPS_DATA_MOVEMENT_DATA_MOVEMENT_H_

#include <cstdint>
#include <vector>

#include "compiler/graph/op/attrs.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

te::Tensor Reshape(const te::Tensor& x, const Shape& output);

// Result axis i is operand axis perm[i].
te::Tensor Transpose(const te::Tensor& x, const std::vector<int64_t>& perm);

te::Tensor Concat(const std::vector<te::Tensor>& parts, int64_t axis,
                  const Shape& output);

te::Tensor BroadcastTo(const te::Tensor& x, const Shape& output);

// `lengths` is int64[extent of the batch axis].
te::Tensor ReverseSequence(const te::Tensor& x, const te::Tensor& lengths,
                           const graph::ReverseSequenceAttrs& attrs);

// Result index i is operand index begins + i * steps on every axis.
te::Tensor Slice(const te::Tensor& x, const graph::SliceAttrs& attrs);

// Adds a constant border.
te::Tensor PadConstant(const te::Tensor& x, const graph::PadAttrs& attrs,
                       const Shape& output);

te::Tensor Copy(const te::Tensor& x);

// Changes the blocking of the channel axis 1: block 0 is the plain layout
// [N,C,...], b > 0 is [N,C/b,...,b]. Conversions between plain and blocked
// layout fuse the spatial axes first: a stage `pixels`, [N,C,P] or [N,C/b,P,b],
// is read by a stage tagged "pack" or "unpack" (transposed_tiles.h).
te::Tensor LayoutTransform(const te::Tensor& x, int64_t from_block,
                           int64_t to_block, const Shape& output);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_DATA_MOVEMENT_DATA_MOVEMENT_H_
