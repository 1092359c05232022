// The test cases of ONNX: a model, and data sets of inputs and expected
// outputs.
//
// The case `<folder>/<case>` consists of the files of <root>/<folder>/<case>:
// `model.onnx`, and for each data set `test_data_set_<i>/input_<k>.pb` and
// `output_<k>.pb` in the order of the model's inputs and outputs.
#ifndef ASSAY_TESTS_ONNX_CONFORMANCE_CASE_H_
#define ASSAY_TESTS_ONNX_CONFORMANCE_CASE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "onnx/onnx.pb.h"
#include "runtime/artifact/tensor_file.h"

namespace assay::conformance {

// Returns the names of all cases below `root`, sorted. Skips folders without a
// model: those of real architectures contain only a download address.
std::vector<std::string> FindCases(const std::string& root);

absl::StatusOr<onnx::ModelProto> ReadModel(const std::string& root,
                                           const std::string& name);

// The graph inputs that are not initializers, in order.
std::vector<onnx::ValueInfoProto> ModelInputs(const onnx::ModelProto& model);

struct DataSet {
  runtime::NamedTensors inputs;
  runtime::NamedTensors outputs;
};

// Returns at least one data set. Returns Unimplemented if an input or output is
// not a tensor or has an unsupported element type.
absl::StatusOr<std::vector<DataSet>> ReadDataSets(
    const std::string& root, const std::string& name,
    const onnx::ModelProto& model);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_CASE_H_
