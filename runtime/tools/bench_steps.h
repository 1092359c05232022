// ServeSteps: lets another program measure the programs of a session step by
// step, over a pair of pipes. First, ServeSteps() writes two lines:
// `protocol VERSION` with kProtocolVersion (runtime/measure/block_text.h), and
// `ready THREADS` with the number of threads. It then answers each request,
// which is one line of input:
//
//   Request        Answer         Effect
//   inputs FILE    ok             sets the inputs from a tensor file
//   block JSON     see below      takes the samples of a block
//   replace FILE   ok             replaces program 1 by the artifact in FILE
//                                 (Session::Replace)
//   loaded         ok NANOS       returns the time of loading program 0 in
//                                 nanoseconds (Session::LoadNanos)
//   memory         ok BYTES       returns the peak of this process's memory
//                                 (Session::PeakResidentBytes); programs of
//                                 older commits fail with INVALID_ARGUMENT
//
// JSON is the text of a block (runtime/measure/block_text.h). Its answer has a
// line `sample NANOS NUMBER [CALL_NANOS...]` for each sample and then `ok`. If
// the block reads outputs, those of the sample with index I are written to the
// tensor file `outputs-I` in the folder that the block names. All files and
// then all lines are written after the last sample, so that writing does not
// disturb the samples. Until then, the outputs of all samples are in memory.
//
// If a request fails, the answer is `fail`, the name of the status code and a
// message, for example `fail FAILED_PRECONDITION 1000000 runs took ...`.
//
// Client and program may come from different commits: ci:gate lets the harness
// of one commit measure with the bench_artifact of another. The client passes
// its version of the protocol as the value of --steps, and refuses a program
// whose version is not the same. Clients of commits in which the protocol had
// no version count as version 1. They pass --steps without a value and expect
// `ready THREADS` as the first line. They send the same requests, and for some
// measurements also `calls`, `flush`, `run`, `timed` or `outputs`. Those are no
// longer served and fail with INVALID_ARGUMENT.
#ifndef ASSAY_RUNTIME_TOOLS_BENCH_STEPS_H_
#define ASSAY_RUNTIME_TOOLS_BENCH_STEPS_H_

#include <cstdint>
#include <functional>
#include <istream>
#include <ostream>

#include "absl/status/status.h"
#include "runtime/measure/block_text.h"
#include "runtime/measure/session.h"

namespace assay::runtime {

struct StepsOptions {
  // Version of the client. If it is 1, the line `protocol` is not written.
  int version = kProtocolVersion;
  // Called before the first block, unless there was a request `inputs` before.
  // It is not called earlier because most clients set inputs, and to generate
  // large default inputs in vain would take longer than the runs. May be null
  // if the inputs have been set.
  std::function<absl::Status()> set_default_inputs = nullptr;
  // Time in which the caller has read and parsed the artifact of program 0. It
  // is part of the answer to `loaded`.
  int64_t read_nanos = 0;
};

// Returns at the end of the input. `programs` is the number of programs of
// `session`.
void ServeSteps(Session& session, int programs, std::istream& in,
                std::ostream& out, const StepsOptions& options = {});

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TOOLS_BENCH_STEPS_H_
