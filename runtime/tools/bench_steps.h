// ServeSteps: a loaded model that is measured step by step by another program,
// in turns with others, over a pair of pipes. A line is asked, a line answered:
//
//   inputs FILE    ok                takes the inputs of a tensor file
//   run NUMBER     ok NANOS          runs so often; the last run finds its
//                                    outputs overwritten
//   calls          ok NANOS ...      one run; each kernel call of it
//   outputs FILE   ok                writes what the last run computed
//
// What cannot be done is answered by `error` and one sentence, and changes
// nothing. The first line, before anything is asked, is `ready THREADS`.
#ifndef ASSAY_RUNTIME_TOOLS_BENCH_STEPS_H_
#define ASSAY_RUNTIME_TOOLS_BENCH_STEPS_H_

#include <istream>
#include <ostream>

#include "runtime/executor/executor.h"

namespace assay::runtime {

// Until there are no more lines. The executor has inputs.
void ServeSteps(Executor* executor, int threads, std::istream& in,
                std::ostream& out);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TOOLS_BENCH_STEPS_H_
