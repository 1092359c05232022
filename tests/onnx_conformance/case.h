// Reads the official ONNX test cases. A test case consists of a model and of
// data sets; a data set consists of inputs and expected outputs.
//
// The name of a case is `<folder>/<case>`. Its files are in the folder
// `<root>/<folder>/<case>`:
//   model.onnx
//   test_data_set_<i>/input_<k>.pb   value of input k in data set i
//   test_data_set_<i>/output_<k>.pb  value of output k in data set i
#ifndef ASSAY_TESTS_ONNX_CONFORMANCE_CASE_H_
#define ASSAY_TESTS_ONNX_CONFORMANCE_CASE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "onnx/onnx.pb.h"
#include "runtime/artifact/tensor_file.h"

namespace assay::conformance {

// Returns the names of all cases below `root`, sorted. Skips folders without a
// model, for example the folders of real network architectures, which contain
// only a URL.
std::vector<std::string> FindCases(const std::string& root);

// Reads the model of the case `name`.
absl::StatusOr<onnx::ModelProto> ReadModel(const std::string& root,
                                           const std::string& name);

// Returns the graph inputs that are not initializers, in order.
std::vector<onnx::ValueInfoProto> ModelInputs(const onnx::ModelProto& model);

struct DataSet {
  runtime::NamedTensors inputs;
  runtime::NamedTensors outputs;
};

// Returns the data sets of the case `name`, whose model is `model`. Returns
// NotFound if there is no data set, and Unimplemented if an input or output is
// not a tensor or has an unsupported element type.
absl::StatusOr<std::vector<DataSet>> ReadDataSets(
    const std::string& root, const std::string& name,
    const onnx::ModelProto& model);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_CASE_H_
