#include "ci/bisect/search/time_oracle.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::ci {
namespace {

// Bound of the probability that a final verdict of a measurement is wrong
// (reports/stats/paired_verdict.h).
constexpr double kErrorOfMeasurement = 0.005;

// The kernels that are slower explain the change if they make up this fraction
// of it.
constexpr double kExplained = 0.8;

Decision DecisionOf(stats::Verdict verdict) {
  switch (verdict) {
    case stats::Verdict::kRegressed:
      return {Answer::kWorse, kErrorOfMeasurement};
    case stats::Verdict::kEquivalent:
    case stats::Verdict::kImproved:
    case stats::Verdict::kPass:
      return {Answer::kNotWorse, kErrorOfMeasurement};
    default:
      return {Answer::kUndecided, 0};
  }
}

}  // namespace

bool Works(const Build& build, const std::string& cell) {
  if (!build.ok()) return false;
  const CellBuild* found = build.Find(cell);
  return found != nullptr && !found->calls.empty() &&
         found->row.verdict != stats::Verdict::kWrongOutput &&
         found->row.verdict != stats::Verdict::kInfrastructure;
}

const CellBuild* TimeOracle::CellOf(int candidate) const {
  const auto build = builds_.find(candidate);
  CHECK(build != builds_.end()) << "candidate " << candidate;
  return build->second->Find(options_.cell);
}

std::string TimeOracle::KeyOf(int candidate) const {
  const CellBuild& cell = *CellOf(candidate);
  const std::optional<std::string> code = CodeOf(parts_, cell.calls);
  // Without the digest of a kernel, only equal artifacts are known to be alike.
  std::string key = code.value_or(cell.row.build.artifact_digest);
  if (runtimes_) absl::StrAppend(&key, builds_.at(candidate)->runtime_digest);
  return key;
}

absl::StatusOr<bool> TimeOracle::Build(int candidate) {
  ASSAY_ASSIGN_OR_RETURN(const ci::Build* build, probes_.Get(candidate));
  if (!Works(*build, options_.cell)) return false;
  builds_[candidate] = build;
  return true;
}

std::string TimeOracle::NameOf(const Measurement& measurement) const {
  std::string name =
      absl::StrCat(CellOf(measurement.base)->row.build.artifact_digest, " ",
                   CellOf(measurement.run)->row.build.artifact_digest, " ",
                   measurement.patient);
  if (runtimes_) {
    absl::StrAppend(&name, " ", builds_.at(measurement.base)->runtime_digest,
                    " ", builds_.at(measurement.run)->runtime_digest);
  }
  if (measurement.kernels != nullptr) {
    absl::StrAppend(&name, "\n",
                    absl::StrJoin(measurement.kernels->nodes, "\n"));
  }
  return name;
}

const Comparison* TimeOracle::Find(const Measurement& measurement) const {
  const auto found = comparisons_.find(NameOf(measurement));
  return found == comparisons_.end() ? nullptr : &found->second;
}

absl::StatusOr<Comparison> TimeOracle::Measure(const Measurement& measurement) {
  if (const Comparison* known = Find(measurement)) return *known;
  ComparisonRequest request;
  request.base = builds_.at(measurement.base);
  request.run = builds_.at(measurement.run);
  request.cell = options_.cell;
  request.runtimes = runtimes_;
  request.margin = options_.margin;
  request.patient = measurement.patient;
  if (measurement.kernels != nullptr) {
    request.nodes = measurement.kernels->nodes;
    request.margin = MarginOf(*measurement.kernels, options_.margin);
  }
  ASSAY_ASSIGN_OR_RETURN(Comparison comparison, comparer_.Compare(request));
  ++measurements_;
  measuring_s_ += comparison.seconds;
  side_by_side_s_ += comparison.side_by_side_s();
  comparisons_[NameOf(measurement)] = comparison;
  return comparison;
}

absl::StatusOr<stats::Verdict> TimeOracle::Judge(
    int base, int run, std::optional<SlowKernels>* slow) {
  slow->reset();
  ASSAY_ASSIGN_OR_RETURN(const Comparison whole, Measure({base, run}));
  if (stats::IsJudgement(whole.verdict)) return whole.verdict;
  std::optional<SlowKernels> kernels = slow_;
  if (!kernels.has_value() && whole.paired.has_value() &&
      whole.paired->attribution.has_value() &&
      whole.paired->attribution->whole_ms > 0) {
    kernels = FindSlowKernels(*whole.paired->attribution, options_.margin);
  }
  if (kernels.has_value() && !runtimes_) {
    ASSAY_ASSIGN_OR_RETURN(const Comparison judged,
                           Measure({base, run, &*kernels}));
    // Kernels that only seemed to be slower say nothing about the others.
    if (judged.verdict == stats::Verdict::kRegressed ||
        (slow_.has_value() && stats::IsJudgement(judged.verdict))) {
      *slow = std::move(kernels);
      return judged.verdict;
    }
  }
  if (!comparer_.HasMoreTime()) return whole.verdict;
  ASSAY_ASSIGN_OR_RETURN(
      const Comparison patient,
      Measure({base, run, /*kernels=*/nullptr, /*patient=*/true}));
  return patient.verdict;
}

