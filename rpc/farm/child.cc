#include "rpc/farm/child.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/spawn.h"
#include "runtime/process/subprocess.h"

namespace assay::rpc {
namespace {

constexpr int64_t kPollNanos = 10'000'000;

// Returns why a program has ended: the last error that it wrote (all programs
// start it with `error: `), or the end of its log.
std::string Reason(const std::string& log) {
  constexpr absl::string_view kError = "error: ";
  std::vector<absl::string_view> lines = absl::StrSplit(log, '\n');
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (absl::ConsumePrefix(&*line, kError)) return std::string(*line);
  }
  return runtime::LastLines(log);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Child>> Child::Start(
    const std::string& name, const std::vector<std::string>& arguments,
    const std::string& log) {
  const int fd =
      open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) return ErrnoError("open", log);
  const off_t start = lseek(fd, 0, SEEK_END);
  runtime::Streams streams;
  streams.out = fd;
  streams.err = fd;
  const absl::StatusOr<pid_t> pid = runtime::Spawn(arguments, streams);
  close(fd);
  ASSAY_RETURN_IF_ERROR(pid.status());
  return std::unique_ptr<Child>(new Child(
      name, log, static_cast<size_t>(std::max<off_t>(start, 0)), *pid));
}

Child::~Child() {
  if (pid_ > 0) runtime::KillSpawned(pid_);
}

absl::Status Child::Check() {
  if (pid_ > 0) {
    const absl::StatusOr<int> status = runtime::WaitSpawned(pid_, 0);
    if (absl::IsDeadlineExceeded(status.status())) return absl::OkStatus();
    pid_ = -1;
    // Earlier runs have written to the same log.
    absl::StatusOr<std::string> log = ReadFile(log_);
    if (log.ok()) log->erase(0, std::min(log->size(), log_start_));
    ending_ =
        absl::StrCat("the ", name_, " ",
                     status.ok() ? runtime::DescribeExit(*status)
                                 : std::string(status.status().message()),
                     ": ", log.ok() ? Reason(*log) : log.status().message(),
                     " (the log is `", log_, "`)");
  }
  return absl::UnavailableError(ending_);
}

absl::StatusOr<int> Child::WaitForPort(const std::string& port_file,
                                       int64_t timeout_nanos) {
  const int64_t deadline = MonotonicNanos() + timeout_nanos;
  while (true) {
    const absl::StatusOr<std::string> text = ReadFile(port_file, 16);
    int port = 0;
    if (text.ok() &&
        absl::SimpleAtoi(absl::StripAsciiWhitespace(*text), &port)) {
      return port;
    }
    ASSAY_RETURN_IF_ERROR(Check());
    if (MonotonicNanos() > deadline) {
      return absl::DeadlineExceededError(
          absl::StrCat("the ", name_, " does not listen after ",
                       timeout_nanos / 1'000'000'000, " s; see `", log_, "`"));
    }
    Clock::Monotonic()->SleepNanos(kPollNanos);
  }
}

bool Child::Stop(int64_t timeout_nanos) {
  if (pid_ < 0) return true;
  kill(pid_, SIGTERM);
  const bool ended =
      runtime::WaitSpawned(pid_, MonotonicNanos() + timeout_nanos).ok();
  if (!ended) runtime::KillSpawned(pid_);
  ending_ = absl::StrCat("the ", name_, " was stopped");
  pid_ = -1;
  return ended;
}

}  // namespace assay::rpc
