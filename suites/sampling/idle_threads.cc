#include "suites/sampling/idle_threads.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"

namespace assay::suites {
namespace {

// Returns true if `stat`, the text of /proc/PID/task/ID/stat (`1234 (name) R
// …`), shows that the thread runs or waits for a processor.
bool IsRunning(const std::string& stat) {
  const size_t name_end = stat.rfind(')');
  return name_end != std::string::npos && name_end + 2 < stat.size() &&
         stat[name_end + 2] == 'R';
}

}  // namespace

void WaitForIdle(const std::function<int()>& running, Clock* clock) {
  constexpr int64_t kStep = 200'000;
  constexpr int64_t kLimit = 200'000'000;
  // A thread may sleep for a moment between two tasks.
  constexpr int kQuietChecks = 2;
  const int64_t start = clock->NowNanos();
  int quiet = 0;
  while (true) {
    quiet = running() == 0 ? quiet + 1 : 0;
    if (quiet >= kQuietChecks || clock->NowNanos() - start >= kLimit) return;
    clock->SleepNanos(kStep);
  }
}

void WaitForIdleThreads() { WaitForIdle(RunningThreads, Clock::Monotonic()); }

int RunningThreads() {
  constexpr int64_t kMaxStat = 4096;
  const std::string self = absl::StrCat(syscall(SYS_gettid));
  int running = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator tasks("/proc/self/task", error), end;
       !error && tasks != end; tasks.increment(error)) {
    if (tasks->path().filename() == self) continue;
    // A thread that has ended meanwhile is not running.
    const auto stat = ReadFile((tasks->path() / "stat").string(), kMaxStat);
    if (stat.ok() && IsRunning(*stat)) ++running;
  }
  return running;
}

}  // namespace assay::suites
