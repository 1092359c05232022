#include "suites/references/pinned_workers.h"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

#include "absl/strings/numbers.h"

namespace assay::suites {
namespace {

bool Contains(const std::vector<pid_t>& sorted, pid_t tid) {
  return std::binary_search(sorted.begin(), sorted.end(), tid);
}

}  // namespace

std::vector<pid_t> ThreadIds() {
  std::vector<pid_t> ids;
  std::error_code error;
  for (std::filesystem::directory_iterator tasks("/proc/self/task", error), end;
       !error && tasks != end; tasks.increment(error)) {
    int id = 0;
    if (absl::SimpleAtoi(tasks->path().filename().string(), &id)) {
      ids.push_back(id);
    }
  }
  if (error) return {};
  std::sort(ids.begin(), ids.end());
  return ids;
}

void PinnedWorkers::Update(const std::vector<pid_t>& before) {
  const std::vector<pid_t> after = ThreadIds();
  if (before.empty() || after.empty()) {
    listed_ = false;
    caller_cpu_ = -1;
    return;
  }
  if (before == after) return;
  caller_cpu_ = -1;
  workers_.erase(
      std::remove_if(workers_.begin(), workers_.end(),
                     [&](pid_t tid) { return !Contains(after, tid); }),
      workers_.end());
  for (const pid_t tid : after) {
    if (!Contains(before, tid)) workers_.push_back(tid);
  }
}

bool PinnedWorkers::Pin(int num_threads) {
  if (num_threads < 2) return true;
  const int cpu = sched_getcpu();
  if (cpu == caller_cpu_ && num_threads == num_threads_) return pinned_;
  caller_cpu_ = cpu;
  num_threads_ = num_threads;
  pinned_ = listed_ && !cpus_.empty();
  if (!pinned_) return false;
  for (size_t i = 0; i < workers_.size(); ++i) {
    const int worker = 1 + static_cast<int>(i) % (num_threads - 1);
    // A worker that has ended (ESRCH) needs no processor.
    if (!runtime::SetAllowedCpusOf(
            workers_[i],
            runtime::AssignCpus(cpus_, cpu, worker, num_threads)) &&
        errno != ESRCH) {
      pinned_ = false;
    }
  }
  return pinned_;
}

}  // namespace assay::suites
