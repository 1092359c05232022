#include "ci/bisect/search/cell_bisection.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "ci/bisect/search/probes.h"
#include "ci/bisect/search/search.h"
#include "ci/bisect/search/time_oracle.h"
#include "ci/bisect/search/value_oracle.h"
#include "runtime/base/status_macros.h"

namespace assay::ci {
namespace {

constexpr absl::string_view kMetricNames[] = {"time",   "outcome", "size",
                                              "memory", "compile", "load"};

// The smallest change of a time that is measured once per build.
constexpr double kLeastChangeOfBuildTime = 0.1;

// The outcome of the cell in a build.
struct Outcome {
  // Outcomes of the same sort are alike for a bisection.
  enum class Sort : uint8_t {
    kWorks,
    kWrongOutput,
    kFails,    // does not compile, or its program crashes
    kMissing,  // the suite does not have the cell
    kUnbuilt,  // the commit cannot be built
  };
  Sort sort = Sort::kWorks;
  std::string text;
};

Outcome OutcomeOf(const Build& build, const std::string& cell) {
  using Sort = Outcome::Sort;
  if (!build.ok()) return {Sort::kUnbuilt, build.problem};
  const CellBuild* found = build.Find(cell);
  if (found == nullptr) return {Sort::kMissing, "the suite lacks the cell"};
  if (found->row.verdict == stats::Verdict::kWrongOutput) {
    return {Sort::kWrongOutput,
            absl::StrCat("wrong output: ", found->row.reason)};
  }
  if (!Works(build, cell)) {
    return {Sort::kFails, absl::StrCat("fails: ", found->row.reason)};
  }
  return {Sort::kWorks, "works"};
}

std::string Percent(double change) {
  return absl::StrFormat("%.1f %%", 100 * change);
}

std::string ChangeText(const Comparison& comparison) {
  if (!comparison.paired.has_value()) return comparison.reason;
  const reports::PairedComparison& paired = *comparison.paired;
  return absl::StrCat(Percent(std::abs(paired.change)),
                      paired.change < 0 ? " faster [" : " slower [",
                      Percent(paired.lower), ", ", Percent(paired.upper), "]");
}

// Returns e.g. `kernels of conv1: 16.0 % slower [14.0 %, 17.1 %]`.
std::string KernelsText(const Comparison& comparison) {
  if (!comparison.paired.has_value()) return comparison.reason;
  return absl::StrCat("kernels of ",
                      absl::StrJoin(comparison.paired->nodes, ", "), ": ",
                      ChangeText(comparison));
}

// Bisects one cell.
class Bisection {
 public:
  Bisection(Probes& probes, Comparer& comparer, const CellOptions& options)
      : probes_(probes), comparer_(comparer), options_(options) {}

  absl::StatusOr<CellResult> Run() {
    result_.cell = options_.cell;
    result_.candidates = probes_.last() + 1;
    if (probes_.last() == 0) {
      return Ended(CellStatus::kSameProgram,
                   "no commit changes what the build depends on");
    }
    ASSAY_ASSIGN_OR_RETURN(const Build* good, probes_.Get(0));
    ASSAY_ASSIGN_OR_RETURN(const Build* bad, probes_.Get(probes_.last()));
    const Outcome at_good = OutcomeOf(*good, options_.cell);
    const Outcome at_bad = OutcomeOf(*bad, options_.cell);
    const bool breaks = at_good.sort == Outcome::Sort::kWorks &&
                        at_bad.sort != Outcome::Sort::kWorks;
    result_.metric =
        options_.metric.value_or(breaks ? Metric::kOutcome : Metric::kTime);
    if (at_good.sort != Outcome::Sort::kWorks) {
      return Ended(CellStatus::kUnusable,
                   absl::StrCat("the good end: ", at_good.text));
    }
    if (result_.metric == Metric::kOutcome) {
      if (!breaks) {
        return Ended(CellStatus::kNotReproduced, "it works at both ends");
      }
      return BisectOutcome(at_bad.sort);
    }
    if (breaks) {
      return Ended(CellStatus::kUnusable,
                   absl::StrCat("the bad end: ", at_bad.text));
    }
    switch (result_.metric) {
      case Metric::kSize:
        return BisectBytes(&reports::BuildFacts::artifact_bytes);
      case Metric::kMemory:
        return BisectBytes(&reports::BuildFacts::arena_bytes);
      case Metric::kCompile:
        return BisectBuildTime(
            [](const reports::Row& row) { return row.build.compile_ms; });
      case Metric::kLoad:
        return BisectBuildTime(
            [](const reports::Row& row) { return row.timing.load_ms; });
      default:
        return BisectTime();
    }
  }

