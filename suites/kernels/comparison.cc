#include "suites/kernels/comparison.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "reports/render/csv_field.h"
#include "reports/stats/summary.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "suites/correctness/accuracy.h"
#include "suites/sampling/idle_threads.h"

namespace assay::suites {
namespace {

const Series* Find(const Comparison& comparison, absl::string_view name) {
  for (const Series& series : comparison.series) {
    if (series.name == name) return &series;
  }
  return nullptr;
}

// Returns the nominal GFLOP per second of a run that takes `ns`, or 0 if no run
// was timed.
double Gflops(double flops, double ns) { return ns > 0 ? flops / ns : 0; }

const Parity* FindParity(const Comparison& comparison, absl::string_view name) {
  for (const auto& [contender, parity] : comparison.parity) {
    if (contender == name) return &parity;
  }
  return nullptr;
}

nlohmann::json ToJson(const Comparison& comparison) {
  nlohmann::json json = {
      {"name", comparison.name},          {"problem", comparison.problem},
      {"threads", comparison.threads},    {"flops", comparison.flops},
      {"wrong", comparison.wrong},        {"notes", comparison.notes},
      {"series", nlohmann::json::array()}};
  json["algorithm"] = comparison.algorithm;
  json["parity"] = ParityRecord(comparison.parity);
  const auto differs = [&](const NamedParity& contender) {
    return suites::PrecisionDiffers(contender.parity,
                                    comparison.parity[0].parity);
  };
  json["precision_differs"] =
      std::any_of(comparison.parity.begin(), comparison.parity.end(), differs);
  for (const Series& series : comparison.series) {
    json["series"].push_back({{"name", series.name},
                              {"number", series.number},
                              {"samples_ns", series.samples_ns}});
  }
  return json;
}

SamplingOptions SamplingFor(const KernelOptions& options, int threads) {
  SamplingOptions sampling;
  sampling.sample_nanos = options.sample_nanos;
  sampling.same_number = false;
  sampling.min_number_for_warmup = 1;
  sampling.seed = options.seed;
  if (threads > 1) {
    sampling.settle = WaitForIdleThreads;
    sampling.warmup_nanos = 5'000'000;  // more than a tick of the scheduler
  }
  return sampling;
}

// Returns the contenders that are timed, and adds their conditions and notes
// about the other ones to `*comparison`.
std::vector<Contender> WithEqualConditions(const std::vector<Entrant>& entrants,
                                           const SamplingOptions& sampling,
                                           Comparison* comparison) {
  std::vector<Contender> timed;
  std::map<std::string, NamedParity> wanted;  // by Entrant::peer
  for (const auto& [contender, parity, peer] : entrants) {
    NamedParity ours = {contender.name, parity};
    ours.parity.warmup_runs = 1;  // because of min_number_for_warmup
    ours.parity.warmup_nanos = sampling.warmup_nanos;
    ours.parity.inputs = InputChange::kNever;
    const std::vector<NamedParity> both = {
        wanted.emplace(peer, ours).first->second, ours};
    const absl::Status status = CheckParity(both);
    if (!status.ok()) {
      comparison->notes.push_back(
          absl::StrCat(contender.name, " is not timed: ", status.message()));
      continue;
    }
    timed.push_back(contender);
    comparison->parity.push_back(std::move(ours));
  }
  return timed;
}

}  // namespace

double Comparison::MedianNs(absl::string_view who) const {
  const Series* series = Find(*this, who);
  return series == nullptr ? 0 : stats::Summarize(series->samples_ns).median;
}

double Comparison::GflopsOf(absl::string_view who) const {
  return Gflops(flops, MedianNs(who));
}

std::vector<double> Comparison::LogRatios(absl::string_view ours,
                                          absl::string_view other) const {
  const Series* a = Find(*this, ours);
  const Series* b = Find(*this, other);
  if (a == nullptr || b == nullptr) return {};
  return stats::LogSpeedRatios(a->samples_ns, b->samples_ns);
}

std::optional<stats::Ratio> Comparison::Ratio(absl::string_view ours,
                                              absl::string_view other) const {
  const Series* a = Find(*this, ours);
  const Series* b = Find(*this, other);
  if (a == nullptr || b == nullptr) return std::nullopt;
  return stats::SpeedRatio(a->samples_ns, b->samples_ns);
}

bool Comparison::PrecisionDiffers(absl::string_view ours,
                                  absl::string_view other) const {
  const Parity* a = FindParity(*this, ours);
  const Parity* b = FindParity(*this, other);
  return a != nullptr && b != nullptr && suites::PrecisionDiffers(*a, *b);
}

std::string Comparison::FastestOf(absl::string_view ours,
                                  absl::Span<const char* const> others) const {
  std::string fastest;
  double smallest = 0;
  for (const char* const other : others) {
    const std::optional<stats::Ratio> ratio = Ratio(ours, other);
    if (!ratio.has_value()) continue;
    if (fastest.empty() || ratio->value < smallest) {
      fastest = other;
      smallest = ratio->value;
    }
  }
  return fastest;
}

absl::Status Compare(const std::vector<Entrant>& entrants,
                     runtime::Session* oracle, const KernelOptions& options,
                     Comparison* comparison) {
  CHECK(!entrants.empty());
  std::vector<Contender> all;
  for (const Entrant& entrant : entrants) all.push_back(entrant.contender);
  if (oracle != nullptr) all.push_back({"interpreter", oracle});
  std::optional<runtime::NamedTensors> ours;
  for (const Contender& contender : all) {
    ASSAY_ASSIGN_OR_RETURN(
        const runtime::Sample sample,
        runtime::RunOnce(*contender.session, contender.program));
    // References name the output in their own way.
    const runtime::NamedTensors output = {{"out", sample.outputs.at(0).value}};
    if (!ours.has_value()) ours = output;
    const Accuracy accuracy = CheckOutputs(*ours, output);
    if (!accuracy.correct) {
      comparison->wrong = absl::StrCat("ours and ", contender.name,
                                       " differ: ", accuracy.problem);
      return absl::OkStatus();
    }
  }
  SamplingOptions sampling = SamplingFor(options, comparison->threads);
  const std::vector<Contender> contenders =
      WithEqualConditions(entrants, sampling, comparison);
  Sampler sampler(contenders, std::move(sampling), Clock::Monotonic());
  ASSAY_RETURN_IF_ERROR(sampler.RunRounds(options.rounds));
  for (int i = 0; i < sampler.num_contenders(); ++i) {
    comparison->series.push_back(
        {contenders[i].name, sampler.number(i), sampler.samples_ns(i)});
  }
  return absl::OkStatus();
}

absl::Status CompareWithReferences(
    std::vector<Entrant> ours,
    const std::vector<std::unique_ptr<Reference>>& references,
    const PrepareReference& prepare, runtime::Session& interpreter,
    const KernelOptions& options, Comparison* comparison) {
  std::vector<std::unique_ptr<runtime::Session>> prepared;
  for (const auto& reference : references) {
    absl::StatusOr<PreparedReference> loaded = prepare(*reference);
    if (!loaded.ok()) {
      comparison->notes.emplace_back(loaded.status().message());
      continue;
    }
    const std::string name = reference->name();
    const bool has_own_peer = std::any_of(
        ours.begin(), ours.end(),
        [&](const Entrant& entrant) { return entrant.peer == name; });
    ours.push_back({{name, loaded->session.get()},
                    std::move(loaded->parity),
                    has_own_peer ? name : ""});
    prepared.push_back(std::move(loaded->session));
  }
  if (!prepared.empty()) return Compare(ours, nullptr, options, comparison);
  comparison->notes.emplace_back(
      "checked against the reference interpreter, for want of a reference");
  return Compare(ours, &interpreter, options, comparison);
}

absl::Status WriteComparisons(const KernelOptions& options,
                              absl::string_view suite,
                              const std::vector<std::string>& versions,
                              const std::vector<Comparison>& comparisons) {
  if (options.out.empty()) return absl::OkStatus();
  nlohmann::json json = {{"suite", std::string(suite)},
                         {"references", versions},
                         {"rows", nlohmann::json::array()}};
  std::string csv =
      "name,problem,threads,contender,median_ns,min_ns,gflops,samples,"
      "reduced_precision\n";
  for (const Comparison& comparison : comparisons) {
    json["rows"].push_back(ToJson(comparison));
    const auto conditions = ParityRecord(comparison.parity);
    for (const Series& series : comparison.series) {
      const stats::Summary times = stats::Summarize(series.samples_ns);
      absl::StrAppend(&csv, reports::CsvField(comparison.name), ",",
                      reports::CsvField(comparison.problem), ",",
                      comparison.threads, ",", reports::CsvField(series.name),
                      ",", times.median, ",", times.min, ",",
                      Gflops(comparison.flops, times.median), ",",
                      series.samples_ns.size(), ",",
                      conditions.at(series.name).at(kReducedPrecision), "\n");
    }
  }
  ASSAY_RETURN_IF_ERROR(MakeDirs(options.out));
  ASSAY_RETURN_IF_ERROR(WriteFileAtomic(JoinPath(options.out, "results.json"),
                                        json.dump(1) + "\n"));
  return WriteFileAtomic(JoinPath(options.out, "results.csv"), csv);
}

}  // namespace assay::suites
