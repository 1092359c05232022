// The test cases of ONNX: a model, and data sets of its inputs and the outputs
// that they give.
//
// A case lies in <root>/<folder>/<case>: `model.onnx`, and for each data set
// `test_data_set_<i>/input_<k>.pb` and `output_<k>.pb` in the order of the
// model's inputs and outputs. It is called `<folder>/<case>`.
#ifndef ASSAY_TESTS_ONNX_CONFORMANCE_CASE_H_
#define ASSAY_TESTS_ONNX_CONFORMANCE_CASE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "onnx/onnx.pb.h"
#include "runtime/artifact/tensor_file.h"

namespace assay::conformance {

// The names of all cases below `root`, in order. Folders without a model, as
// those of the real architectures, which only say where theirs can be had, are
// no cases.
std::vector<std::string> FindCases(const std::string& root);

absl::StatusOr<onnx::ModelProto> ReadModel(const std::string& root,
                                           const std::string& name);

// The graph inputs that are no initializers, in order.
std::vector<onnx::ValueInfoProto> ModelInputs(const onnx::ModelProto& model);

struct DataSet {
  runtime::NamedTensors inputs;
  runtime::NamedTensors outputs;
};

// Unimplemented where an input or output is no tensor, or one whose elements
// are of a type that we do not have. At least one.
absl::StatusOr<std::vector<DataSet>> ReadDataSets(
    const std::string& root, const std::string& name,
    const onnx::ModelProto& model);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_CASE_H_
