// One value out per value in, with NumPy broadcasting: the unary and binary
// operators of graph/op_list.h, select and broadcast_to.
//
// float16 and bfloat16 are how values are stored; the arithmetic is float32,
// rounded once.
#ifndef ASSAY_COMPILER_OPS_INJECTIVE_ELEMENTWISE_H_
#define ASSAY_COMPILER_OPS_INJECTIVE_ELEMENTWISE_H_

#include "compiler/graph/op/attrs.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// `kind` is a unary operator and `attrs` its attributes.
te::Tensor Unary(graph::OpKind kind, const graph::Attrs& attrs,
                 const te::Tensor& x);

// `kind` is a binary operator, `output` the broadcast shape of both operands.
te::Tensor Binary(graph::OpKind kind, const te::Tensor& a, const te::Tensor& b,
                  const Shape& output);

// `output` is the broadcast shape of all operands.
te::Tensor Select(const te::Tensor& condition, const te::Tensor& a,
                  const te::Tensor& b, const Shape& output);

te::Tensor BroadcastTo(const te::Tensor& x, const Shape& output);

// The element of `x` that broadcasting puts at position `i` of the result.
expr::Expr BroadcastRead(const te::Tensor& x, const std::vector<expr::Expr>& i);

// The type that arithmetic on `storage` is done in.
DType ArithmeticType(DType storage);

// A tensor all of whose elements are `value`.
te::Tensor Fill(const Shape& shape, const expr::Expr& value);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_INJECTIVE_ELEMENTWISE_H_
