#include "suites/harness/exit_code.h"

#include "reports/render/census.h"
#include "runtime/base/check.h"

namespace assay::suites {
namespace {

ExitCode OfVerdict(stats::Verdict verdict, const ExitRules& rules) {
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

int Gravity(ExitCode code) {
  switch (code) {
    case ExitCode::kPass:
      return 0;
    case ExitCode::kInconclusive:
      return 1;
    case ExitCode::kRegression:
      return 2;
    case ExitCode::kInfrastructure:
      return 3;
    case ExitCode::kWrongResult:
      return 4;
    case ExitCode::kUsage:
      return 5;
  }
  return 5;
}

}  // namespace

ExitCode ExitCodeOf(const reports::RunResult& result, const ExitRules& rules) {
  if (result.rows.empty()) return ExitCode::kInfrastructure;
  ExitCode gravest = rules.must_judge && reports::CountJudged(result) == 0
                         ? ExitCode::kInconclusive
                         : ExitCode::kPass;
  for (const reports::Row& row : result.rows) {
    const ExitCode code = OfVerdict(row.verdict, rules);
    gravest = WorseOf(gravest, code);
  }
  return gravest;
}

ExitCode WorseOf(ExitCode a, ExitCode b) {
  return Gravity(b) > Gravity(a) ? b : a;
}

ExitCode ExitCodeOf(const absl::Status& error) {
  CHECK(!error.ok());
  switch (error.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kUnimplemented:
    case absl::StatusCode::kOutOfRange:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kAlreadyExists:
    // A model that needs more than --max_memory.
    case absl::StatusCode::kResourceExhausted:
      return ExitCode::kUsage;
    default:
      return ExitCode::kInfrastructure;
  }
}

}  // namespace assay::suites
