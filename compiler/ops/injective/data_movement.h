// reshape, transpose, concat, the gathers, slice, pad, layout_transform: every
// result element is one operand element or a constant; nothing is computed but
// its position.
#ifndef ASSAY_COMPILER_OPS_INJECTIVE_DATA_MOVEMENT_H_
#define ASSAY_COMPILER_OPS_INJECTIVE_DATA_MOVEMENT_H_

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

// Result [a…, b…, c…] = x[a…, indices[b…], c…] with `axis` axes in a. A
// negative index counts from the end; one that is out of range reads the
// nearest element, so that no input value makes a kernel leave its buffers.
te::Tensor Gather(const te::Tensor& x, const te::Tensor& indices, int64_t axis,
                  const Shape& output);

// Result element i is x[i] with indices[i] in place of index `axis`.
te::Tensor GatherElements(const te::Tensor& x, const te::Tensor& indices,
                          int64_t axis);

// Result [n…, b…, c…] = x[n…, indices[n…, b…]…, c…] with `batch_dims` axes in
// n.
te::Tensor GatherNd(const te::Tensor& x, const te::Tensor& indices,
                    int64_t batch_dims, const Shape& output);

// An index into an axis of `extent` elements, as those of Gather are read.
expr::Expr IndexInto(int64_t extent, const expr::Expr& given);

// Result index i is operand index begins + i * steps, per axis.
// `lengths` is int64[extent of the batch axis].
te::Tensor ReverseSequence(const te::Tensor& x, const te::Tensor& lengths,
                           const graph::ReverseSequenceAttrs& attrs);

te::Tensor Slice(const te::Tensor& x, const graph::SliceAttrs& attrs);

// The operand with a constant around it, of the type inference's shape.
te::Tensor PadConstant(const te::Tensor& x, const graph::PadAttrs& attrs,
                       const Shape& output);

te::Tensor Copy(const te::Tensor& x);

// Between channel blocks of axis 1 (0: not blocked). Plain is [N,C,...];
// blocked by b is [N,C/b,...,b]. To and from blocks, the axes of the pixels are
// fused into one on the way: a stage `pixels`, [N,C,P] or [N,C/b,P,b], which a
// stage tagged "pack" or "unpack" reads (transposed_tiles.h).
te::Tensor LayoutTransform(const te::Tensor& x, int64_t from_block,
                           int64_t to_block, const Shape& output);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_INJECTIVE_DATA_MOVEMENT_H_
