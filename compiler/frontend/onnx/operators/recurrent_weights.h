// The weights of recurrent operators (recurrent.cc) and the products with them.
//
// The weights of one direction are a float32 matrix with a row for each element
// of all gates. The weights of DynamicQuantizeLSTM are stored as bytes, with
// the rows as columns, and become `dequantize` of such a matrix. If the data is
// quantized, too (quantization.h), fake_quantization_to_integer turns their
// products into products of bytes.
//
// Processors multiply unsigned data with signed weights. Therefore constant
// weights become int8 without a zero point, whatever their type is. For
// example, a uint8 element q with the zero point z is
//
//   (q - z) * scale  =  (q - 128) * scale + (128 - z) * scale
//
// where the last term, `shift`, is the same for all elements of a row. Its
// product with the data is the sum of the data times the shift.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_RECURRENT_WEIGHTS_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_RECURRENT_WEIGHTS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "compiler/frontend/onnx/operators/compose.h"
#include "compiler/frontend/onnx/operators/op_import.h"

namespace assay::frontend {

// The sum of a matrix [rows, k] and, if it is not null, of a shift with one
// element or one for each row.
struct RecurrentWeights {
  graph::Value matrix;
  graph::Value shift;
};

// The rows of the gates in panels: the rows [gates, hidden] become
// [panels, gates, units], where a panel has `units` neighbouring units of all
// gates. `recurrent` reads weights in this order. The last panel is filled with
// zeros.
struct RowPanels {
  int64_t gates, hidden;
  int64_t panels, units;
};
RowPanels PanelsFor(int64_t gates, int64_t hidden);

// Returns `x`, of shape [gates * hidden, …], in panels: [panels * gates *
// units, …].
graph::Value InPanels(Compose& c, graph::Value x, const RowPanels& layout);

// Returns a constant of type `type`, all of whose elements are 0.
graph::Value Zeros(Compose& c, OpImport& op, const graph::TensorType& type);

// Returns the part of `x`, of shape [directions, …], for one direction.
graph::Value OfDirection(Compose& c, graph::Value x, int64_t direction);

// Returns InvalidArgument or Unimplemented unless operand `w` has the form of
// quantized weights [directions, k, rows]: int8 or uint8, with a scale in
// operand `scale` and a zero point in operand scale + 1, each with one element
// per direction or per row of each direction.
absl::Status CheckQuantizedWeights(const OpImport& op, int w, int scale);

// Returns the quantized weights of one direction in panels.
// CheckQuantizedWeights() must have accepted the operands.
RecurrentWeights QuantizedWeights(Compose& c, OpImport& op, int w, int scale,
                                  int64_t direction, const RowPanels& layout);

// The same weights as `recurrent` takes them: `words` [rows, (k + 3) / 4], and
// `scale` and `shift` of each row.
struct WeightWords {
  graph::Value words, scale, shift;
};
WeightWords QuantizedWords(Compose& c, const OpImport& op, int w, int scale,
                           int64_t direction, const RowPanels& layout);

// Returns the product [n, rows] of `data`, of shape [n, k], with the weights.
graph::Value RecurrentProduct(Compose& c, graph::Value data,
                              const RecurrentWeights& weights);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_RECURRENT_WEIGHTS_H_
