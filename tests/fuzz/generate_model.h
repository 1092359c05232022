// GenerateModel: maps arbitrary bytes to a small valid ONNX model.
//
// The bytes select an opset and then one node after the other: an operator that
// the importer supports in that opset, its attributes, and its operands, which
// are previous values, new constants or new inputs with suitable shapes
// (operator_recipes.h). Nodes that the importer rejects are removed again, so
// the model can always be imported. Unused results become the outputs.
#ifndef ASSAY_TESTS_FUZZ_GENERATE_MODEL_H_
#define ASSAY_TESTS_FUZZ_GENERATE_MODEL_H_

#include <cstdint>

#include "absl/types/span.h"
#include "onnx/onnx.pb.h"

namespace assay::fuzz {

// The model has at least one input. It has no output if no node was valid.
onnx::ModelProto GenerateModel(absl::Span<const uint8_t> bytes);

}  // namespace assay::fuzz

#endif  // ASSAY_TESTS_FUZZ_GENERATE_MODEL_H_
