// ONNX Runtime: runs whole models, and single operators as models of one node,
// with its own kernels for this processor and all its optimizations.
//
// The library may be missing, because it comes from a registry that not every
// machine can reach; the error then contains the reason.
#ifndef ASSAY_SUITES_REFERENCES_ONNXRUNTIME_H_
#define ASSAY_SUITES_REFERENCES_ONNXRUNTIME_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/measure/session.h"
#include "suites/references/reference.h"

namespace assay::suites {

class OnnxRuntime : public Reference {
 public:
  // Loads the content of an ONNX file as a session with one program. `inputs`
  // are all of its inputs, by name; neither argument is needed afterwards. With
  // `threads` 0, all threads of the machine are used.
  virtual absl::StatusOr<std::unique_ptr<runtime::Session>> LoadModel(
      absl::string_view model, const runtime::NamedTensors& inputs,
      int threads) = 0;
};

// `program` is argv[0]. NotFound if the library could not be fetched.
absl::StatusOr<std::unique_ptr<OnnxRuntime>> LoadOnnxRuntime(
    absl::string_view program);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_ONNXRUNTIME_H_
