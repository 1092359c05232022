// ServeSteps: lets another program measure a loaded model step by step, over a
// pair of pipes. First, ServeSteps() writes the line `ready THREADS` with the
// number of threads. It then answers each line of input, a request, with one
// line:
//
//   Request        Answer         Effect
//   inputs FILE    ok             sets the inputs from a tensor file
//   run NUMBER     ok NANOS       runs the model NUMBER times; returns the time
//                                 of all these runs in nanoseconds; poisons the
//                                 outputs before the last run
//   calls          ok NANOS ...   runs the model once; returns the time of each
//                                 kernel call in nanoseconds
//   timed          ok NANOS ...   poisons the outputs and runs the model once;
//                                 returns the time of the run and then of each
//                                 kernel call in nanoseconds
//   outputs FILE   ok             writes the outputs of the last `run` or
//                                 `timed` to a tensor file
//
// If a request fails, the answer is `error` and a message; for an unknown
// request, the message is the request and `is no step`. Programs that were
// built from other commits use this protocol (runtime/measure/subprocess.h), so
// requests may be added but not changed.
#ifndef ASSAY_RUNTIME_TOOLS_BENCH_STEPS_H_
#define ASSAY_RUNTIME_TOOLS_BENCH_STEPS_H_

#include <istream>
#include <ostream>

#include "runtime/measure/session.h"

namespace assay::runtime {

// Returns at the end of the input. The inputs of `session` must have been set.
void ServeSteps(Session& session, std::istream& in, std::ostream& out);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TOOLS_BENCH_STEPS_H_