void TimeOracle::KeepSlowParts(SlowKernels slow) {
  std::vector<CodePart> kept;
  for (const CodePart& part : parts_) {
    if (absl::c_any_of(part.sources, [&](const std::string& source) {
          return absl::c_linear_search(slow.nodes, source);
        })) {
      kept.push_back(part);
    }
  }
  if (kept.empty()) return;
  parts_ = std::move(kept);
  slow_ = std::move(slow);
}

absl::StatusOr<TimeOracle::Ends> TimeOracle::CompareEnds() {
  const int last = probes_.last();
  for (const int end : {0, last}) {
    ASSAY_ASSIGN_OR_RETURN(const bool built, Build(end));
    CHECK(built) << "the cell does not work at end " << end;
  }
  parts_ = DifferentParts(CellOf(0)->calls, CellOf(last)->calls);
  const bool other_runtime =
      builds_[0]->runtime_digest != builds_[last]->runtime_digest;
  if (parts_.empty() && !other_runtime) return Ends::kSameProgram;
  bool slower = false;
  std::optional<SlowKernels> slow;
  if (!parts_.empty()) {
    ASSAY_ASSIGN_OR_RETURN(const stats::Verdict verdict, Judge(0, last, &slow));
    slower = verdict == stats::Verdict::kRegressed;
    if (slower && !slow.has_value()) {
      const Comparison* whole = Measured(0, last);
      if (whole->paired.has_value() && whole->paired->attribution.has_value()) {
        slow = FindSlowKernels(*whole->paired->attribution, options_.margin);
        if (slow.has_value() &&
            slow->change_ms <
                kExplained * whole->paired->attribution->whole_ms) {
          slow.reset();
        }
      }
    }
  }
  if (slower && slow.has_value()) KeepSlowParts(*std::move(slow));
  if (!slower && other_runtime) {
    runtimes_ = true;
    ASSAY_ASSIGN_OR_RETURN(const stats::Verdict verdict, Judge(0, last, &slow));
    slower = verdict == stats::Verdict::kRegressed;
  }
  if (!slower) return Ends::kNotSlower;
  // The search takes for granted that the ends differ.
  decisions_[{KeyOf(0), KeyOf(last)}] = {Answer::kWorse, 0};
  return Ends::kSlower;
}

bool TimeOracle::IsKnown(int base, int run) {
  if (!probes_.IsDone(run)) return false;
  if (builds_.count(run) == 0) {
    const auto works = Build(run);
    if (!works.ok()) return false;
    if (!*works) return true;
  }
  const std::string base_key = KeyOf(base);
  const std::string run_key = KeyOf(run);
  return base_key == run_key || decisions_.count({base_key, run_key}) > 0;
}

absl::StatusOr<Decision> TimeOracle::Compare(int base, int run) {
  const std::string base_key = KeyOf(base);
  const std::string run_key = KeyOf(run);
  if (base_key == run_key) return Decision{Answer::kNotWorse, 0};
  const auto known = decisions_.find({base_key, run_key});
  if (known != decisions_.end()) return known->second;
  Decision decision;
  if (slow_.has_value()) {
    ASSAY_ASSIGN_OR_RETURN(const Comparison comparison,
                           Measure({base, run, &*slow_}));
    decision = DecisionOf(comparison.verdict);
  }
  // The kernels may not be timed one by one, or be fused differently.
  if (decision.answer == Answer::kUndecided) {
    std::optional<SlowKernels> slow;
    ASSAY_ASSIGN_OR_RETURN(const stats::Verdict verdict,
                           Judge(base, run, &slow));
    decision = DecisionOf(verdict);
  }
  decisions_[{base_key, run_key}] = decision;
  return decision;
}

absl::StatusOr<Decision> TimeOracle::Confirm(int base, int run) {
  std::optional<SlowKernels> slow;
  ASSAY_ASSIGN_OR_RETURN(const stats::Verdict verdict, Judge(base, run, &slow));
  return DecisionOf(verdict);
}

const Comparison* TimeOracle::Measured(int base, int run) const {
  const Comparison* patient = Find({base, run, nullptr, /*patient=*/true});
  return patient != nullptr ? patient : Find({base, run});
}

const Comparison* TimeOracle::MeasuredKernels(int base, int run) const {
  return slow_.has_value() ? Find({base, run, &*slow_}) : nullptr;
}

}  // namespace assay::ci
