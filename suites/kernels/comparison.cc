#include "suites/kernels/comparison.h"

#include <cmath>
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

double Quotient(double numerator, double denominator) {
  return denominator > 0 ? numerator / denominator : 0;
}

nlohmann::json ToJson(const Comparison& comparison) {
  nlohmann::json json = {
      {"name", comparison.name},          {"problem", comparison.problem},
      {"threads", comparison.threads},    {"flops", comparison.flops},
      {"wrong", comparison.wrong},        {"notes", comparison.notes},
      {"series", nlohmann::json::array()}};
  for (const Series& series : comparison.series) {
    json["series"].push_back({{"name", series.name},
                              {"number", series.number},
                              {"samples_ns", series.samples_ns}});
  }
  return json;
}

}  // namespace

double Comparison::MedianNs(absl::string_view who) const {
  const Series* series = Find(*this, who);
  return series == nullptr ? 0 : stats::Summarize(series->samples_ns).median;
}

double Comparison::MinNs(absl::string_view who) const {
  const Series* series = Find(*this, who);
  return series == nullptr ? 0 : stats::Summarize(series->samples_ns).min;
}

double Comparison::GflopsOf(absl::string_view who) const {
  return Quotient(flops, MedianNs(who));
}

double Comparison::Ratio(absl::string_view ours,
                         absl::string_view other) const {
  return Quotient(MedianNs(other), MedianNs(ours));
}

double Comparison::MinRatio(absl::string_view ours,
                            absl::string_view other) const {
  return Quotient(MinNs(other), MinNs(ours));
}

absl::Status Compare(const std::vector<Contender>& contenders,
                     runtime::Session* oracle, const KernelOptions& options,
                     Comparison* comparison) {
  CHECK(!contenders.empty());
  std::vector<Contender> all = contenders;
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
  SamplingOptions sampling;
  sampling.sample_nanos = options.sample_nanos;
  sampling.same_number = false;
  sampling.min_number_for_warmup = 1;
  sampling.seed = options.seed;
  if (comparison->threads > 1) {
    sampling.settle = WaitForIdleThreads;
    sampling.warmup_nanos = 5'000'000;  // more than a tick of the scheduler
  }
  Sampler sampler(contenders, std::move(sampling), Clock::Monotonic());
  ASSAY_RETURN_IF_ERROR(sampler.RunRounds(options.rounds));
  for (int i = 0; i < sampler.num_contenders(); ++i) {
    comparison->series.push_back(
        {contenders[i].name, sampler.number(i), sampler.samples_ns(i)});
  }
  return absl::OkStatus();
}

absl::Status CompareWithReferences(
    std::vector<Contender> ours,
    const std::vector<std::unique_ptr<Reference>>& references,
    const PrepareReference& prepare, runtime::Session& interpreter,
    const KernelOptions& options, Comparison* comparison) {
  std::vector<std::unique_ptr<runtime::Session>> prepared;
  for (const auto& reference : references) {
    auto session = prepare(*reference);
    if (!session.ok()) {
      comparison->notes.emplace_back(session.status().message());
      continue;
    }
    ours.push_back({reference->name(), session->get()});
    prepared.push_back(*std::move(session));
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
      "name,problem,threads,contender,median_ns,min_ns,gflops,samples\n";
  for (const Comparison& comparison : comparisons) {
    json["rows"].push_back(ToJson(comparison));
    for (const Series& series : comparison.series) {
      absl::StrAppend(&csv, reports::CsvField(comparison.name), ",",
                      reports::CsvField(comparison.problem), ",",
                      comparison.threads, ",", reports::CsvField(series.name),
                      ",", comparison.MedianNs(series.name), ",",
                      comparison.MinNs(series.name), ",",
                      comparison.GflopsOf(series.name), ",",
                      series.samples_ns.size(), "\n");
    }
  }
  ASSAY_RETURN_IF_ERROR(MakeDirs(options.out));
  ASSAY_RETURN_IF_ERROR(WriteFileAtomic(JoinPath(options.out, "results.json"),
                                        json.dump(1) + "\n"));
  return WriteFileAtomic(JoinPath(options.out, "results.csv"), csv);
}

double GeometricMean(const std::vector<double>& values) {
  if (values.empty()) return 0;
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace assay::suites
