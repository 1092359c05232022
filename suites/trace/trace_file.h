// TraceFile: the file of --trace. It contains the traced runs of all rows that
// are finished. It is written again after each row, so that the file is
// complete even if the suite ends early.
//
// TracedRun: the trace of one run of an artifact, which says what each thread
// did at each time (runtime/measure/run_trace.h), and the kernel calls of the
// artifact.
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
  std::vector<runtime::KernelCall> calls;  // one per kernel in `trace`
  runtime::RunTrace trace;
};

// Returns the trace as JSON in the Trace Event Format, which chrome://tracing,
// Perfetto and speedscope display. Each run is a process. Its first track has
// the kernels, and the others have the chunks that each thread executed.
std::string ChromeTrace(const std::vector<TracedRun>& runs);

// Returns one line that says how the threads spend their time, and a table of
// the kernels in which the threads lose the most time. The table has at most
// `kernels` lines:
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
