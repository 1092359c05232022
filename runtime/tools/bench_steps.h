// ServeSteps: lets another program measure a loaded model step by step, over a
// pair of pipes. Each line of input is a request and is answered by one line:
//
//   inputs FILE    ok                sets the inputs from a tensor file
//   run NUMBER     ok NANOS          runs NUMBER times; poisons the outputs
//                                    before the last run
//   calls          ok NANOS ...      runs once; the time of each kernel call
//   outputs FILE   ok                writes the outputs of the last `run`
//
// A request that fails is answered by `error` and one sentence, and has no
// effect. Before the first request, `ready THREADS` is written. Programs of
// other commits use this protocol (runtime/measure/subprocess.h), so requests
// may be added but not changed.
#ifndef ASSAY_RUNTIME_TOOLS_BENCH_STEPS_H_
#define ASSAY_RUNTIME_TOOLS_BENCH_STEPS_H_

#include <istream>
#include <ostream>

#include "runtime/measure/session.h"

namespace assay::runtime {

// Returns at the end of the input. The session has inputs.
void ServeSteps(Session& session, std::istream& in, std::ostream& out);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TOOLS_BENCH_STEPS_H_
