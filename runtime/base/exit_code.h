// ExitCode: the exit code of every program of the project. A script can tell a
// slower program from a broken machine, and a run that measured nothing never
// exits with kPass.
//
//   int main(int argc, char** argv) {
//     return assay::ReportExitCode(Run(argc, argv));
//   }
#ifndef ASSAY_RUNTIME_BASE_EXIT_CODE_H_
#define ASSAY_RUNTIME_BASE_EXIT_CODE_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace assay {

enum class ExitCode : int {
  kPass = 0,
  kRegression = 1,
  // A flag, a model, a device file or a baseline file is not usable.
  kUsage = 2,
  // The measurement allows no conclusion: too few samples, too much scatter, a
  // changed environment, or no baseline where one was required.
  kInconclusive = 3,
  kWrongResult = 4,
  // The device or the machine failed, or nothing was measured.
  kInfrastructure = 5,
};

// The more severe of two exit codes, in the order usage, wrong result,
// infrastructure, regression, inconclusive, pass. A wrong result precedes
// infrastructure because it puts every time in doubt; infrastructure precedes
// regression because an incomplete run has to be repeated first.
ExitCode MoreSevere(ExitCode a, ExitCode b);

// kPass for an OK status, kUsage for an error in the user's input (including a
// model that needs more memory than the user's limit), and kInfrastructure for
// all other errors.
ExitCode ExitCodeOf(const absl::Status& status);

// Returns the value for main() to return. Prints an error to standard error as
// `error: MESSAGE`.
int ReportExitCode(const absl::StatusOr<ExitCode>& code);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_EXIT_CODE_H_
