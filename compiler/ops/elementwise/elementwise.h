// Elementwise operators with numpy's broadcasting: the unary and binary
// operators of op_list.h, select and cast.
//
// float16 and bfloat16 are storage types: arithmetic on them is done in
// float32, and the result of an operator is rounded once.
#ifndef ASSAY_COMPILER_OPS_ELEMENTWISE_ELEMENTWISE_H_
#define ASSAY_COMPILER_OPS_ELEMENTWISE_ELEMENTWISE_H_

#include "compiler/graph/op/attrs.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// Returns the value of the unary operator `kind` for an element `x`, whose type
// must be an arithmetic type (see below).
expr::Expr UnaryOf(graph::OpKind kind, const graph::Attrs& attrs,
                   const expr::Expr& x);

// Applies `kind`, which must be a unary operator, with its attributes `attrs`.
te::Tensor Unary(graph::OpKind kind, const graph::Attrs& attrs,
                 const te::Tensor& x);

// Applies `kind`, which must be a binary operator. `output` must be the
// broadcast shape of the operands.
te::Tensor Binary(graph::OpKind kind, const te::Tensor& a, const te::Tensor& b,
                  const Shape& output);

// Selects elements of `a` where `condition` is true and of `b` elsewhere.
// `output` must be the broadcast shape of the three operands.
te::Tensor Select(const te::Tensor& condition, const te::Tensor& a,
                  const te::Tensor& b, const Shape& output);

// Converts the elements to `dtype`. Conversions from float to integer round
// towards zero. Conversions between integer types wrap around.
te::Tensor Cast(const te::Tensor& x, DType dtype);

// Returns a read of the element of `x` that is broadcast to index `i` of the
// result.
expr::Expr BroadcastRead(const te::Tensor& x, const std::vector<expr::Expr>& i);

// Returns the type in which arithmetic on elements of type `storage` is done.
DType ArithmeticType(DType storage);

// Returns a tensor with all elements equal to `value`.
te::Tensor Fill(const Shape& shape, const expr::Expr& value);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_ELEMENTWISE_ELEMENTWISE_H_
