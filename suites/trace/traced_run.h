// TracedRun: a run of an artifact of which it is known when each thread did
// what (runtime/measure/run_trace.h), with the names of its kernels.
#ifndef ASSAY_SUITES_TRACE_TRACED_RUN_H_
#define ASSAY_SUITES_TRACE_TRACED_RUN_H_

#include <string>
#include <vector>

#include "runtime/artifact/artifact.h"
#include "runtime/measure/run_trace.h"

namespace assay::suites {

struct TracedRun {
  std::string name;  // for example `resnet18 on host, fusion on, 2 threads`
  std::vector<runtime::KernelCall> calls;  // as many as kernels in `trace`
  runtime::RunTrace trace;
};

// Returns the trace as JSON in the Trace Event Format, which chrome://tracing,
// Perfetto and speedscope display. Each run is a process. Its first track has
// the kernels, and the others have the chunks that each thread executed.
std::string ChromeTrace(const std::vector<TracedRun>& runs);

// Returns one line that says how the threads spend their time, and a table of
// the `kernels` kernels that lose most:
//
//   2 threads, 11.4 ms: 93.1 % busy, 2.0 % late, 3.2 % waiting, 1.7 % serial
//   kernel             ms   busy  late  waiting  serial  nodes
//   k003_conv2d_relu  0.9   80 %   3 %     16 %     1 %  layer1.0.conv1
//
// The columns are the members of runtime::KernelTime.
std::string TraceSummary(const TracedRun& run, int kernels);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TRACE_TRACED_RUN_H_
