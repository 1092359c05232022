// GenerateModel: maps arbitrary bytes to a small valid ONNX model.
//
// The bytes select an opset and then the nodes of the model in order. For each
// node, they select an operator that the importer supports in this opset, the
// attributes, and the operands. An operand is a previous value, a new constant
// or a new input with a suitable shape (operator_recipes.h). Nodes that the
// importer rejects are removed. Results that no node reads become the outputs
// of the model.
#ifndef ASSAY_TESTS_FUZZ_GENERATE_MODEL_H_
#define ASSAY_TESTS_FUZZ_GENERATE_MODEL_H_

#include <cstdint>

#include "absl/types/span.h"
#include "onnx/onnx.pb.h"

namespace assay::fuzz {

// Returns the model. It has at least one input. If no node was valid, it has no
// output; otherwise, the importer accepts it.
onnx::ModelProto GenerateModel(absl::Span<const uint8_t> bytes);

}  // namespace assay::fuzz

#endif  // ASSAY_TESTS_FUZZ_GENERATE_MODEL_H_
