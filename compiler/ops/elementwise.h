// relu, add, multiply: one value out per value in, with NumPy broadcasting.
#ifndef ASSAY_COMPILER_OPS_ELEMENTWISE_H_
#define ASSAY_COMPILER_OPS_ELEMENTWISE_H_

#include "compiler/te/tensor.h"

namespace assay::ops {

te::Tensor Relu(const te::Tensor& x);

// `output` is the broadcast shape of both operands.
te::Tensor Add(const te::Tensor& a, const te::Tensor& b, const Shape& output);
te::Tensor Multiply(const te::Tensor& a, const te::Tensor& b,
                    const Shape& output);

// A tensor all of whose elements are `value`.
te::Tensor Fill(const Shape& shape, const expr::Expr& value);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_ELEMENTWISE_H_
