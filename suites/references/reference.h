// Reference: a library that a user could use instead of this compiler.
//
// Some libraries compute single matrix products and convolutions
// (all_references.h), others run whole models (model_reference.h). Both kinds
// are opened at run time from the runfiles of the program, and may be missing
// (dynamic_library.h). Each library is used as its documentation recommends for
// speed, with the given number of threads. The threads of each library are
// pinned as those of this project's thread pool are (pinned_workers.h). The
// other conditions of a run are stated with each session (parity.h).
//
//   ASSAY_ASSIGN_OR_RETURN(auto blas, LoadOpenBlas(program));
//   ASSAY_ASSIGN_OR_RETURN(auto gemm, blas->PrepareGemm(problem, operands, 2));
//   ASSAY_ASSIGN_OR_RETURN(auto sample, runtime::RunOnce(*gemm.session));
#ifndef ASSAY_SUITES_REFERENCES_REFERENCE_H_
#define ASSAY_SUITES_REFERENCES_REFERENCE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/measure/session.h"
#include "suites/references/parity.h"
#include "suites/references/problem.h"

namespace assay::suites {

// How a reference computes products of 8-bit integers.
enum class ByteProducts : uint8_t {
  // As the library does by default, for speed. On x86-64 processors without
  // VNNI instructions, ONNX Runtime adds pairs of products in 16 bits, which
  // saturate, and it rounds the float operand of MatMulNBits to 8 bits if the
  // model permits that (`accuracy_level` 4).
  kDefault,
  // As the model defines them. The answers with which outputs are compared
  // (suites/harness/model_answers.h) are computed in this way.
  kExact,
};

// A problem or a model that is loaded in a reference.
struct PreparedReference {
  std::unique_ptr<runtime::Session> session;
  // The conditions of the runs. Warm-up and change of inputs are left unset.
  Parity parity;
};

// A model to load.
struct OnnxSource {
  absl::string_view bytes;  // the content of the ONNX file
  // Path of the ONNX file if it refers to files of external data; otherwise
  // empty. The caller must have checked that all these files are in the folder
  // of the ONNX file (LoadOnnxFile in suites/correctness/onnx_model.h).
  std::string file = {};
  ByteProducts arithmetic = ByteProducts::kDefault;
};

// This object must outlive the sessions that it returns.
class Reference {
 public:
  virtual ~Reference() = default;
  virtual std::string name() const = 0;
  virtual std::string version() const = 0;
  // Returns for example `onnxruntime 1.31.1`.
  std::string NameAndVersion() const;

  // Loads `model` as a session with one program, whose outputs have the order
  // of the file. `inputs` must contain a value for every input of the model.
  // The session copies the bytes and `inputs`, and SetInputs() copies new
  // values to the same memory. `threads` 0 stands for all processors; the
  // library then places its threads itself. The default implementation returns
  // Unimplemented, for libraries that do not run models.
  virtual absl::StatusOr<PreparedReference> LoadModel(
      const OnnxSource& model, const runtime::NamedTensors& inputs,
      int threads);

  // Load `problem` with `operands`, to compute it on `threads` threads. Return
  // Unimplemented if the library does not support the problem. The session may
  // share the memory of `operands`. The default implementations load a small
  // model of the problem (problem.h).
  virtual absl::StatusOr<PreparedReference> PrepareGemm(
      const GemmProblem& problem, const GemmOperands& operands, int threads);
  virtual absl::StatusOr<PreparedReference> PrepareConv(
      const ConvProblem& problem, const ConvOperands& operands, int threads);
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_REFERENCE_H_
