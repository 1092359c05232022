// TraceFile: the file of --trace. It has the traced runs of all rows so far,
// and is written again after each of them, so that a run that ends early leaves
// a complete file.
#ifndef ASSAY_SUITES_TRACE_TRACE_FILE_H_
#define ASSAY_SUITES_TRACE_TRACE_FILE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "suites/trace/traced_run.h"

namespace assay::suites {

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
