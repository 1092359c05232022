// Reference: a library that a user could use instead of this compiler.
//
// LoadReferences() (all_references.h) opens the libraries at run time from the
// runfiles of the program. A library may be missing (dynamic_library.h). Each
// library is used as its documentation recommends for speed, with the given
// number of threads. The threads of each library are pinned as those of this
// project's thread pool are (pinned_workers.h). The other conditions of a run
// are stated with each session (parity.h).
//
//   ASSAY_ASSIGN_OR_RETURN(auto blas, LoadOpenBlas(program));
//   ASSAY_ASSIGN_OR_RETURN(auto gemm, blas->PrepareGemm(problem, operands, 2));
//   ASSAY_ASSIGN_OR_RETURN(auto sample, runtime::RunOnce(*gemm.session));
#ifndef ASSAY_SUITES_REFERENCES_REFERENCE_H_
#define ASSAY_SUITES_REFERENCES_REFERENCE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/ndarray.h"
#include "runtime/measure/session.h"
#include "suites/references/library_session.h"
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
  // As the model defines them. All answers are computed in this way.
  kExact,
};

// A problem or a model that is loaded in a reference.
struct PreparedReference {
  std::unique_ptr<runtime::Session> session;
  // The conditions of the runs. Warm-up and change of inputs are left unset.
  Parity parity;
};

// A session that computes a problem with fixed operands. Its program has one
// output, `out`.
class PreparedKernel : public LibrarySession {
 public:
  using LibrarySession::LibrarySession;

 private:
  // Returns the result of the last Run(), in the plain layout.
  virtual absl::StatusOr<NDArray> Output() = 0;

  absl::StatusOr<runtime::NamedTensors> ReadOutputs() final;
};

class Reference {
 public:
  virtual ~Reference() = default;
  virtual std::string name() const = 0;
  virtual std::string version() const = 0;

  // Load `problem` with `operands`, to compute it on `threads` threads. Return
  // Unimplemented if the library does not support the problem. This object must
  // outlive the session. The session may share the memory of `operands`.
  virtual absl::StatusOr<PreparedReference> PrepareGemm(
      const GemmProblem& problem, const GemmOperands& operands, int threads) {
    (void)problem, (void)operands, (void)threads;
    return absl::UnimplementedError(
        absl::StrCat(name(), " has no matrix product"));
  }
  virtual absl::StatusOr<PreparedReference> PrepareConv(
      const ConvProblem& problem, const ConvOperands& operands, int threads) {
    (void)problem, (void)operands, (void)threads;
    return absl::UnimplementedError(
        absl::StrCat(name(), " has no convolution"));
  }
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_REFERENCE_H_
