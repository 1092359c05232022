// Reference: a library that a user could have taken instead of this compiler.
//
// Libraries are opened at run time, from the program's runfiles, by the Load
// functions (all_references.h); a program that is not asked to compare loads
// none of them. Each is used as its documentation says it is fastest, on the
// threads that it is told and on whichever processors the process may use: no
// library is bound to processors, since neither are we.
//
//   ASSAY_ASSIGN_OR_RETURN(auto blas, LoadOpenBlas(program));
//   ASSAY_ASSIGN_OR_RETURN(auto run, blas->PrepareGemm(problem, operands, 2));
//   ASSAY_RETURN_IF_ERROR(run->Run());
//   NDArray product = run->Output();
#ifndef ASSAY_SUITES_REFERENCES_REFERENCE_H_
#define ASSAY_SUITES_REFERENCES_REFERENCE_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/ndarray.h"
#include "suites/references/problem.h"

namespace assay::suites {

// One problem with its operands, ready to be computed any number of times.
class Prepared {
 public:
  virtual ~Prepared() = default;
  // What is timed: one computation, finished when it returns.
  virtual absl::Status Run() = 0;
  // What the last Run() computed, in the plain layout. Not timed.
  virtual absl::StatusOr<NDArray> Output() = 0;
};

class Reference {
 public:
  virtual ~Reference() = default;
  virtual std::string name() const = 0;
  virtual std::string version() const = 0;

  // Unimplemented where the library has nothing of the sort. The reference
  // outlives what it prepared; the operands are shared.
  virtual absl::StatusOr<std::unique_ptr<Prepared>> PrepareGemm(
      const GemmProblem& problem, const GemmOperands& operands, int threads) {
    (void)problem, (void)operands, (void)threads;
    return absl::UnimplementedError(
        absl::StrCat(name(), " has no matrix product"));
  }
  virtual absl::StatusOr<std::unique_ptr<Prepared>> PrepareConv(
      const ConvProblem& problem, const ConvOperands& operands, int threads) {
    (void)problem, (void)operands, (void)threads;
    return absl::UnimplementedError(
        absl::StrCat(name(), " has no convolution"));
  }
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_REFERENCE_H_
