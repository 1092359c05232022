// Quantized operands and results of an operator: the data, its scale and its
// zero point, in this order.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_CONTRIB_QUANTIZE_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_CONTRIB_QUANTIZE_H_

#include <string>

#include "compiler/frontend/onnx/contrib/contrib_op.h"
#include "runtime/base/dtype.h"

namespace assay::frontend {

// Adds a DequantizeLinear of operand `x` with the scale in operand x + 1 and
// the zero point in operand x + 2, which may be left out.
std::string AddDequantize(ContribOp& op, int x);

// Adds a QuantizeLinear of `y` with the scale in operand `scale` and the zero
// point in operand scale + 1. If the zero point is left out, it is 0 and the
// result has type `dtype`.
std::string AddQuantize(ContribOp& op, const std::string& y, int scale,
                        DType dtype);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_CONTRIB_QUANTIZE_H_
