// ServeSteps: lets another program measure the programs of a session step by
// step, over a pair of pipes. First, ServeSteps() writes the line
// `ready THREADS` with the number of threads. It then answers each line of
// input, a request, with one line:
//
//   Request        Answer         Effect
//   inputs FILE    ok             sets the inputs from a tensor file
//   run NUMBER     ok NANOS       runs program 0 NUMBER times; returns the time
//                                 of all these runs in nanoseconds; poisons the
//                                 outputs before the last run
//   calls          ok NANOS ...   runs program 0 once; returns the time of each
//                                 kernel call in nanoseconds
//   timed          ok NANOS ...   poisons the outputs and runs program 0 once;
//                                 returns the time of the run and then of each
//                                 kernel call in nanoseconds
//   outputs FILE   ok             writes the outputs of the last `run` or
//                                 `timed` to a tensor file
//   calls PROGRAM  ok NANOS ...   like `calls`, for the program with this index
//   flush BYTES    ok             evicts the caches (Session::FlushCaches);
//                                 BYTES is at most kMaxFlushBytes
//   block JSON     see below      takes the samples of a block
//   replace FILE   ok             replaces program 1 by the artifact in FILE
//                                 (Session::Replace)
//   loaded         ok NANOS       returns the time of loading program 0 in
//                                 nanoseconds (Session::LoadNanos)
//
// JSON is the text of a block (runtime/measure/block_text.h). Before the `ok`,
// the answer has a line `sample NANOS NUMBER [CALL_NANOS...]` for each sample.
// If the block reads outputs, those of the sample with index I are written to
// the tensor file `outputs-I` in the folder that the block names. All files and
// then all lines are written after the last sample, so that writing does not
// disturb the samples. Until then, the outputs of all samples are in memory.
//
// If a request fails, the answer is `error` and a message; for an unknown
// request, the message is the request and `is no step`. If one of the last
// five requests fails, the answer is `fail`, the name of the status code and a
// message, for example `fail FAILED_PRECONDITION 1000000 runs took ...`.
//
// Programs that were built from other commits use this protocol
// (runtime/measure/subprocess.h), so requests may be added but not changed.
// `calls PROGRAM`, `flush` and `block` are newer than the requests before; a
// block without samples shows whether a program knows them. `replace` is newer
// still, and `loaded` is the newest.
#ifndef ASSAY_RUNTIME_TOOLS_BENCH_STEPS_H_
#define ASSAY_RUNTIME_TOOLS_BENCH_STEPS_H_

#include <cstdint>
#include <functional>
#include <istream>
#include <ostream>

#include "absl/status/status.h"
#include "runtime/measure/session.h"

namespace assay::runtime {

// Returns at the end of the input. `programs` is the number of programs of
// `session`. `set_default_inputs` is called before the first request that runs
// a program, unless there was a request `inputs` before: most clients set
// inputs, and making others that are large would take longer than the runs. It
// may be null if the inputs have been set. `read_nanos` is the time in which
// the caller has read and parsed the artifact of program 0, and is part of the
// answer to `loaded`.
void ServeSteps(Session& session, int programs, std::istream& in,
                std::ostream& out,
                std::function<absl::Status()> set_default_inputs = nullptr,
                int64_t read_nanos = 0);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TOOLS_BENCH_STEPS_H_
