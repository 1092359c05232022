// RunLoad: sends the queries of a scenario (scenario.h) to servers and returns
// the latencies.
#ifndef ASSAY_SUITES_SERVE_LOAD_GENERATOR_H_
#define ASSAY_SUITES_SERVE_LOAD_GENERATOR_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/stats/quantile_interval.h"
#include "suites/serve/scenario.h"
#include "suites/serve/servers.h"

namespace assay::suites {

struct LoadOptions {
  Scenario scenario = Scenario::kSingleStream;
  RunRules rules;
  // Queries per second, for Scenario::kServer.
  double rate = 0;
  // If set, queries that take longer are late, and a run in which the
  // percentile cannot be within the bound any more is abandoned.
  std::optional<double> bound_s;
  // Expected time of a batch. It determines how many samples the query of
  // Scenario::kOffline has.
  double batch_s = 0;
  uint64_t seed = 0;  // of the arrivals
};

struct LoadResult {
  Scenario scenario = Scenario::kSingleStream;
  double rate = 0;      // LoadOptions::rate
  int64_t queries = 0;  // that were planned
  int64_t samples = 0;  // that were served
  // From the start to the end of the last query.
  double duration_s = 0;
  // The latency of each query, in the order of arrival; infinite if it was not
  // served.
  std::vector<double> latencies_s;
  // Times at which samples were done, in ascending order, for the scenario
  // `offline`.
  std::vector<double> ends_s;
  int64_t late = 0;        // queries that took longer than the bound
  bool abandoned = false;  // too many queries were late

  // Returns a quantile of the latencies, which are treated as a series. If the
  // run was abandoned, the queries that were not served count as late.
  stats::QuantileInterval Latency(double p) const;
};

// Returns the errors of the servers. Requires a positive rate in the scenario
// `server`, and a positive `batch_s` in the scenario `offline`.
absl::StatusOr<LoadResult> RunLoad(Servers& servers,
                                   const LoadOptions& options);

// The samples per second of a run of the scenario `offline`: the median over
// parts of the run with equal numbers of samples, and its 95 % interval.
struct Throughput {
  double value = 0;
  double lower = 0;
  double upper = 0;
};
// CHECK-fails unless the result is of this scenario.
Throughput ThroughputOf(const LoadResult& result);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_SERVE_LOAD_GENERATOR_H_
