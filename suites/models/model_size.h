// Counts the parameters and multiply-adds of an ONNX model, in order to compare
// them with published numbers in the models' tests.
#ifndef ASSAY_SUITES_MODELS_MODEL_SIZE_H_
#define ASSAY_SUITES_MODELS_MODEL_SIZE_H_

#include <cstdint>
#include <map>
#include <string>

#include "onnx/onnx.pb.h"

namespace assay::suites {

// Returns the initializers by name.
std::map<std::string, const onnx::TensorProto*> Weights(
    const onnx::ModelProto& model);

// Returns the number of nodes of each operator.
std::map<std::string, int> CountOperators(const onnx::ModelProto& model);

// Counts learned values: the weights and biases of all layers, without running
// statistics and constants.
int64_t CountParameters(const onnx::ModelProto& model);

// Counts the multiply-adds of Conv and Gemm for square images; by convention,
// other operators are not counted.
int64_t CountMultiplyAdds(const onnx::ModelProto& model);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_MODEL_SIZE_H_
