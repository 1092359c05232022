// CompareWithDefault: decides whether a point replaces the default point of its
// task.
//
// The fastest of many noisy times is faster than the truth, so the samples of
// the search do not show that the point is faster. This is a new side-by-side
// comparison over several loads (suites/comparison/paired_loads.h), in which
// the outputs of both are checked.
#ifndef ASSAY_SUITES_TUNE_SEARCH_ACCEPTANCE_H_
#define ASSAY_SUITES_TUNE_SEARCH_ACCEPTANCE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "reports/stats/paired_verdict.h"
#include "runtime/artifact/artifact.h"
#include "runtime/measure/session.h"
#include "suites/tune/search/kernel_program.h"
#include "suites/tune/log/tuning_record.h"

namespace assay::suites {

// Two programs for the same kernel program, and where they are compared.
struct Candidates {
  const KernelProgram* program = nullptr;
  const runtime::Artifact* usual = nullptr;  // of the default point
  const runtime::Artifact* point = nullptr;
  runtime::Runner* runner = nullptr;
  int threads = 1;
};

struct Comparison {
  TuningVerdict verdict;
  // Nanoseconds per call of the kernel: medians of the loads.
  double point_ns = 0;
  double default_ns = 0;
};

struct AcceptanceOptions {
  stats::PairedOptions test;
  double budget_s = 10;  // of measurement
  uint64_t seed = 0;
};

// Returns Internal if an output of the point is wrong, and otherwise the errors
// of the device.
absl::StatusOr<Comparison> CompareWithDefault(const Candidates& candidates,
                                              const AcceptanceOptions& options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_SEARCH_ACCEPTANCE_H_