 private:
  CellResult Ended(CellStatus status, std::string reason) {
    result_.status = status;
    result_.reason = std::move(reason);
    return std::move(result_);
  }

  absl::StatusOr<CellResult> BisectOutcome(Outcome::Sort bad) {
    // Other outcomes than those of the two ends say nothing about the culprit.
    ValueOracle oracle(
        probes_,
        [&](const Build& build) -> std::optional<double> {
          const Outcome::Sort sort = OutcomeOf(build, options_.cell).sort;
          if (sort == bad) return 2;
          if (sort == Outcome::Sort::kWorks) return 1;
          return std::nullopt;
        },
        /*tolerance=*/0);
    return SearchValues(oracle, [&](int /*before*/, int after) {
      const auto build = probes_.Get(after);
      return build.ok() ? OutcomeOf(**build, options_.cell).text : "";
    });
  }

  absl::StatusOr<CellResult> BisectBytes(int64_t reports::BuildFacts::* bytes) {
    ValueOracle oracle(
        probes_,
        [&](const Build& build) -> std::optional<double> {
          if (!Works(build, options_.cell)) return std::nullopt;
          const reports::Row& row = build.Find(options_.cell)->row;
          return static_cast<double>(row.build.*bytes);
        },
        options_.min_change / 2);
    return SearchValues(oracle, [&](int before, int after) {
      const double base = oracle.ValueAt(before);
      const double run = oracle.ValueAt(after);
      return absl::StrFormat("%.0f bytes before, %.0f bytes after (%+.1f %%)",
                             base, run, 100 * (run / base - 1));
    });
  }

  template <typename TimeOf>
  absl::StatusOr<CellResult> BisectBuildTime(const TimeOf& time_of) {
    ValueOracle oracle(
        probes_,
        [&](const Build& build) -> std::optional<double> {
          if (!Works(build, options_.cell)) return std::nullopt;
          return time_of(build.Find(options_.cell)->row);
        },
        std::max(options_.min_change, kLeastChangeOfBuildTime));
    const int last = probes_.last();
    for (const int end : {0, last}) {
      ASSAY_ASSIGN_OR_RETURN(const bool timed, oracle.Build(end));
      if (!timed) {
        return Ended(CellStatus::kUnusable, "the time was not measured");
      }
    }
    ASSAY_ASSIGN_OR_RETURN(const Decision ends, oracle.Compare(0, last));
    const auto describe = [&](int before, int after) {
      const double base = oracle.ValueAt(before);
      const double run = oracle.ValueAt(after);
      return absl::StrFormat("%.1f ms before, %.1f ms after (%+.0f %%)", base,
                             run, 100 * (run / base - 1));
    };
    if (ends.answer != Answer::kWorse) {
      return Ended(CellStatus::kNotReproduced, describe(0, last));
    }
    const double change = oracle.ValueAt(last) / oracle.ValueAt(0) - 1;
    oracle.SetNoise(change / 2, change / 4);
    return SearchValues(oracle, describe);
  }

  template <typename Describe>
  absl::StatusOr<CellResult> SearchValues(ValueOracle& oracle,
                                          const Describe& describe) {
    for (const int end : {0, probes_.last()}) {
      ASSAY_RETURN_IF_ERROR(oracle.Build(end).status());
    }
    ASSAY_ASSIGN_OR_RETURN(const Decision ends,
                           oracle.Compare(0, probes_.last()));
    if (ends.answer != Answer::kWorse) {
      return Ended(CellStatus::kNotReproduced, describe(0, probes_.last()));
    }
    // Any commit can be a culprit.
    ASSAY_ASSIGN_OR_RETURN(const std::vector<Culprit> culprits,
                           Search(oracle, /*weights=*/{}));
    for (const Culprit& culprit : culprits) {
      AddFinding(culprit).change = describe(culprit.after, culprit.until);
    }
    return Ended(CellStatus::kFound, "");
  }

