// Reference: a library that a user could use instead of this compiler.
//
// LoadReferences() (all_references.h) opens the libraries at run time from the
// runfiles of the program. Each library is used as its documentation recommends
// for speed, with the given number of threads. This code does not set the CPU
// affinity of the libraries' threads, so they may run on all processors of the
// process. In contrast, the thread pool of this project's runtime assigns CPUs
// to its workers (runtime/device/cpu/cpu_affinity.h).
//
//   ASSAY_ASSIGN_OR_RETURN(auto blas, LoadOpenBlas(program));
//   ASSAY_ASSIGN_OR_RETURN(auto gemm, blas->PrepareGemm(problem, operands, 2));
//   ASSAY_ASSIGN_OR_RETURN(auto sample, runtime::RunOnce(*gemm));
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
#include "suites/references/problem.h"

namespace assay::suites {

// A session with one program, which computes a problem with fixed operands. The
// program has one output, `out`. The output is not poisoned before a run.
class PreparedKernel : public runtime::LoopSession {
 public:
  explicit PreparedKernel(int threads) : threads_(threads) {}
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
};

class Reference {
 public:
  virtual ~Reference() = default;
  virtual std::string name() const = 0;
  virtual std::string version() const = 0;

  // Return a session that computes `problem` with `operands` on `threads`
  // threads. Return Unimplemented if the library does not support the problem.
  // This object must outlive the session. The session may share the memory of
  // `operands`.
  virtual absl::StatusOr<std::unique_ptr<runtime::Session>> PrepareGemm(
      const GemmProblem& problem, const GemmOperands& operands, int threads) {
    (void)problem, (void)operands, (void)threads;
    return absl::UnimplementedError(
        absl::StrCat(name(), " has no matrix product"));
  }
  virtual absl::StatusOr<std::unique_ptr<runtime::Session>> PrepareConv(
      const ConvProblem& problem, const ConvOperands& operands, int threads) {
    (void)problem, (void)operands, (void)threads;
    return absl::UnimplementedError(
        absl::StrCat(name(), " has no convolution"));
  }
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_REFERENCE_H_
