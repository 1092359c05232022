// fake_quantization_to_integer: replaces operators on dequantized values by
// operators on integers.
//
// Quantized ONNX files compute in float32 between DequantizeLinear and
// QuantizeLinear, and leave it to the runtime to compute on the integers
// instead. This pass decides what is computed: every target computes the same
// integers, bit for bit, as the interpreter computes from the graph after the
// pass. The integers differ from those of the graph before it where a value is
// near the middle between two steps of its scale. integer_products.h,
// requantization.h and lookup_table.h list the rewrites and what each one
// computes.
//
// Operators without a rewrite, such as softmax, remain in float32 between
// dequantize and quantize.
#ifndef ASSAY_COMPILER_GRAPH_QUANTIZATION_FAKE_QUANTIZATION_TO_INTEGER_H_
#define ASSAY_COMPILER_GRAPH_QUANTIZATION_FAKE_QUANTIZATION_TO_INTEGER_H_

#include "compiler/graph/passes/pass.h"

namespace assay::graph {

class FakeQuantizationToInteger : public Pass {
 public:
  static constexpr char kName[] = "fake_quantization_to_integer";
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_QUANTIZATION_FAKE_QUANTIZATION_TO_INTEGER_H_
