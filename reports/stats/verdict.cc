#include "reports/stats/verdict.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"

namespace assay::stats {
namespace {

struct NamedVerdict {
  Verdict verdict;
  absl::string_view name;
};

constexpr NamedVerdict kVerdicts[] = {
    {Verdict::kPass, "pass"},
    {Verdict::kEquivalent, "equivalent"},
    {Verdict::kImproved, "improved"},
    {Verdict::kRegressed, "regressed"},
    {Verdict::kEnvironmentChanged, "environment_changed"},
    {Verdict::kInconclusive, "inconclusive"},
    {Verdict::kNoBaseline, "no_baseline"},
    {Verdict::kEmulated, "emulated"},
    {Verdict::kWrongOutput, "wrong_output"},
    {Verdict::kInfrastructure, "infrastructure"},
};

}  // namespace

bool IsJudgement(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
    case Verdict::kEquivalent:
    case Verdict::kImproved:
    case Verdict::kRegressed:
    case Verdict::kWrongOutput:
      return true;
    default:
      return false;
  }
}

absl::string_view VerdictName(Verdict verdict) {
  for (const NamedVerdict& v : kVerdicts) {
    if (v.verdict == verdict) return v.name;
  }
  CHECK(false) << "verdict " << static_cast<int>(verdict) << " has no name";
  return "";
}

absl::StatusOr<Verdict> ParseVerdict(absl::string_view name) {
  for (const NamedVerdict& v : kVerdicts) {
    if (v.name == name) return v.verdict;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("`", name, "` is not a verdict"));
}

std::ostream& operator<<(std::ostream& os, Verdict verdict) {
  return os << VerdictName(verdict);
}

}  // namespace assay::stats
