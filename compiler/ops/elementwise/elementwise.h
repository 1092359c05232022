// Elementwise operators with numpy's broadcasting: the unary and binary
// operators of op_list.h, select and cast.
//
// float16 and bfloat16 are storage types: arithmetic is done in float32 and the
// result is rounded once.
#ifndef ASSAY_COMPILER_OPS_ELEMENTWISE_ELEMENTWISE_H_
#define ASSAY_COMPILER_OPS_ELEMENTWISE_ELEMENTWISE_H_

#include "compiler/graph/op/attrs.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// `kind` is a unary operator and `attrs` its attributes.
te::Tensor Unary(graph::OpKind kind, const graph::Attrs& attrs,
                 const te::Tensor& x);

// `kind` is a binary operator and `output` the broadcast shape of the operands.
te::Tensor Binary(graph::OpKind kind, const te::Tensor& a, const te::Tensor& b,
                  const Shape& output);

// `output` is the broadcast shape of all operands.
te::Tensor Select(const te::Tensor& condition, const te::Tensor& a,
                  const te::Tensor& b, const Shape& output);

// Float-to-integer casts round towards zero; integer casts wrap around.
te::Tensor Cast(const te::Tensor& x, DType dtype);

// Reads the element of `x` that is broadcast to index `i` of the result.
expr::Expr BroadcastRead(const te::Tensor& x, const std::vector<expr::Expr>& i);

// The type in which arithmetic on `storage` is computed.
DType ArithmeticType(DType storage);

// Returns a tensor with all elements equal to `value`.
te::Tensor Fill(const Shape& shape, const expr::Expr& value);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_ELEMENTWISE_ELEMENTWISE_H_
