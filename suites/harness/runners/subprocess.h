// RunProcess: runs another program to its end and collects what it wrote.
//
// The program is started directly from an argument list; no shell sees it. It
// inherits the environment, reads nothing (/dev/null), and does not outlive us:
// it is killed when the deadline passes, and by the kernel if we die first.
// What it starts itself is in the same process group and killed with it at the
// deadline.
//
//   ASSAY_ASSIGN_OR_RETURN(
//       ProcessResult result,
//       RunProcess({qemu, "-cpu", "cortex-a53", program}, options));
#ifndef ASSAY_SUITES_HARNESS_RUNNERS_SUBPROCESS_H_
#define ASSAY_SUITES_HARNESS_RUNNERS_SUBPROCESS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::suites {

struct ProcessOptions {
  double timeout_s = 60;
  // A program that writes more than this to either stream is killed.
  int64_t max_output_bytes = int64_t{64} << 20;
};

struct ProcessResult {
  // Of exit(); -1 if it was killed by `signal`.
  int exit_code = 0;
  int signal = 0;
  std::string out;
  std::string err;

  bool ok() const { return exit_code == 0; }
};

// OK whatever the program's exit code. Errors: NotFound or PermissionDenied if
// it cannot be started, DeadlineExceeded, ResourceExhausted for too much
// output; each names the program, and those after it started quote the end of
// what it wrote to standard error.
absl::StatusOr<ProcessResult> RunProcess(
    const std::vector<std::string>& arguments, const ProcessOptions& options);

// The last lines of a program's standard error on one line, for messages.
std::string Tail(const std::string& text);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_RUNNERS_SUBPROCESS_H_
