#include "runtime/base/exit_code.h"

#include <iostream>

namespace assay {
namespace {

int Severity(ExitCode code) {
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

ExitCode MoreSevere(ExitCode a, ExitCode b) {
  return Severity(b) > Severity(a) ? b : a;
}

ExitCode ExitCodeOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return ExitCode::kPass;
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kUnimplemented:
    case absl::StatusCode::kOutOfRange:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kAlreadyExists:
    case absl::StatusCode::kResourceExhausted:
      return ExitCode::kUsage;
    default:
      return ExitCode::kInfrastructure;
  }
}

int ReportExitCode(const absl::StatusOr<ExitCode>& code) {
  if (code.ok()) return static_cast<int>(*code);
  std::cerr << "error: " << code.status().message() << "\n";
  return static_cast<int>(ExitCodeOf(code.status()));
}

}  // namespace assay
