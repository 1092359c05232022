#include "suites/serve/serve_report.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "reports/stats/quantile_interval.h"
#include "runtime/text/text_table.h"

namespace assay::suites {
namespace {

// Keeps the order of the members.
using Json = nlohmann::ordered_json;

constexpr double kPercentiles[] = {0.5, 0.9, 0.99};

std::string Millis(double seconds) {
  return std::isfinite(seconds) ? absl::StrFormat("%.3f", 1e3 * seconds)
                                : "inf";
}

// Three significant digits, without an exponent.
std::string RateText(double rate) {
  return absl::StrFormat("%.*f", rate >= 100 ? 0 : rate >= 10 ? 1 : 2, rate);
}

// A percentile with its interval, or, if there are too few queries for an upper
// bound, its lower bound.
std::string Percentile(const LoadResult& load, double p) {
  const stats::QuantileInterval q = load.Latency(p);
  // The queries that were served before a run was abandoned are no sample.
  if (load.abandoned || std::isinf(q.lower)) return "-";
  if (!q.bounded()) {
    return absl::StrCat(">", Millis(q.lower));
  }
  return absl::StrCat(Millis(q.value), " [", Millis(q.lower), ", ",
                      Millis(q.upper), "]");
}

struct Rule {
  std::string text;
  bool met = false;
};

// The rules of MLPerf that a run can meet or miss.
std::vector<Rule> MlperfRulesOf(const ServeReport& report) {
  const LoadResult& load = report.load;
  const RunRules rules = MlperfRules(load.scenario);
  const bool offline = load.scenario == Scenario::kOffline;
  const int64_t count = offline || load.abandoned ? load.samples : load.queries;
  return {
      {absl::StrFormat("at least %.0f s: %.1f s", rules.min_duration_s,
                       load.duration_s),
       load.duration_s >= rules.min_duration_s},
      {absl::StrFormat("at least %d %s: %d", rules.min_queries,
                       offline ? "samples" : "queries", count),
       count >= rules.min_queries},
      {"the data set and the accuracy of the benchmark: the inputs are made up "
       "from a seed, and all outputs agree with the interpreter",
       false},
  };
}

// Returns the rate of queries that the instances can serve if none is ever
// idle.
double FullRate(const ServeReport& report) {
  return static_cast<double>(report.instances) *
         static_cast<double>(report.batch) / report.batch_s;
}

std::string AbandonedText(const ServeReport& report) {
  const LoadResult& load = report.load;
  if (!load.abandoned) return "";
  std::string text = absl::StrFormat("; the run was abandoned after %d of %d",
                                     load.samples, load.queries);
  if (load.rate > FullRate(report)) {
    absl::StrAppendFormat(
        &text,
        ", because the instances are overloaded: without a pause, they serve "
        "%s queries/s",
        RateText(FullRate(report)));
  }
  return text;
}

std::string BoundText(const ServeReport& report) {
  const std::optional<BoundVerdict> verdict = VerdictOf(report);
  if (!verdict.has_value()) return "";
  const LoadResult& load = report.load;
  const double percent = 100 * PercentileOf(load.scenario);
  const std::string counts = absl::StrFormat(
      "%d of %d queries took longer than %s ms", load.late,
      load.abandoned ? load.samples : load.queries, Millis(*report.bound_s));
  const std::string rate =
      load.scenario == Scenario::kServer
          ? absl::StrCat(" at ", RateText(load.rate), " queries/s")
          : "";
  switch (*verdict) {
    case BoundVerdict::kMet:
      return absl::StrFormat(
          "bound: met%s: the %.0fth percentile is below the bound with its "
          "interval; %s\n",
          rate, percent, counts);
    case BoundVerdict::kMissed:
      return absl::StrCat("bound: missed", rate, ": ", counts,
                          AbandonedText(report), "\n");
    case BoundVerdict::kUndecided:
      return absl::StrFormat(
          "bound: undecided%s: the interval of the %.0fth percentile %s; %s; a "
          "longer --min_duration decides\n",
          rate, percent,
          load.Latency(PercentileOf(load.scenario)).bounded()
              ? "contains the bound"
              : "has no upper end, as there are too few independent queries",
          counts);
  }
  return "";
}

std::string SearchText(const ServeReport& report) {
  if (!report.search.has_value()) return "";
  std::vector<std::string> probes;
  for (const Probe& probe : report.search->probes) {
    probes.push_back(absl::StrCat(RateText(probe.rate), " ",
                                  !probe.met       ? "missed"
                                  : probe.confirms ? "confirmed"
                                                   : "met"));
  }
  return absl::StrCat("search (queries/s): ", absl::StrJoin(probes, ", "),
                      "\n");
}

Json Number(double value) {
  if (std::isfinite(value)) return value;
  return nullptr;
}

Json LatencyJson(const LoadResult& load) {
  Json json;
  for (const double p : kPercentiles) {
    const stats::QuantileInterval q = load.Latency(p);
    const std::string name = absl::StrFormat("p%.0f_ms", 100 * p);
    json[name] = Number(1e3 * q.value);
    json[name + "_lower"] = Number(1e3 * q.lower);
    json[name + "_upper"] = Number(1e3 * q.upper);
  }
  return json;
}

}  // namespace

std::string BoundVerdictName(BoundVerdict verdict) {
  switch (verdict) {
    case BoundVerdict::kMet:
      return "met";
    case BoundVerdict::kMissed:
      return "missed";
    case BoundVerdict::kUndecided:
      return "undecided";
  }
  return "";
}

std::optional<BoundVerdict> VerdictOf(const ServeReport& report) {
  if (!report.bound_s.has_value()) return std::nullopt;
  if (report.load.abandoned) return BoundVerdict::kMissed;
  const stats::QuantileInterval q =
      report.load.Latency(PercentileOf(report.load.scenario));
  if (q.upper <= *report.bound_s) return BoundVerdict::kMet;
  if (q.lower > *report.bound_s) return BoundVerdict::kMissed;
  return BoundVerdict::kUndecided;
}

void Append(const LoadResult& next, LoadResult* all) {
  if (all->queries == 0) {
    *all = next;
    return;
  }
  all->queries += next.queries;
  all->samples += next.samples;
  all->duration_s += next.duration_s;
  all->latencies_s.insert(all->latencies_s.end(), next.latencies_s.begin(),
                          next.latencies_s.end());
  all->late += next.late;
  all->abandoned |= next.abandoned;
}

std::string ServeTable(const ServeReport& report) {
  const LoadResult& load = report.load;
  const bool offline = load.scenario == Scenario::kOffline;
  const auto right = runtime::TextTable::kRight;
  runtime::TextTable table({{"model"},
                            {"scenario"},
                            {"instances", right},
                            {"threads", right},
                            {"batch", right},
                            {"queries", right},
                            {"seconds", right},
                            {"p50(ms)", right},
                            {"p90(ms)", right},
                            {"p99(ms)", right},
                            {"queries/s", right},
                            {"samples/s", right}});
  const auto percentile = [&](double p) {
    return offline ? std::string("-") : Percentile(load, p);
  };
  std::string samples = absl::StrFormat(
      "%.1f", static_cast<double>(load.samples) / load.duration_s);
  if (offline) {
    const Throughput throughput = ThroughputOf(load);
    absl::StrAppendFormat(&samples, " [%.1f, %.1f]", throughput.lower,
                          throughput.upper);
  }
  table.AddRow({report.model, ScenarioName(load.scenario),
                absl::StrCat(report.instances), absl::StrCat(report.threads),
                absl::StrCat(report.batch), absl::StrCat(load.queries),
                absl::StrFormat("%.1f", load.duration_s), percentile(0.5),
                percentile(0.9), percentile(0.99),
                load.scenario == Scenario::kServer ? RateText(load.rate) : "-",
                samples});
  std::string text = table.ToString();
  absl::StrAppend(&text, "\n", BoundText(report), SearchText(report));
  absl::StrAppendFormat(
      &text,
      "in brackets: 95 %% intervals; latencies count from the scheduled "
      "arrival; a batch alone takes %s ms; the outputs of %d runs were checked "
      "while timed\n",
      Millis(report.batch_s), report.checked);
  for (const Rule& rule : MlperfRulesOf(report)) {
    absl::StrAppend(&text, "MLPerf: ", rule.met ? "met" : "not met", ": ",
                    rule.text, "\n");
  }
  if (!report.disturbances.empty()) {
    absl::StrAppend(&text, "times are doubtful, because ",
                    absl::StrJoin(report.disturbances, "; "), "\n");
  }
  return text;
}

std::string ServeJson(const ServeReport& report) {
  const LoadResult& load = report.load;
  Json json;
  json["schema_version"] = 1;
  json["model"] = report.model;
  json["model_digest"] = report.model_digest;
  json["fingerprint"] = report.fingerprint;
  json["scenario"] = ScenarioName(load.scenario);
  json["instances"] = report.instances;
  json["threads"] = report.threads;
  json["batch"] = report.batch;
  json["seed"] = report.seed;
  json["min_duration_s"] = report.rules.min_duration_s;
  json["min_queries"] = report.rules.min_queries;
  json["batch_ms"] = 1e3 * report.batch_s;
  json["queries"] = load.queries;
  json["samples"] = load.samples;
  json["duration_s"] = load.duration_s;
  json["queries_per_s"] =
      load.scenario == Scenario::kServer ? Json(load.rate) : Json(nullptr);
  json["samples_per_s"] = static_cast<double>(load.samples) / load.duration_s;
  if (load.scenario == Scenario::kOffline) {
    const Throughput throughput = ThroughputOf(load);
    json["samples_per_s_lower"] = Number(throughput.lower);
    json["samples_per_s_upper"] = Number(throughput.upper);
  } else if (!load.abandoned) {
    json["latency"] = LatencyJson(load);
    Json latencies = Json::array();
    for (const double s : load.latencies_s)
      latencies.push_back(Number(1e3 * s));
    json["latencies_ms"] = std::move(latencies);
  }
  json["bound_ms"] =
      report.bound_s.has_value() ? Json(1e3 * *report.bound_s) : Json(nullptr);
  const std::optional<BoundVerdict> verdict = VerdictOf(report);
  json["bound_verdict"] =
      verdict.has_value() ? Json(BoundVerdictName(*verdict)) : Json(nullptr);
  json["late"] = load.late;
  json["abandoned"] = load.abandoned;
  json["checked_runs"] = report.checked;
  json["disturbances"] = report.disturbances;
  Json probes = Json::array();
  if (report.search.has_value()) {
    for (const Probe& probe : report.search->probes) {
      probes.push_back({{"queries_per_s", probe.rate},
                        {"met", probe.met},
                        {"confirms", probe.confirms}});
    }
  }
  json["probes"] = std::move(probes);
  Json rules = Json::array();
  for (const Rule& rule : MlperfRulesOf(report)) {
    rules.push_back({{"rule", rule.text}, {"met", rule.met}});
  }
  json["mlperf"] = std::move(rules);
  // Names of models need not be UTF-8; invalid bytes become U+FFFD.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string ServeBenchmarkJson(const ServeReport& report) {
  const LoadResult& load = report.load;
  Json benchmark;
  const std::string name =
      absl::StrCat("serve/", report.model, "/", ScenarioName(load.scenario),
                   "/instances:", report.instances, "/threads:", report.threads,
                   "/batch:", report.batch);
  benchmark["name"] = name;
  benchmark["run_name"] = name;
  benchmark["run_type"] = "iteration";
  benchmark["repetitions"] = 1;
  benchmark["repetition_index"] = 0;
  benchmark["threads"] = 1;
  benchmark["iterations"] = load.queries;
  const double time_s =
      load.scenario == Scenario::kOffline
          ? load.duration_s / static_cast<double>(load.samples)
          : load.Latency(PercentileOf(load.scenario)).value;
  benchmark["real_time"] = Number(1e3 * time_s);
  benchmark["cpu_time"] = Number(1e3 * time_s);
  benchmark["time_unit"] = "ms";
  benchmark["items_per_second"] =
      static_cast<double>(load.samples) / load.duration_s;
  if (load.scenario != Scenario::kOffline && !load.abandoned) {
    const Json latency = LatencyJson(load);
    for (const auto& [key, value] : latency.items()) {
      if (!value.is_null()) benchmark[key] = value;
    }
  }
  Json json;
  json["context"] = {{"executable", "serve"},
                     {"fingerprint", report.fingerprint},
                     {"json_schema_version", 1}};
  json["benchmarks"] = Json::array({std::move(benchmark)});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay::suites
