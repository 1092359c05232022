// Reference: a library that a user could use instead of this compiler.
//
// LoadReferences() (all_references.h) opens the libraries at run time from the
// runfiles of the program. Each library is used as its documentation recommends
// for speed, with the given number of threads. The threads of each library are
// pinned as those of this project's thread pool are (pinned_workers.h). The
// other conditions of a run are stated with each session (parity.h).
//
//   ASSAY_ASSIGN_OR_RETURN(auto blas, LoadOpenBlas(program));
//   ASSAY_ASSIGN_OR_RETURN(auto gemm, blas->PrepareGemm(problem, operands, 2));
//   ASSAY_ASSIGN_OR_RETURN(auto sample, runtime::RunOnce(*gemm.session));
#ifndef ASSAY_SUITES_REFERENCES_REFERENCE_H_
#define ASSAY_SUITES_REFERENCES_REFERENCE_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/ndarray.h"
#include "runtime/measure/loop_session.h"
#include "runtime/measure/session.h"
#include "suites/references/parity.h"
#include "suites/references/pinned_workers.h"
#include "suites/references/problem.h"

namespace assay::suites {

// A problem or a model that is loaded in a reference.
struct PreparedReference {
  std::unique_ptr<runtime::Session> session;
  // The conditions of the runs. Warm-up and change of inputs are left unset.
  Parity parity;
};

// A session with one program, which computes a problem with fixed operands. The
// program has one output, `out`. The output is not poisoned before a run.
class PreparedKernel : public runtime::LoopSession {
 public:
  // `workers` are the threads of the library, or null if it has none. They must
  // outlive the session.
  explicit PreparedKernel(int threads, PinnedWorkers* workers = nullptr)
      : threads_(threads), workers_(workers) {}

  // Computes the problem once, because many libraries start their threads in
  // the first run, and pins the threads.
  absl::StatusOr<Affinity> StartWorkers();

  int threads() const override { return threads_; }

 private:
  // Computes the problem once, synchronously.
  virtual absl::Status Run() = 0;
  // Returns the result of the last Run(), in the plain layout.
  virtual absl::StatusOr<NDArray> Output() = 0;

  absl::StatusOr<int64_t> TimeRuns(int program, int64_t number,
                                   bool poison_outputs) final;
  absl::StatusOr<runtime::NamedTensors> Outputs(int program) final;

  const int threads_;
  PinnedWorkers* const workers_;
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
