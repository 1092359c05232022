// What is published of networks: how many parameters and multiply-adds they
// have. Counted from the ONNX model alone, for the models' tests.
#ifndef ASSAY_SUITES_MODELS_MODEL_SIZE_H_
#define ASSAY_SUITES_MODELS_MODEL_SIZE_H_

#include <cstdint>
#include <map>
#include <string>

#include "onnx/onnx.pb.h"

namespace assay::suites {

// By name.
std::map<std::string, const onnx::TensorProto*> Weights(
    const onnx::ModelProto& model);

// Nodes of each operator.
std::map<std::string, int> CountOperators(const onnx::ModelProto& model);

// Learned values, which are the weights of Conv, Gemm, BatchNormalization and
// what scales a normalised map; not running statistics nor constants.
int64_t CountParameters(const onnx::ModelProto& model);

// Multiply-adds of Conv and Gemm for square images; other operators count
// nothing, as is the custom.
int64_t CountMultiplyAdds(const onnx::ModelProto& model);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_MODEL_SIZE_H_
