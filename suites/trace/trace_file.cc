#include "suites/trace/trace_file.h"

#include "runtime/base/file.h"

namespace assay::suites {

absl::Status TraceFile::Add(TracedRun run) {
  const absl::MutexLock lock(&mutex_);
  runs_.push_back(std::move(run));
  return WriteFileAtomic(path_, ChromeTrace(runs_));
}

}  // namespace assay::suites
