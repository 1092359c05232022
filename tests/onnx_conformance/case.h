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

// The value of an input or output: a tensor, or the tensors of a sequence or an
// optional value. The importer names the inputs and outputs of the graph like
// these tensors (compiler/frontend/onnx/signature.h).
struct CaseValue {
  runtime::NamedTensors tensors;
  // False if an optional value is absent.
  bool present = true;
};

// The values of ModelInputs() and of the outputs of the model, in order.
struct DataSet {
  std::vector<CaseValue> inputs;
  std::vector<CaseValue> outputs;
};

// Returns the tensors of all values.
runtime::NamedTensors TensorsOf(const std::vector<CaseValue>& values);

struct Case {
  onnx::ModelProto model;
  std::vector<DataSet> sets;
};

// Returns the value of the input or output `info`, which is `bytes` in encoded
// form. Returns Unimplemented if it is neither a tensor, a sequence nor an
// optional value, or has an unsupported element type.
absl::StatusOr<CaseValue> DecodeValue(const std::string& bytes,
                                      const onnx::ValueInfoProto& info);

// Returns the case `name`. Returns NotFound if there is no data set, and the
// errors of DecodeValue().
absl::StatusOr<Case> ReadCase(const std::string& root, const std::string& name);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_CASE_H_
