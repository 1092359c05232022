// Dynamic quantization: data is quantized to uint8 when the model runs, with
// the scale and the zero point that map the range of the data and 0 to the
// range of uint8 (DynamicQuantizeLinear of ONNX).
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_QUANTIZATION_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_QUANTIZATION_H_

#include "absl/status/statusor.h"
#include "compiler/frontend/onnx/operators/op_import.h"

namespace assay::frontend {

// Adds the dynamic quantization of `x`, all of which has one scale, and
// `dequantize`. The result is float32 like `x` and is 0 where `x` is 0.
// fake_quantization_to_integer multiplies its bytes.
absl::StatusOr<graph::Value> AddDynamicQuantization(OpImport& op,
                                                    graph::Value x);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_QUANTIZATION_H_
