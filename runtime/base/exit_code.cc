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
  ExitCode result = code.ok() ? *code : ExitCodeOf(code.status());
  // The output of a program is its result. If it was lost, because the output
  // is closed or its disk is full, the program has failed.
  std::cout.flush();
  const absl::Status output =
      std::cout.good()
          ? absl::OkStatus()
          : absl::UnavailableError("cannot write to the standard output");
  for (const absl::Status& error : {code.status(), output}) {
    if (error.ok()) continue;
    std::cerr << "error: " << error.message() << "\n";
    result = MoreSevere(result, ExitCodeOf(error));
  }
  return static_cast<int>(result);
}

}  // namespace assay
