// OnnxRuntime: ONNX Runtime as a Reference. It runs whole models. It also runs
// single matrix products and convolutions (problem.h), which are converted to
// small models (one_node_model.h). All graph optimizations are enabled.
//
// The library may be missing, because the build downloads it from a package
// registry that not every machine can reach. LoadOnnxRuntime() then returns an
// error with the reason.
#ifndef ASSAY_SUITES_REFERENCES_ONNXRUNTIME_H_
#define ASSAY_SUITES_REFERENCES_ONNXRUNTIME_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/artifact/tensor_file.h"
#include "suites/references/reference.h"

namespace assay::suites {

class OnnxRuntime : public Reference {
 public:
  // Loads `model`, the content of an ONNX file, as a session with one program.
  // `inputs` must contain a value for every input of the model. The session
  // copies `model` and `inputs`, and SetInputs() copies new values to the same
  // memory. `threads` 0 stands for all processors, which ONNX Runtime then
  // assigns itself. This object must outlive the session.
  virtual absl::StatusOr<PreparedReference> LoadModel(
      absl::string_view model, const runtime::NamedTensors& inputs,
      int threads) = 0;
};

// Opens the library in the runfiles of `program`, which is argv[0]. Returns
// NotFound if the library could not be downloaded when the program was built.
absl::StatusOr<std::unique_ptr<OnnxRuntime>> LoadOnnxRuntime(
    absl::string_view program);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_ONNXRUNTIME_H_
