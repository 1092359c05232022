// ServeReport: the result of a run of //suites:serve, as a table, as JSON, and
// as the JSON of google/benchmark.
#ifndef ASSAY_SUITES_SERVE_SERVE_REPORT_H_
#define ASSAY_SUITES_SERVE_SERVE_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "suites/serve/capacity_search.h"
#include "suites/serve/load_generator.h"
#include "suites/serve/scenario.h"

namespace assay::suites {

// The judgement of the latencies against the bound.
enum class BoundVerdict {
  kMet,        // the upper end of the interval is within the bound
  kMissed,     // the lower end of the interval is beyond the bound
  kUndecided,  // the interval contains the bound, or has no upper end
};
std::string BoundVerdictName(BoundVerdict verdict);

struct ServeReport {
  std::string model;
  std::string model_digest;
  std::string fingerprint;  // of the machine
  int instances = 1;
  int threads = 1;  // of each instance
  int64_t batch = 1;
  RunRules rules;
  uint64_t seed = 0;
  double batch_s = 0;  // ServedModel::batch_s()
  // The run, or all runs that confirm the rate that was found, one after the
  // other.
  LoadResult load;
  std::optional<double> bound_s;
  // The search for the rate, if it was not given.
  std::optional<Capacity> search;
  int64_t checked = 0;  // runs whose outputs were checked
  std::vector<std::string> disturbances;
};

// Returns nothing without a bound.
std::optional<BoundVerdict> VerdictOf(const ServeReport& report);

// Appends the runs that confirm a rate.
void Append(const LoadResult& next, LoadResult* all);

std::string ServeTable(const ServeReport& report);
std::string ServeJson(const ServeReport& report);
// One benchmark, whose repetitions are the queries.
std::string ServeBenchmarkJson(const ServeReport& report);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_SERVE_SERVE_REPORT_H_
