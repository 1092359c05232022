// Elementwise operators with numpy's broadcasting: the unary and binary
// operators of op_list.h, select and cast.
//
// float16 and bfloat16 are storage types; the arithmetic is float32, rounded
// once.
#ifndef ASSAY_COMPILER_OPS_ELEMENTWISE_ELEMENTWISE_H_
#define ASSAY_COMPILER_OPS_ELEMENTWISE_ELEMENTWISE_H_

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

// Floats become integers towards zero; integers wrap around.
te::Tensor Cast(const te::Tensor& x, DType dtype);

// The element of `x` that broadcasting repeats at position `i` of the result.
expr::Expr BroadcastRead(const te::Tensor& x, const std::vector<expr::Expr>& i);

// The type in which arithmetic on `storage` is computed.
DType ArithmeticType(DType storage);

// A tensor all of whose elements are `value`.
te::Tensor Fill(const Shape& shape, const expr::Expr& value);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_ELEMENTWISE_ELEMENTWISE_H_
