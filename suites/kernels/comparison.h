// Compare: ours against the references on one problem.
#ifndef ASSAY_SUITES_KERNELS_COMPARISON_H_
#define ASSAY_SUITES_KERNELS_COMPARISON_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "suites/kernels/interleave.h"
#include "suites/kernels/kernel_options.h"
#include "suites/references/reference.h"

namespace assay::suites {

struct Competitor {
  std::string name;
  Prepared* prepared = nullptr;
  // As Contestant::timed_run; may be null.
  std::function<absl::StatusOr<int64_t>()> timed_run;
  // Only its answer is wanted.
  bool untimed = false;
};

// One problem on a number of threads, as results.json has it.
struct Comparison {
  std::string name;     // `square512`, `resnet18/conv1`
  std::string problem;  // `512x512x512`
  int threads = 0;
  double flops = 0;
  // Whose answer is not ours, and by how much; then nothing was timed.
  std::string wrong;
  // Why something is missing.
  std::vector<std::string> notes;
  std::vector<Series> series;

  // Of the series of that name; 0 if there is none.
  double MedianNs(absl::string_view name) const;
  double MinNs(absl::string_view name) const;
  double GflopsOf(absl::string_view name) const;
  // How many times as long `other` takes as `ours`; 0 if either is missing.
  double Ratio(absl::string_view ours, absl::string_view other) const;
  double MinRatio(absl::string_view ours, absl::string_view other) const;
};

// Runs each once and compares every answer with that of the first, then fills
// in `wrong` or `series`. At least one is another program than ours, or an
// answer would be timed that nothing was held against. Answers agree if they
// are within the bounds of suites/correctness/accuracy.h.
absl::Status Compare(const std::vector<Competitor>& competitors,
                     const KernelOptions& options, Comparison* comparison);

using PrepareReference =
    std::function<absl::StatusOr<std::unique_ptr<Prepared>>(Reference&)>;

// Compare of `ours` and of what `prepare` makes of each reference; one that has
// nothing of the sort leaves a note. Where none is left, ours is held against
// the untimed `interpreter`.
absl::Status CompareWithReferences(
    std::vector<Competitor> ours,
    const std::vector<std::unique_ptr<Reference>>& references,
    const PrepareReference& prepare, Prepared& interpreter,
    const KernelOptions& options, Comparison* comparison);

// results.json and results.csv in options.out, if that is given. Every
// reference with its version.
absl::Status WriteComparisons(const KernelOptions& options,
                              absl::string_view suite,
                              const std::vector<std::string>& versions,
                              const std::vector<Comparison>& comparisons);

// exp(mean(log)); 0 for none.
double GeometricMean(const std::vector<double>& values);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_COMPARISON_H_
