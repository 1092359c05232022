// The weights of recurrent operators (recurrent.cc) that are stored as bytes.
//
// The weights of one direction are a float32 matrix with a row for each element
// of all gates. The weights of DynamicQuantizeLSTM are stored as bytes, with
// the rows as columns, and become `dequantize` of such a matrix. If the data is
// quantized, too (quantization.h), fake_quantization_to_integer turns their
// products into products of bytes, for which it needs constant weights.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_RECURRENT_WEIGHTS_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_RECURRENT_WEIGHTS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "compiler/frontend/onnx/operators/compose.h"
#include "compiler/frontend/onnx/operators/op_import.h"

namespace assay::frontend {

// Returns the part of `x`, of shape [directions, …], for one direction.
graph::Value OfDirection(Compose& c, graph::Value x, int64_t direction);

// Returns InvalidArgument or Unimplemented unless operand `w` has the form of
// quantized weights [directions, k, rows]: int8 or uint8, with a scale in
// operand `scale` and a zero point in operand scale + 1, each with one element
// per direction or per row of each direction.
absl::Status CheckQuantizedWeights(const OpImport& op, int w, int scale);

// Returns the matrix [rows, k] of one direction. CheckQuantizedWeights() must
// have accepted the operands.
graph::Value QuantizedWeights(Compose& c, OpImport& op, int w, int scale,
                              int64_t direction);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_RECURRENT_WEIGHTS_H_
