#include "suites/serve/load_generator.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/stats/sign_interval.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"
#include "suites/serve/arrivals.h"

namespace assay::suites {
namespace {

double Seconds(int64_t nanos) {
  return nanos == Service::kNever ? std::numeric_limits<double>::infinity()
                                  : static_cast<double>(nanos) * 1e-9;
}

int64_t Nanos(double seconds) { return std::llround(seconds * 1e9); }

// Returns how many of `queries` queries may be late.
int64_t MaxLate(double percentile, int64_t queries) {
  return static_cast<int64_t>(
      std::floor((1 - percentile) * static_cast<double>(queries)));
}

bool IsLate(const LoadOptions& options, double latency_s) {
  return options.bound_s.has_value() && latency_s > *options.bound_s;
}

// The next query follows when the last one is done.
absl::StatusOr<LoadResult> RunClosed(Servers& servers,
                                     const LoadOptions& options) {
  const std::vector<int64_t> arrivals(
      static_cast<size_t>(SamplesPerQuery(options.scenario)), 0);
  LoadResult result;
  while (result.queries < options.rules.min_queries ||
         result.duration_s < options.rules.min_duration_s) {
    ASSAY_ASSIGN_OR_RETURN(const std::vector<Service> served,
                           servers.Serve(arrivals, LateLimit()));
    int64_t end = 0;
    for (const Service& sample : served) end = std::max(end, sample.end);
    result.latencies_s.push_back(Seconds(end));
    result.duration_s += Seconds(end);
    result.late += IsLate(options, Seconds(end)) ? 1 : 0;
    ++result.queries;
    result.samples += static_cast<int64_t>(served.size());
  }
  return result;
}

// Queries arrive whether or not others are done.
absl::StatusOr<LoadResult> RunServer(Servers& servers,
                                     const LoadOptions& options) {
  CHECK(options.rate > 0) << "rate " << options.rate;
  LoadResult result;
  result.rate = options.rate;
  const double expected = options.rate * options.rules.min_duration_s;
  result.queries = std::max(options.rules.min_queries,
                            static_cast<int64_t>(std::ceil(expected)));
  const std::vector<int64_t> arrivals =
      PoissonArrivals(options.rate, result.queries, options.seed);
  LateLimit limit;
  if (options.bound_s.has_value()) {
    limit.latency_nanos = Nanos(*options.bound_s);
    limit.max_late = MaxLate(PercentileOf(options.scenario), result.queries);
  }
  ASSAY_ASSIGN_OR_RETURN(const std::vector<Service> served,
                         servers.Serve(arrivals, limit));
  for (size_t i = 0; i < served.size(); ++i) {
    const bool done = served[i].end != Service::kNever;
    const double latency_s =
        done ? Seconds(served[i].end - arrivals[i]) : Seconds(Service::kNever);
    result.latencies_s.push_back(latency_s);
    result.abandoned |= !done;
    if (!done) continue;
    ++result.samples;
    result.late += IsLate(options, latency_s) ? 1 : 0;
    result.duration_s = std::max(result.duration_s, Seconds(served[i].end));
  }
  return result;
}

// All samples arrive at the start.
absl::StatusOr<LoadResult> RunOffline(Servers& servers,
                                      const LoadOptions& options) {
  CHECK(options.batch_s > 0) << "time of a batch " << options.batch_s;
  const double rate = static_cast<double>(servers.instances()) *
                      static_cast<double>(servers.batch()) / options.batch_s;
  LoadResult result;
  result.queries = 1;
  // A tenth more, in case the expected time is too long.
  const double expected = 1.1 * options.rules.min_duration_s * rate;
  result.samples = std::max(options.rules.min_queries,
                            static_cast<int64_t>(std::ceil(expected)));
  ASSAY_ASSIGN_OR_RETURN(
      const std::vector<Service> served,
      servers.Serve(
          std::vector<int64_t>(static_cast<size_t>(result.samples), 0),
          LateLimit()));
  for (const Service& sample : served) {
    result.ends_s.push_back(Seconds(sample.end));
  }
  std::sort(result.ends_s.begin(), result.ends_s.end());
  result.duration_s = result.ends_s.back();
  result.latencies_s = {result.duration_s};
  return result;
}

}  // namespace

stats::QuantileInterval LoadResult::Latency(double p) const {
  return stats::SeriesQuantile(latencies_s, p);
}

absl::StatusOr<LoadResult> RunLoad(Servers& servers,
                                   const LoadOptions& options) {
  absl::StatusOr<LoadResult> result =
      options.scenario == Scenario::kServer    ? RunServer(servers, options)
      : options.scenario == Scenario::kOffline ? RunOffline(servers, options)
                                               : RunClosed(servers, options);
  if (result.ok()) result->scenario = options.scenario;
  return result;
}

Throughput ThroughputOf(const LoadResult& result) {
  CHECK(result.scenario == Scenario::kOffline);
  CHECK(!result.ends_s.empty());
  constexpr size_t kParts = 20;
  const size_t samples = result.ends_s.size();
  const size_t parts = std::min(kParts, samples);
  std::vector<double> rates;
  size_t from = 0;
  double from_s = 0;
  for (size_t part = 1; part <= parts; ++part) {
    const size_t to = samples * part / parts;
    const double to_s = result.ends_s[to - 1];
    // Samples of one batch end at the same time.
    if (to_s <= from_s) continue;
    rates.push_back(static_cast<double>(to - from) / (to_s - from_s));
    from = to;
    from_s = to_s;
  }
  const stats::MedianInterval median =
      stats::SignInterval(rates, stats::kQuantileLevel);
  return {static_cast<double>(samples) / result.duration_s,
          std::max(0.0, median.lower), median.upper};
}

}  // namespace assay::suites
