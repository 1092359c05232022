#include "ci/bisect/search/time_oracle.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
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

std::string TimeOracle::PairOf(int base, int run, bool runtimes) const {
  std::string pair = absl::StrCat(CellOf(base)->row.build.artifact_digest, " ",
                                  CellOf(run)->row.build.artifact_digest);
  if (runtimes) {
    absl::StrAppend(&pair, " ", builds_.at(base)->runtime_digest, " ",
                    builds_.at(run)->runtime_digest);
  }
  return pair;
}

absl::StatusOr<Comparison> TimeOracle::Measure(int base, int run,
                                               bool runtimes) {
  ComparisonRequest request;
  request.base = builds_.at(base);
  request.run = builds_.at(run);
  request.cell = options_.cell;
  request.runtimes = runtimes;
  request.margin = options_.margin;
  const std::string key = PairOf(base, run, runtimes);
  const auto known = comparisons_.find(key);
  if (known != comparisons_.end()) return known->second;
  ASSAY_ASSIGN_OR_RETURN(Comparison comparison, comparer_.Compare(request));
  ++measurements_;
  measuring_s_ += comparison.seconds;
  comparisons_[key] = comparison;
  return comparison;
}

void TimeOracle::KeepSlowParts(const reports::Attribution& attribution) {
  double explained_ms = 0;
  std::vector<std::string> slow;
  for (const reports::KernelChange& kernel : attribution.kernels) {
    if (kernel.lower_ms <= 0 || kernel.same_code) continue;
    // Kernels without nodes cannot be told apart by name.
    if (kernel.sources.empty()) return;
    explained_ms += kernel.change_ms;
    slow.insert(slow.end(), kernel.sources.begin(), kernel.sources.end());
  }
  if (explained_ms < kExplained * attribution.whole_ms) return;
  std::vector<CodePart> kept;
  for (const CodePart& part : parts_) {
    if (absl::c_any_of(part.sources, [&](const std::string& source) {
          return absl::c_linear_search(slow, source);
        })) {
      kept.push_back(part);
    }
  }
  if (!kept.empty()) parts_ = std::move(kept);
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
  if (!parts_.empty()) {
    ASSAY_ASSIGN_OR_RETURN(const Comparison comparison,
                           Measure(0, last, /*runtimes=*/false));
    slower = comparison.verdict == stats::Verdict::kRegressed;
    if (slower && comparison.paired.has_value() &&
        comparison.paired->attribution.has_value()) {
      KeepSlowParts(*comparison.paired->attribution);
    }
  }
  if (!slower && other_runtime) {
    runtimes_ = true;
    ASSAY_ASSIGN_OR_RETURN(const Comparison comparison,
                           Measure(0, last, /*runtimes=*/true));
    slower = comparison.verdict == stats::Verdict::kRegressed;
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
  ASSAY_ASSIGN_OR_RETURN(const Comparison comparison,
                         Measure(base, run, runtimes_));
  const Decision decision = DecisionOf(comparison.verdict);
  decisions_[{base_key, run_key}] = decision;
  return decision;
}

absl::StatusOr<Decision> TimeOracle::Confirm(int base, int run) {
  ASSAY_ASSIGN_OR_RETURN(const Comparison comparison,
                         Measure(base, run, runtimes_));
  return DecisionOf(comparison.verdict);
}

const Comparison* TimeOracle::Measured(int base, int run) const {
  const auto found = comparisons_.find(PairOf(base, run, runtimes_));
  return found == comparisons_.end() ? nullptr : &found->second;
}

}  // namespace assay::ci
