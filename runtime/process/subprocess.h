// RunProcess: runs a program to its end and collects its output.
//
// The program is started from an argument list, without a shell. It inherits
// the environment and reads /dev/null. It is killed at the deadline, together
// with everything in its process group, and by the kernel if this process dies
// first.
//
//   ASSAY_ASSIGN_OR_RETURN(
//       ProcessResult result,
//       RunProcess({qemu, "-cpu", "cortex-a53", program}, options));
#ifndef ASSAY_RUNTIME_PROCESS_SUBPROCESS_H_
#define ASSAY_RUNTIME_PROCESS_SUBPROCESS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::runtime {

struct ProcessOptions {
  double timeout_s = 60;
  // A program that writes more than this to one of its streams is killed.
  int64_t max_output_bytes = int64_t{64} << 20;
};

struct ProcessResult {
  // The exit code; -1 if the program was killed by `signal`.
  int exit_code = 0;
  int signal = 0;
  std::string out;
  std::string err;

  bool ok() const { return exit_code == 0; }
};

// OK for every exit code of the program. Errors: NotFound or PermissionDenied
// if it cannot be started, DeadlineExceeded, ResourceExhausted for too much
// output. All name the program; the last two quote the end of its standard
// error.
absl::StatusOr<ProcessResult> RunProcess(
    const std::vector<std::string>& arguments, const ProcessOptions& options);

// The end of a program's standard error, on one line, for messages; `nothing`
// if it is empty.
std::string LastLines(const std::string& text);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_PROCESS_SUBPROCESS_H_
