// ModelReference: a Reference that runs whole models, such as ONNX Runtime. It
// also runs single matrix products and convolutions (problem.h), which are
// converted to small models (one_node_model.h).
#ifndef ASSAY_SUITES_REFERENCES_MODEL_REFERENCE_H_
#define ASSAY_SUITES_REFERENCES_MODEL_REFERENCE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/artifact/tensor_file.h"
#include "suites/references/library_session.h"
#include "suites/references/reference.h"

namespace assay::suites {

// Returns the names of all model references: `onnxruntime`, `openvino`.
// LoadModelReference() (load_model_reference.h) loads them by name.
absl::Span<const char* const> ModelReferenceNames();

// A model to load.
struct OnnxSource {
  absl::string_view bytes;  // the content of the ONNX file
  // Path of the ONNX file if it refers to files of external data, which are in
  // its folder. All of them must have been found to be inside this folder
  // (LoadOnnxFile in suites/correctness/onnx_model.h). Otherwise empty.
  std::string file = {};
  ByteProducts arithmetic = ByteProducts::kDefault;
};

class ModelReference : public Reference {
 public:
  // Loads `model` as a session with one program, whose outputs have the order
  // of the file. `inputs` must contain a value for every input of the model.
  // The session copies the bytes and `inputs`, and SetInputs() copies new
  // values to the same memory. `threads` 0 stands for all processors; the
  // library then places its threads itself. This object must outlive the
  // session.
  virtual absl::StatusOr<PreparedReference> LoadModel(
      const OnnxSource& model, const runtime::NamedTensors& inputs,
      int threads) = 0;

  absl::StatusOr<PreparedReference> PrepareGemm(const GemmProblem& problem,
                                                const GemmOperands& operands,
                                                int threads) override;
  absl::StatusOr<PreparedReference> PrepareConv(const ConvProblem& problem,
                                                const ConvOperands& operands,
                                                int threads) override;
};

// A session of a model. The library reads the inputs from memory of this
// object, so no input is copied in the timed part.
class ModelSession : public LibrarySession {
 public:
  // Copies `inputs`. `workers` are as in LibrarySession.
  ModelSession(const runtime::NamedTensors& inputs, int threads,
               PinnedWorkers* workers);

  absl::Status SetInputs(const runtime::NamedTensors& inputs) override;

 protected:
  // The values must not be moved to other memory.
  runtime::NamedTensors& inputs() { return inputs_; }

 private:
  runtime::NamedTensors inputs_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_MODEL_REFERENCE_H_
