#include "suites/kernels/idle_threads.h"

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

// Whether /proc/PID/task/ID/stat, `1234 (any name) R …`, is of a thread that
// runs or could.
bool IsRunning(const std::string& stat) {
  const size_t name_end = stat.rfind(')');
  return name_end != std::string::npos && name_end + 2 < stat.size() &&
         stat[name_end + 2] == 'R';
}

}  // namespace

void WaitForIdle(const std::function<int()>& running, Clock* clock) {
  constexpr int64_t kStep = 200'000;
  constexpr int64_t kLimit = 200'000'000;
  // One look is no proof: a thread may sleep for a moment between two tasks.
  constexpr int kQuietLooks = 2;
  const int64_t start = clock->NowNanos();
  int quiet = 0;
  while (true) {
    quiet = running() == 0 ? quiet + 1 : 0;
    if (quiet >= kQuietLooks || clock->NowNanos() - start >= kLimit) return;
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
    // A thread that has ended since is not running.
    const auto stat = ReadFile((tasks->path() / "stat").string(), kMaxStat);
    if (stat.ok() && IsRunning(*stat)) ++running;
  }
  return running;
}

}  // namespace assay::suites
