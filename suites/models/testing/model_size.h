// Counts the parameters and multiply-adds of an ONNX model. The tests of the
// models compare the counts with published numbers.
#ifndef ASSAY_SUITES_MODELS_TESTING_MODEL_SIZE_H_
#define ASSAY_SUITES_MODELS_TESTING_MODEL_SIZE_H_

#include <cstdint>
#include <map>
#include <string>

#include "onnx/onnx.pb.h"

namespace assay::suites {

// Returns the initializers of `model`; the key is the name of an initializer.
// The pointers are valid as long as `model` is not changed.
std::map<std::string, const onnx::TensorProto*> Weights(
    const onnx::ModelProto& model);

// Returns the number of nodes of each operator; the key is the operator type.
std::map<std::string, int> CountOperators(const onnx::ModelProto& model);

// Returns the number of elements of all initializers whose names end with
// `.weight` or `.bias`. These are the learned values, without running
// statistics and constants.
int64_t CountParameters(const onnx::ModelProto& model);

// Returns the number of multiply-adds of all Conv and Gemm nodes for one image;
// by convention, other operators are not counted. The image must be square, and
// `model` must not use the attribute auto_pad.
int64_t CountMultiplyAdds(const onnx::ModelProto& model);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_TESTING_MODEL_SIZE_H_
