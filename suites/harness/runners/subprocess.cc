#include "suites/harness/runners/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"

namespace assay::suites {
namespace {

// A pipe whose ends close with the object.
class Pipe {
 public:
  Pipe() = default;
  ~Pipe() {
    CloseRead();
    CloseWrite();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool Open() {
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) != 0) return false;
    read_ = fds[0];
    write_ = fds[1];
    return true;
  }
  int read_end() const { return read_; }
  int write_end() const { return write_; }
  void CloseRead() { Close(&read_); }
  void CloseWrite() { Close(&write_); }

 private:
  static void Close(int* fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
  }
  int read_ = -1;
  int write_ = -1;
};

// Runs in the child between fork and exec, where only system calls are safe.
// Reports why it failed, as an errno, through `failure`.
[[noreturn]] void BecomeProgram(char* const* argv, int out, int err,
                                int failure, pid_t parent) {
  setpgid(0, 0);
  // Dies with us even if we are killed; the check catches that we died
  // before the request was made.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
      dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0) {
    execv(argv[0], argv);
  }
  const int error = errno;
  ssize_t ignored = write(failure, &error, sizeof(error));
  (void)ignored;
  _exit(127);
}

// The errno with which the child failed to become the program, or 0. Returns
// once the program runs, since that closes the write end.
int StartFailure(Pipe& failure) {
  failure.CloseWrite();
  int error = 0;
  ssize_t n;
  do {
    n = read(failure.read_end(), &error, sizeof(error));
  } while (n < 0 && errno == EINTR);
  return n == sizeof(error) ? error : 0;
}

// Appends what there is to read; closes the pipe at its end.
void Drain(Pipe& pipe, std::string* text) {
  char buffer[1 << 16];
  const ssize_t n = read(pipe.read_end(), buffer, sizeof(buffer));
  if (n > 0) text->append(buffer, static_cast<size_t>(n));
  if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) {
    pipe.CloseRead();
  }
}

// Reads both pipes until the program closed them, the deadline passed or it
// wrote too much.
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

// Waits for the end of a program that has closed its streams.
absl::Status AwaitExit(pid_t pid, int64_t deadline, int* status) {
  constexpr int64_t kPollNanos = 2000000;
  while (true) {
    const pid_t done = waitpid(pid, status, WNOHANG);
    if (done == pid) return absl::OkStatus();
    if (MonotonicNanos() > deadline) {
      return absl::DeadlineExceededError("did not finish in time");
    }
    Clock::Monotonic()->SleepNanos(kPollNanos);
  }
}

int WaitFor(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

absl::StatusOr<ProcessResult> RunProcess(
    const std::vector<std::string>& arguments, const ProcessOptions& options) {
  CHECK(!arguments.empty());
  const std::string& program = arguments[0];
  std::vector<char*> argv;
  for (const std::string& argument : arguments) {
    argv.push_back(const_cast<char*>(argument.c_str()));
  }
  argv.push_back(nullptr);

  Pipe out, err, failure;
  if (!out.Open() || !err.Open() || !failure.Open()) {
    return absl::ErrnoToStatus(errno, "cannot create a pipe");
  }
  const int64_t deadline =
      MonotonicNanos() + static_cast<int64_t>(options.timeout_s * 1e9);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) return absl::ErrnoToStatus(errno, "cannot fork");
  if (pid == 0) {
    BecomeProgram(argv.data(), out.write_end(), err.write_end(),
                  failure.write_end(), parent);
  }
  // Also here, for whichever of the two comes first.
  setpgid(pid, pid);
  out.CloseWrite();
  err.CloseWrite();
  if (const int error = StartFailure(failure); error != 0) {
    WaitFor(pid);
    return absl::ErrnoToStatus(error,
                               absl::StrCat("cannot start `", program, "`"));
  }

  ProcessResult result;
  int status = 0;
  absl::Status collected = Collect(out, err, deadline, options, &result);
  if (collected.ok()) collected = AwaitExit(pid, deadline, &status);
  if (!collected.ok()) {
    kill(-pid, SIGKILL);
    WaitFor(pid);
    const bool late = absl::IsDeadlineExceeded(collected);
    return absl::Status(
        collected.code(),
        absl::StrCat("`", program, "` ", collected.message(),
                     late ? absl::StrCat(" (", options.timeout_s, " s)") : "",
                     " and was killed; it wrote: ", Tail(result.err)));
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return result;
}

std::string Tail(const std::string& text) {
  constexpr size_t kMost = 400;
  absl::string_view tail = absl::StripAsciiWhitespace(text);
  if (tail.empty()) return "nothing";
  if (tail.size() > kMost) tail.remove_prefix(tail.size() - kMost);
  return absl::StrReplaceAll(tail, {{"\n", "; "}});
}

}  // namespace assay::suites
