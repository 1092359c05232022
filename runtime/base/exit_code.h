// ExitCode: the exit codes of all programs of the project. They let a script
// distinguish a slower program (kRegression) from a broken machine
// (kInfrastructure). A run that measured nothing never exits with kPass.
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
  // The device or the machine failed, nothing was measured, or a check failed
  // in the program (check.h).
  kInfrastructure = 5,
};

// Returns the more severe of two exit codes. The order, most severe first, is
// usage, wrong result, infrastructure, regression, inconclusive, pass. A wrong
// result precedes infrastructure because it makes every measured time doubtful;
// infrastructure precedes regression because an incomplete run must be repeated
// before its times are judged.
ExitCode MoreSevere(ExitCode a, ExitCode b);

// Returns kPass for an OK status, kUsage for an error in the user's input
// (including a model that needs more memory than the user's limit), and
// kInfrastructure for all other errors.
ExitCode ExitCodeOf(const absl::Status& status);

// Returns the value for main() to return. Prints an error to standard error as
// `error: MESSAGE`. If the standard output cannot be written, prints an error,
// too, and returns the more severe of kInfrastructure and the other code.
int ReportExitCode(const absl::StatusOr<ExitCode>& code);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_EXIT_CODE_H_
