// GenerateModel: a small valid ONNX model for any bytes.
//
// The bytes choose an opset, and then one node after the other: an operator of
// the importer's table in that opset, attributes, operands among the values so
// far and new constants and inputs (operator_recipes.h says of which shapes).
// A node that the importer refuses is taken back, so that what is left can be
// imported. Results that nothing reads are the model's outputs.
#ifndef ASSAY_TESTS_FUZZ_GENERATE_MODEL_H_
#define ASSAY_TESTS_FUZZ_GENERATE_MODEL_H_

#include <cstdint>

#include "absl/types/span.h"
#include "onnx/onnx.pb.h"

namespace assay::fuzz {

// Has at least one input, and no output where no node was valid.
onnx::ModelProto GenerateModel(absl::Span<const uint8_t> bytes);

}  // namespace assay::fuzz

#endif  // ASSAY_TESTS_FUZZ_GENERATE_MODEL_H_
