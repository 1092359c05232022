#include "suites/serve/scenario.h"

#include "reports/stats/binomial.h"
#include "reports/stats/quantile_interval.h"
#include "runtime/base/check.h"

namespace assay::suites {
namespace {

struct Entry {
  Scenario scenario;
  const char* name;
  double percentile;
  int64_t samples_per_query;
};

constexpr Entry kEntries[] = {
    {Scenario::kSingleStream, "single_stream", 0.9, 1},
    {Scenario::kMultiStream, "multi_stream", 0.99, 8},
    {Scenario::kServer, "server", 0.99, 1},
    {Scenario::kOffline, "offline", 0.9, 1},
};

const Entry& EntryOf(Scenario scenario) {
  for (const Entry& entry : kEntries) {
    if (entry.scenario == scenario) return entry;
  }
  CHECK(false) << "no such scenario";
  return kEntries[0];
}

// Returns the smallest number of queries of which, with a probability of 99 %,
// at least two take longer than the percentile `p`.
int64_t QueriesForEarlyStopping(double p) {
  constexpr double kConfidence = 0.99;
  int64_t queries = 1;
  while (stats::BinomialCdf(1, queries, 1 - p) > 1 - kConfidence) ++queries;
  return queries;
}

}  // namespace

std::vector<std::string> ScenarioNames() {
  std::vector<std::string> names;
  for (const Entry& entry : kEntries) names.push_back(entry.name);
  return names;
}

Scenario ParseScenario(absl::string_view name) {
  for (const Entry& entry : kEntries) {
    if (entry.name == name) return entry.scenario;
  }
  CHECK(false) << "no scenario `" << name << "`";
  return Scenario::kServer;
}

std::string ScenarioName(Scenario scenario) { return EntryOf(scenario).name; }

double PercentileOf(Scenario scenario) { return EntryOf(scenario).percentile; }

int64_t SamplesPerQuery(Scenario scenario) {
  return EntryOf(scenario).samples_per_query;
}

RunRules MlperfRules(Scenario scenario) {
  if (scenario == Scenario::kOffline) return {600, 24576};
  return {600, QueriesForEarlyStopping(PercentileOf(scenario))};
}

RunRules ShortRules(Scenario scenario) {
  // One interval of the throughput needs some samples, too.
  if (scenario == Scenario::kOffline) return {10, 40};
  return {10, stats::SamplesForUpperBound(PercentileOf(scenario),
                                          stats::kQuantileLevel)};
}

}  // namespace assay::suites
