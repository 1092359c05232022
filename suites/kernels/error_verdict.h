// JudgeError: decides whether the error of a kernel's output is allowed, and
// says which bound applied.
//
// The usual bound is that of CheckOutputs() (suites/correctness/accuracy.h). An
// implementation that is exact only over the real numbers may have a larger
// error (ops::Inexact). If its bound is larger than kRelativeBound, the output
// may have this error.
#ifndef ASSAY_SUITES_KERNELS_ERROR_VERDICT_H_
#define ASSAY_SUITES_KERNELS_ERROR_VERDICT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "suites/correctness/accuracy.h"

namespace assay::suites {

struct ErrorVerdict {
  bool correct = false;
  // The largest error and the bound, or what is wrong. If the bound is wider
  // than usual, the text also names the algorithm that is the reason and, for a
  // correct output, the factor by which the bound is wider.
  std::string text;
};

// `accuracy` is the result of CheckOutputs(). `error_bound` is the bound of the
// implementation, relative to the largest output, or 0 if it is exact.
// `algorithm` is the name of an implementation that is not exact.
ErrorVerdict JudgeError(const Accuracy& accuracy, double error_bound,
                        absl::string_view algorithm);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_ERROR_VERDICT_H_
