// Scenario: who sends queries to a program, and what is measured, as in
// MLPerf's LoadGen (Reddi et al., "MLPerf inference benchmark", ISCA 2020;
// github.com/mlcommons/inference, loadgen).
//
//   scenario       queries                               result
//   single_stream  the next one when the last one is     90th percentile of
//                  done; one sample each                 the latency
//   multi_stream   the same, with 8 samples each         99th percentile of
//                                                        the latency
//   server         Poisson arrivals, one sample each     largest rate at which
//                                                        the 99th percentile is
//                                                        within a bound
//   offline        one with all samples                  samples per second
//
// A sample is one set of inputs, i.e. the batch entry of a model. The latency
// of a query ends when its last sample is done. It begins when the query
// arrives according to the schedule, and not when the program turns to it: a
// query that waits is not omitted from the result, because those who sent it
// wait, too.
#ifndef ASSAY_SUITES_SERVE_SCENARIO_H_
#define ASSAY_SUITES_SERVE_SCENARIO_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace assay::suites {

enum class Scenario { kSingleStream, kMultiStream, kServer, kOffline };

// In the order of the enum.
std::vector<std::string> ScenarioNames();
// CHECK-fails unless `name` is one of them.
Scenario ParseScenario(absl::string_view name);
std::string ScenarioName(Scenario scenario);

// How long a scenario has to be run for a valid result.
struct RunRules {
  double min_duration_s = 0;
  int64_t min_queries = 0;  // samples in the scenario `offline`
};

// Returns the percentile of the latency that is the result, as a fraction. In
// the scenario `offline`, latencies have no meaning.
double PercentileOf(Scenario scenario);
int64_t SamplesPerQuery(Scenario scenario);

// The rules of MLPerf: ten minutes, and as many queries as its criterion for
// stopping early needs. That criterion is that the largest latency but one is
// above the percentile with a probability of 99 %. In the scenario `offline`,
// 24576 samples.
RunRules MlperfRules(Scenario scenario);
// Rules for people who wait for the result: ten seconds, and at least as many
// queries as a 95 % interval of the percentile needs.
RunRules ShortRules(Scenario scenario);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_SERVE_SCENARIO_H_
