// QuantizedValue: a float32 value of a graph that is stored as integers.
//
//   value[i] = (q[i] - zero) * scale
//
// The difference is computed in int32, converted to float32 (rounded to nearest
// even), and multiplied in float32, as by the operator `dequantize`. Files in
// the QDQ format of ONNX have such a value before every operator that a runtime
// may compute on integers.
#ifndef ASSAY_COMPILER_GRAPH_QUANTIZATION_QUANTIZED_VALUE_H_
#define ASSAY_COMPILER_GRAPH_QUANTIZATION_QUANTIZED_VALUE_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"
#include "compiler/graph/passes/folding_builder.h"

namespace assay::graph {

struct QuantizedValue {
  Value q;      // int8, uint8 or int32
  Value scale;  // float32; one element, or one for each index of `axis`
  Value zero;   // has the type of `q`, and one element or one per index
  int64_t axis = 0;

  bool per_tensor() const {
    return scale.type().num_elements() == 1 && zero.type().num_elements() == 1;
  }
  bool is_byte() const { return q.type().dtype.bits() == 8; }
};

// Returns `value` in this form if it is the result of dequantize, or of
// operators that only move elements of such results. In the second case, adds
// the nodes that move the integers. Otherwise returns nullopt, and may leave
// nodes without users.
absl::StatusOr<std::optional<QuantizedValue>> FindQuantized(FoldingBuilder& add,
                                                            Value value);

// If `value` is an integer constant whose elements are all equal, returns the
// value of the elements.
std::optional<int64_t> IntSplatOf(Value value);

// Returns true if `a` and `b` are the same value, constants with the same type,
// number of elements and bits, or products of such values.
bool SameParameter(Value a, Value b);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_QUANTIZATION_QUANTIZED_VALUE_H_
