// Compare: compares our kernels with the reference libraries on one problem.
#ifndef ASSAY_SUITES_KERNELS_COMPARISON_H_
#define ASSAY_SUITES_KERNELS_COMPARISON_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/measure/session.h"
#include "suites/kernels/kernel_options.h"
#include "suites/references/reference.h"
#include "suites/sampling/sampler.h"

namespace assay::suites {

// The samples of one contender.
struct Series {
  std::string name;
  int64_t number = 0;  // runs per sample
  // Nanoseconds per run, averaged over each sample; indexed by round.
  std::vector<double> samples_ns;
};

// Results of one problem with one number of threads, as in results.json.
struct Comparison {
  std::string name;     // `square512`, `resnet18/conv1`
  std::string problem;  // `512x512x512`
  int threads = 0;
  double flops = 0;
  // Describes a contender whose output differs from ours; in this case nothing
  // was timed.
  std::string wrong;
  // Reasons for missing results.
  std::vector<std::string> notes;
  std::vector<Series> series;

  // Statistics of the series with this name; 0 if there is none.
  double MedianNs(absl::string_view name) const;
  double MinNs(absl::string_view name) const;
  double GflopsOf(absl::string_view name) const;
  // Time of `other` divided by that of `ours`; 0 if one of them is missing.
  double Ratio(absl::string_view ours, absl::string_view other) const;
  double MinRatio(absl::string_view ours, absl::string_view other) const;
};

// Runs every contender once and compares its output with that of the first,
// then sets `wrong`, or measures and sets `series`. `oracle`, if not null, is
// checked but not timed; it is needed unless one of the contenders is a
// reference. Outputs agree if they are within the bounds of
// suites/correctness/accuracy.h.
absl::Status Compare(const std::vector<Contender>& contenders,
                     runtime::Session* oracle, const KernelOptions& options,
                     Comparison* comparison);

using PrepareReference =
    std::function<absl::StatusOr<std::unique_ptr<runtime::Session>>(
        Reference&)>;

// Compares `ours` with each reference, which `prepare` loads with the problem;
// a reference that does not support it adds a note. If no reference is left,
// our results are checked against `interpreter`.
absl::Status CompareWithReferences(
    std::vector<Contender> ours,
    const std::vector<std::unique_ptr<Reference>>& references,
    const PrepareReference& prepare, runtime::Session& interpreter,
    const KernelOptions& options, Comparison* comparison);

// Writes results.json and results.csv to options.out, if it is set. `versions`
// are the references with their versions.
absl::Status WriteComparisons(const KernelOptions& options,
                              absl::string_view suite,
                              const std::vector<std::string>& versions,
                              const std::vector<Comparison>& comparisons);

// Returns the geometric mean, or 0 if `values` is empty.
double GeometricMean(const std::vector<double>& values);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_COMPARISON_H_
