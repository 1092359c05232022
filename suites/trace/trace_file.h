// TraceFile: the file of --trace. It has the traced runs of all rows so far,
// and is written again after each of them, so that a run that ends early leaves
// a complete file.
//
// TracedRun: a run of an artifact of which it is known when each thread did
// what (runtime/measure/run_trace.h), with the names of its kernels.
#ifndef ASSAY_SUITES_TRACE_TRACE_FILE_H_
#define ASSAY_SUITES_TRACE_TRACE_FILE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
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

// Thread-safe.
class TraceFile {
 public:
  explicit TraceFile(std::string path) : path_(std::move(path)) {}

  absl::Status Add(TracedRun run);

  const std::string& path() const { return path_; }

 private:
  const std::string path_;
  absl::Mutex mutex_;
  std::vector<TracedRun> runs_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TRACE_TRACE_FILE_H_
