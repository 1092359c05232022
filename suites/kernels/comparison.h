// Compare: compares the kernels of this compiler ("ours") with the kernels of
// reference libraries on one problem, under the same conditions
// (suites/references/parity.h).
#ifndef ASSAY_SUITES_KERNELS_COMPARISON_H_
#define ASSAY_SUITES_KERNELS_COMPARISON_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "reports/stats/ratio.h"
#include "runtime/measure/session.h"
#include "suites/kernels/kernel_options.h"
#include "suites/references/parity.h"
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
  // Number of operations of the plain algorithm. Fast algorithms need fewer
  // operations. Products of split numbers need more operations, on numbers of
  // fewer bits.
  double flops = 0;
  // Result of runtime::AlgorithmOf() for our program.
  std::string algorithm;
  // Describes the first contender whose output differs from ours; nothing is
  // timed in this case. Empty if all outputs agree.
  std::string wrong;
  // Reasons for missing results.
  std::vector<std::string> notes;
  // The conditions of all contenders that are timed.
  std::vector<NamedParity> parity;
  std::vector<Series> series;

  // Each of the following methods returns 0, false, nullopt or an empty vector
  // if a series that it uses is missing.
  //
  // Returns the median of the series `name`, in nanoseconds per run.
  double MedianNs(absl::string_view name) const;
  // Returns the nominal GFLOP per second of the series `name`, i.e. `flops`
  // divided by the median.
  double GflopsOf(absl::string_view name) const;
  // Returns stats::LogSpeedRatios() of the two series.
  std::vector<double> LogRatios(absl::string_view ours,
                                absl::string_view other) const;
  // Returns how many times as fast the series `ours` is as the series `other`.
  std::optional<stats::Ratio> Ratio(absl::string_view ours,
                                    absl::string_view other) const;
  // Returns true if both series were timed and PrecisionDiffers() of
  // suites/references/parity.h is true for their contenders. Reports must then
  // mark the ratio of the series.
  bool PrecisionDiffers(absl::string_view ours, absl::string_view other) const;
  // Returns the name in `others` for which Ratio(ours, other) is smallest, or
  // an empty string if there is no ratio.
  std::string FastestOf(absl::string_view ours,
                        absl::Span<const char* const> others) const;
};

// A contender with the conditions of its runs. Compare() sets those conditions
// that it determines: warm-up and change of inputs.
struct Entrant {
  Contender contender;
  Parity parity;
  // Name of the only reference with which this contender is compared. Empty for
  // contenders that are all compared with each other.
  std::string peer = {};
};

// Runs every contender once and compares its output with the output of the
// first contender. If an output differs, sets `wrong`; otherwise takes samples
// and sets `parity` and `series`. Outputs agree if they are within the bounds
// of suites/correctness/accuracy.h.
//
// A contender is not timed, and adds a note, if its conditions differ from
// those of the first contender with the same `peer` (CheckParity).
//
// If `oracle` is not null, its output is compared as well, but it is not timed.
// Callers should pass an oracle if no contender is a reference, because
// otherwise our outputs are not compared with the outputs of an independent
// program.
absl::Status Compare(const std::vector<Entrant>& entrants,
                     runtime::Session* oracle, const KernelOptions& options,
                     Comparison* comparison);

// Loads the problem into a reference library.
using PrepareReference =
    std::function<absl::StatusOr<PreparedReference>(Reference&)>;

// Calls `prepare` for each reference, and compares the resulting sessions with
// `ours`. If `prepare` returns an error, for example because a reference does
// not support the problem, the error becomes a note and the reference is left
// out. If all references are left out, our outputs are compared with the
// outputs of `interpreter`.
absl::Status CompareWithReferences(
    std::vector<Entrant> ours,
    const std::vector<std::unique_ptr<Reference>>& references,
    const PrepareReference& prepare, runtime::Session& interpreter,
    const KernelOptions& options, Comparison* comparison);

// Writes results.json and results.csv to the folder `options.out`. Does nothing
// if `options.out` is the empty string. `versions` are the names of the
// references with their versions. In the JSON, `precision_differs` of a row is
// true if PrecisionDiffers() is true for two of its contenders.
absl::Status WriteComparisons(const KernelOptions& options,
                              absl::string_view suite,
                              const std::vector<std::string>& versions,
                              const std::vector<Comparison>& comparisons);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_COMPARISON_H_
