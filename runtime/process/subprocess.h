// RunProcess: runs a program to its end and collects its output.
//
// The program is started without a shell. It inherits the environment unless it
// is confined, and its standard input is /dev/null. At the deadline, all
// processes in its process group are killed. If the calling process dies before
// the program ends, Linux kills the program.
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
#include "runtime/process/confine.h"

namespace assay::runtime {

struct ProcessOptions {
  double timeout_s = 60;
  // A program that writes more than this number of bytes to standard output or
  // to standard error is killed.
  int64_t max_output_bytes = int64_t{64} << 20;
  // If positive, the program cannot map more than this number of bytes: further
  // allocations fail. Programs under AddressSanitizer need terabytes.
  int64_t max_address_space = 0;
  // If not null, the program is confined. Must exist until it has ended.
  const PreparedConfinement* confinement = nullptr;
};

struct ProcessResult {
  // Exit code of the program; -1 if a signal killed the program.
  int exit_code = 0;
  // Number of the signal that killed the program; 0 if the program exited.
  int signal = 0;
  std::string out;
  std::string err;
  // The largest resident set, i.e. the most physical memory that the program
  // had at one time. It is at least that of this process when the program was
  // started, because Linux counts from fork().
  int64_t peak_bytes = 0;

  bool ok() const { return exit_code == 0; }
};

// Runs `arguments[0]`. Returns a result whatever the exit code of the program
// is. Returns an error, with the name of the program, in these cases:
//   - The program cannot be executed: for example NotFound or PermissionDenied.
//   - The program did not end in time: DeadlineExceeded.
//   - The program wrote too much output: ResourceExhausted.
// The last two errors also quote the end of the program's standard error.
absl::StatusOr<ProcessResult> RunProcess(
    const std::vector<std::string>& arguments, const ProcessOptions& options);

// Returns the message of the check (runtime/base/check.h) whose failure ended
// the program, with its context and without line breaks. Returns an empty
// string if the program ended in another way.
std::string FailedCheck(const ProcessResult& result);

// Returns the last 400 bytes of `text`, the standard error of a program, as one
// line for error messages. Returns `nothing` if `text` is empty.
std::string LastLines(const std::string& text);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_PROCESS_SUBPROCESS_H_
