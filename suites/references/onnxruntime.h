// ONNX Runtime: whole models, and single operators as models of one node, on
// its own processors' kernels with all its optimisations.
//
// The library may be missing, since it comes from a registry that not every
// machine reaches; the error then says why.
#ifndef ASSAY_SUITES_REFERENCES_ONNXRUNTIME_H_
#define ASSAY_SUITES_REFERENCES_ONNXRUNTIME_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/artifact/tensor_file.h"
#include "suites/references/reference.h"

namespace assay::suites {

// A model with its inputs.
class PreparedModel {
 public:
  virtual ~PreparedModel() = default;
  virtual absl::Status Run() = 0;
  // Of the last Run(), named and ordered as the model's.
  virtual absl::StatusOr<runtime::NamedTensors> Outputs() = 0;
};

class OnnxRuntime : public Reference {
 public:
  // `model` is the content of an ONNX file, `inputs` all of its inputs, by
  // name; neither is needed afterwards. `threads` 0 stands for all there are.
  virtual absl::StatusOr<std::unique_ptr<PreparedModel>> PrepareModel(
      absl::string_view model, const runtime::NamedTensors& inputs,
      int threads) = 0;
};

// `program` is argv[0]. NotFound if the library could not be fetched.
absl::StatusOr<std::unique_ptr<OnnxRuntime>> LoadOnnxRuntime(
    absl::string_view program);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_ONNXRUNTIME_H_
