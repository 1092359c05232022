#include "runtime/process/subprocess.h"

#include <errno.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/spawn.h"

namespace assay::runtime {
namespace {

// Appends the available bytes; closes the pipe at its end.
void Drain(Pipe& pipe, std::string* text) {
  char buffer[1 << 16];
  const ssize_t n = read(pipe.read_end(), buffer, sizeof(buffer));
  if (n > 0) text->append(buffer, static_cast<size_t>(n));
  if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) {
    pipe.CloseRead();
  }
}

// Reads both pipes until the program has closed them, the deadline has passed
// or the output is too long.
absl::Status Collect(Pipe& out, Pipe& err, int64_t deadline,
                     const ProcessOptions& options, ProcessResult* result) {
  while (out.read_end() >= 0 || err.read_end() >= 0) {
    const int64_t left_ms = (deadline - MonotonicNanos()) / 1000000;
    if (left_ms <= 0) {
      return absl::DeadlineExceededError("did not finish in time");
    }
    // Negative descriptors are ignored.
    pollfd fds[2] = {{out.read_end(), POLLIN, 0}, {err.read_end(), POLLIN, 0}};
    poll(fds, 2, static_cast<int>(std::min<int64_t>(left_ms, 1000)));
    if (fds[0].revents != 0) Drain(out, &result->out);
    if (fds[1].revents != 0) Drain(err, &result->err);
    const size_t most = std::max(result->out.size(), result->err.size());
    if (static_cast<int64_t>(most) > options.max_output_bytes) {
      return absl::ResourceExhaustedError(
          absl::StrCat("wrote more than ", options.max_output_bytes, " bytes"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ProcessResult> RunProcess(
    const std::vector<std::string>& arguments, const ProcessOptions& options) {
  CHECK(!arguments.empty());
  const std::string& program = arguments[0];
  Pipe out, err;
  if (!out.Open() || !err.Open()) {
    return absl::ErrnoToStatus(errno, "cannot create a pipe");
  }
  const int64_t deadline =
      MonotonicNanos() + static_cast<int64_t>(options.timeout_s * 1e9);
  SpawnOptions spawn;
  spawn.max_address_space = options.max_address_space;
  spawn.confinement = options.confinement;
  ASSAY_ASSIGN_OR_RETURN(
      const pid_t pid,
      Spawn(arguments, {/*in=*/-1, out.write_end(), err.write_end()}, spawn));
  out.CloseWrite();
  err.CloseWrite();

  ProcessResult result;
  int status = 0;
  rusage usage = {};
  absl::Status collected = Collect(out, err, deadline, options, &result);
  if (collected.ok()) {
    const absl::StatusOr<int> ended = WaitSpawned(pid, deadline, &usage);
    collected = ended.status();
    if (ended.ok()) status = *ended;
  }
  if (!collected.ok()) {
    KillSpawned(pid);
    const bool late = absl::IsDeadlineExceeded(collected);
    return absl::Status(
        collected.code(),
        absl::StrCat("`", program, "` ", collected.message(),
                     late ? absl::StrCat(" (", options.timeout_s, " s)") : "",
                     " and was killed; it wrote: ", LastLines(result.err)));
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  result.peak_bytes = int64_t{usage.ru_maxrss} * 1024;
  return result;
}

std::string FailedCheck(const ProcessResult& result) {
  if (result.exit_code != static_cast<int>(ExitCode::kInfrastructure)) {
    return "";
  }
  const absl::string_view text = result.err;
  for (size_t begin = 0; begin < text.size();) {
    const absl::string_view rest = text.substr(begin);
    const absl::string_view line = rest.substr(0, rest.find('\n'));
    // The line begins with `file:line`.
    const size_t position = line.find(": check failed: ");
    if (position != absl::string_view::npos && line.find(' ') == position + 1) {
      return absl::StrReplaceAll(absl::StripAsciiWhitespace(rest),
                                 {{"\n  ", "; "}, {"\n", "; "}});
    }
    begin += line.size() + 1;
  }
  return "";
}

std::string LastLines(const std::string& text) {
  constexpr size_t kMost = 400;
  absl::string_view tail = absl::StripAsciiWhitespace(text);
  if (tail.empty()) return "nothing";
  if (tail.size() > kMost) tail.remove_prefix(tail.size() - kMost);
  return absl::StrReplaceAll(tail, {{"\n", "; "}});
}

}  // namespace assay::runtime
