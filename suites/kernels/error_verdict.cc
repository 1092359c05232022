#include "suites/kernels/error_verdict.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"

namespace assay::suites {

ErrorVerdict JudgeError(const Accuracy& accuracy, double error_bound,
                        absl::string_view algorithm) {
  const double factor = std::max(1.0, error_bound / kRelativeBound);
  const double bound = factor * accuracy.bound;
  if (!accuracy.correct && !(accuracy.max_abs_error <= bound)) {
    // Without a bound, something else than the size of the error is wrong.
    if (factor == 1 || bound == 0) return {false, accuracy.problem};
    return {false, absl::StrFormat("%s; for %s, %.1e is allowed",
                                   accuracy.problem, algorithm, bound)};
  }
  // Outputs of integer types have no bound, because they must be equal.
  if (bound == 0) {
    return {true, "the output is equal to that of the reference interpreter"};
  }
  std::string text = absl::StrFormat(
      "the largest difference from the reference interpreter is %.1e; %.1e is "
      "allowed",
      accuracy.max_abs_error, bound);
  if (factor > 1) {
    absl::StrAppendFormat(
        &text,
        ", %.3g times the usual bound, because the error of %s may be %.1e of "
        "the largest output",
        factor, algorithm, error_bound);
  }
  return {true, std::move(text)};
}

}  // namespace assay::suites
