#include "reports/history/series.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "reports/history/cell_name.h"
#include "reports/stats/summary.h"

namespace assay::reports {
namespace {

using SeriesName = std::tuple<CellName, Metric, std::string>;

// A series, and what is needed to continue it.
struct Growing {
  Series series;
  const RunResult* run = nullptr;  // of the last point
  const Row* row = nullptr;        // of the last point
  std::string digest;              // of the kernel at the last point
};

class Builder {
 public:
  void Add(size_t index, const RunResult& run, const Row& row) {
    if (row.emulated || row.timing.samples_ns.empty()) return;
    const CellName name = NameOf(row);
    const double median = stats::Median(InMilliseconds(row.timing.samples_ns));
    const Measured now = {run, row};
    AddPoint({name, Metric::kLatency, ""}, index, now, median, "");
    AddKernels(name, index, now);
    const std::optional<double>& load = row.timing.load_ms;
    if (load.has_value()) {
      AddPoint({name, Metric::kLoad, ""}, index, now, *load, "");
    }
    const std::optional<int64_t>& memory = row.timing.peak_rss_bytes;
    if (memory.has_value()) {
      AddPoint({name, Metric::kMemory, ""}, index, now,
               static_cast<double>(*memory), "");
    }
    const auto& reference = row.comparison.speedup_vs_reference;
    if (reference.has_value()) {
      AddPoint({name, Metric::kReference, ""}, index, now,
               median * reference->value, "");
    }
  }

  std::vector<Series> Finish() {
    std::vector<Series> result;
    for (auto& [name, growing] : series_) {
      result.push_back(std::move(growing.series));
    }
    return result;
  }

 private:
  void AddKernels(const CellName& name, size_t index, const Measured& now) {
    std::map<std::string, std::string> digests;
    for (const KernelCode& kernel : now.row.build.code) {
      digests[kernel.symbol] = kernel.digest;
    }
    std::map<std::string, int> calls;
    for (const OperatorTime& op : now.row.timing.operators) {
      std::string kernel =
          op.sources.empty() ? op.kind : absl::StrJoin(op.sources, "+");
      const int call = ++calls[kernel];
      if (call > 1) absl::StrAppend(&kernel, " #", call);
      AddPoint({name, Metric::kKernel, kernel}, index, now, op.ms,
               digests[op.kernel]);
    }
  }

  void AddPoint(const SeriesName& name, size_t index, const Measured& now,
                double quantity, const std::string& digest) {
    const double value = std::log(quantity);
    if (!std::isfinite(value)) return;
    Growing& growing = series_[name];
    Series& series = growing.series;
    series.metric = std::get<Metric>(name);
    series.kernel = std::get<std::string>(name);
    series.row = &now.row;
    series.has_digest &=
        IsOfProgram(series.metric) && !now.row.build.artifact_digest.empty();
    series.points.push_back(
        {index, value, series.AddMachine(MachineOf(now.row))});
    if (growing.row != nullptr) {
      AddStep({*growing.run, *growing.row}, growing.digest, now, digest,
              series);
    }
    growing.run = &now.run;
    growing.row = &now.row;
    growing.digest = digest;
  }

  static void AddStep(const Measured& before, const std::string& digest_before,
                      const Measured& now, const std::string& digest,
                      Series& series) {
    Step step;
    step.point = series.points.size() - 1;
    switch (series.metric) {
      case Metric::kLatency:
      case Metric::kLoad:
      case Metric::kMemory:
        step.change = ChangeOfCell(before, now);
        break;
      case Metric::kKernel:
        step.change = ChangeOfKernel(before, digest_before, now, digest);
        break;
      case Metric::kReference:
        step.change = ChangeOfReference(before, now);
        break;
    }
    if (step.change.causes.none()) return;
    const std::optional<PairedComparison>& paired = now.row.comparison.paired;
    if (series.metric == Metric::kLatency && paired.has_value()) {
      step.side_by_side = {
          now.row.verdict, paired->change, paired->lower, paired->upper,
          paired->artifact_digest == before.row.build.artifact_digest};
    }
    series.steps.push_back(std::move(step));
  }

  std::map<SeriesName, Growing> series_;
};

}  // namespace

uint32_t Series::AddMachine(absl::string_view name) {
  // The machine is mostly that of the night before.
  auto at = std::find(machines.rbegin(), machines.rend(), name);
  if (at == machines.rend()) {
    machines.emplace_back(name);
    at = machines.rbegin();
  }
  return static_cast<uint32_t>(machines.rend() - at - 1);
}

std::vector<Series> BuildSeries(absl::Span<const RunResult> history) {
  Builder builder;
  for (size_t run = 0; run < history.size(); ++run) {
    for (const Row& row : history[run].rows) {
      builder.Add(run, history[run], row);
    }
  }
  return builder.Finish();
}

const Step* StepAt(const Series& series, size_t point) {
  const auto at = std::lower_bound(
      series.steps.begin(), series.steps.end(), point,
      [](const Step& step, size_t p) { return step.point < p; });
  return at == series.steps.end() || at->point != point ? nullptr : &*at;
}

}  // namespace assay::reports
