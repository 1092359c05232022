#include "suites/harness/exit_rules.h"

#include "reports/render/census.h"
#include "runtime/base/check.h"

namespace assay::suites {
namespace {

ExitCode CodeOf(stats::Verdict verdict, const ExitRules& rules) {
  using stats::Verdict;
  switch (verdict) {
    case Verdict::kPass:
    case Verdict::kEquivalent:
    case Verdict::kImproved:
      return ExitCode::kPass;
    case Verdict::kRegressed:
      return rules.blessing ? ExitCode::kPass : ExitCode::kRegression;
    case Verdict::kEnvironmentChanged:
      return rules.blessing ? ExitCode::kPass : ExitCode::kInconclusive;
    case Verdict::kInconclusive:
      return ExitCode::kInconclusive;
    case Verdict::kNoBaseline:
    case Verdict::kEmulated:
      return rules.require_baseline && !rules.blessing ? ExitCode::kInconclusive
                                                       : ExitCode::kPass;
    case Verdict::kWrongOutput:
      return ExitCode::kWrongResult;
    case Verdict::kInfrastructure:
      return ExitCode::kInfrastructure;
  }
  CHECK(false) << "verdict " << static_cast<int>(verdict);
  return ExitCode::kInfrastructure;
}

}  // namespace

ExitCode ExitCodeOfRun(const reports::RunResult& result,
                       const ExitRules& rules) {
  if (result.rows.empty()) return ExitCode::kInfrastructure;
  ExitCode code = rules.must_judge && reports::CountJudged(result) == 0
                      ? ExitCode::kInconclusive
                      : ExitCode::kPass;
  for (const reports::Row& row : result.rows) {
    code = MoreSevere(code, CodeOf(row.verdict, rules));
  }
  return code;
}

}  // namespace assay::suites
