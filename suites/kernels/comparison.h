// Compare: compares the kernels of this compiler ("ours") with the kernels of
// reference libraries on one problem.
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

// The samples of one contender, that is, of one of the compared kernels.
struct Series {
  std::string name;
  int64_t number = 0;  // runs per sample
  // Nanoseconds per run, averaged over each sample; indexed by round.
  std::vector<double> samples_ns;
};

// Results of one problem with one number of threads, as they are written to
// results.json.
struct Comparison {
  std::string name;     // for example `square512` or `resnet18/conv1`
  std::string problem;  // for example `512x512x512`
  int threads = 0;
  double flops = 0;
  // Describes the first contender whose output differs from ours; nothing is
  // timed in this case. Empty if all outputs agree.
  std::string wrong;
  // Reasons for missing results.
  std::vector<std::string> notes;
  std::vector<Series> series;

  // Each of the following methods returns 0 if a series that it uses is
  // missing.
  //
  // Returns the median of the series `name`, in nanoseconds per run.
  double MedianNs(absl::string_view name) const;
  // Returns the minimum of the series `name`, in nanoseconds per run.
  double MinNs(absl::string_view name) const;
  // Returns the GFLOP per second of the series `name`, based on its median.
  double GflopsOf(absl::string_view name) const;
  // Returns the median of the series `other` divided by the median of `ours`.
  double Ratio(absl::string_view ours, absl::string_view other) const;
  // Returns the minimum of the series `other` divided by the minimum of `ours`.
  double MinRatio(absl::string_view ours, absl::string_view other) const;
};

// Runs every contender once and compares its output with the output of the
// first contender. If an output differs, sets `wrong`; otherwise takes samples
// of all contenders and sets `series`. Outputs agree if they are within the
// bounds of suites/correctness/accuracy.h.
//
// If `oracle` is not null, its output is compared as well, but it is not timed.
// Callers should pass an oracle if no contender is a reference, because
// otherwise our outputs are not compared with the outputs of an independent
// program.
absl::Status Compare(const std::vector<Contender>& contenders,
                     runtime::Session* oracle, const KernelOptions& options,
                     Comparison* comparison);

// Loads the problem into a reference library.
using PrepareReference =
    std::function<absl::StatusOr<std::unique_ptr<runtime::Session>>(
        Reference&)>;

// Calls `prepare` for each reference, and compares the resulting sessions with
// `ours`. If `prepare` returns an error, for example because a reference does
// not support the problem, the error becomes a note and the reference is left
// out. If all references are left out, our outputs are compared with the
// outputs of `interpreter`.
absl::Status CompareWithReferences(
    std::vector<Contender> ours,
    const std::vector<std::unique_ptr<Reference>>& references,
    const PrepareReference& prepare, runtime::Session& interpreter,
    const KernelOptions& options, Comparison* comparison);

// Writes results.json and results.csv to the folder `options.out`. Does nothing
// if `options.out` is the empty string. `versions` are the names of the
// references with their versions.
absl::Status WriteComparisons(const KernelOptions& options,
                              absl::string_view suite,
                              const std::vector<std::string>& versions,
                              const std::vector<Comparison>& comparisons);

// Returns the geometric mean of `values`, which must be positive; 0 if `values`
// is empty.
double GeometricMean(const std::vector<double>& values);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_COMPARISON_H_