  absl::StatusOr<CellResult> BisectTime() {
    TimeOracle oracle(probes_, comparer_,
                      {options_.cell, options_.min_change / 2});
    ASSAY_ASSIGN_OR_RETURN(const TimeOracle::Ends ends, oracle.CompareEnds());
    if (ends == TimeOracle::Ends::kSlower) {
      ASSAY_ASSIGN_OR_RETURN(
          const std::vector<Culprit> culprits,
          Search(oracle, oracle.compares_runtimes() ? options_.weights
                                                    : options_.kernel_weights));
      for (const Culprit& culprit : culprits) {
        Finding& finding = AddFinding(culprit);
        const Comparison* measured =
            oracle.Measured(culprit.after, culprit.until);
        if (measured == nullptr) continue;
        finding.comparison = *measured;
        finding.change = ChangeText(*measured);
        const Comparison* kernels =
            oracle.MeasuredKernels(culprit.after, culprit.until);
        if (stats::IsJudgement(measured->verdict) || kernels == nullptr) {
          continue;
        }
        finding.change =
            absl::StrCat(KernelsText(*kernels), "; all: ", finding.change);
      }
    }
    result_.measurements = oracle.measurements();
    result_.measuring_s = oracle.measuring_s();
    result_.side_by_side_s = oracle.side_by_side_s();
    switch (ends) {
      case TimeOracle::Ends::kSlower:
        return Ended(CellStatus::kFound, "");
      case TimeOracle::Ends::kSameProgram:
        return Ended(CellStatus::kSameProgram,
                     "both ends have the same kernels and the same runtime, so "
                     "a difference in time is the machine's");
      case TimeOracle::Ends::kNotSlower:
        break;
    }
    const Comparison* measured = oracle.Measured(0, probes_.last());
    if (measured == nullptr) {
      return Ended(CellStatus::kNotReproduced, "the bad end is not slower");
    }
    if (!stats::IsJudgement(measured->verdict)) {
      result_.undecided = true;
      return Ended(CellStatus::kNotReproduced,
                   absl::StrCat("the ends were compared without a verdict: ",
                                measured->reason));
    }
    return Ended(
        CellStatus::kNotReproduced,
        absl::StrCat("the bad end is not slower: ", ChangeText(*measured)));
  }

  absl::StatusOr<std::vector<Culprit>> Search(Oracle& oracle,
                                              std::vector<double> weights) {
    SearchOptions options;
    options.max_error = options_.max_error;
    options.weights = std::move(weights);
    return FindCulprits(probes_.last(), oracle, options);
  }

  Finding& AddFinding(const Culprit& culprit) {
    Finding finding;
    finding.suspects = probes_.Suspects(culprit.after, culprit.until);
    finding.before = probes_.CommitOf(culprit.after);
    finding.after = probes_.CommitOf(culprit.until);
    finding.confirmed = culprit.confirmed;
    finding.error = culprit.error;
    return result_.findings.emplace_back(std::move(finding));
  }

  Probes& probes_;
  Comparer& comparer_;
  const CellOptions& options_;
  CellResult result_;
};

}  // namespace

absl::string_view MetricName(Metric metric) {
  return kMetricNames[static_cast<size_t>(metric)];
}

absl::StatusOr<Metric> ParseMetric(absl::string_view name) {
  for (size_t i = 0; i < std::size(kMetricNames); ++i) {
    if (kMetricNames[i] == name) return static_cast<Metric>(i);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("`", name,
                   "` is not one of `time`, `outcome`, `size`, `memory`, "
                   "`compile` and `load`"));
}

absl::StatusOr<CellResult> BisectCell(const std::vector<std::string>& commits,
                                      const std::vector<Candidate>& candidates,
                                      const CellOptions& options,
                                      Builder& builder, Comparer& comparer) {
  Probes probes(commits, candidates, builder);
  return Bisection(probes, comparer, options).Run();
}

}  // namespace assay::ci
