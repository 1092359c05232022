#include "runtime/process/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "runtime/base/clock.h"

namespace assay::runtime {
namespace {

// The arguments of fork() and exec(), prepared by the caller of Spawn.
struct Request {
  std::vector<char*> argv;
  Streams streams;
  cpu_set_t affinity;
  bool has_affinity = false;
  // Limit of the address space in bytes; 0 stands for no limit.
  int64_t max_address_space = 0;
  // Write end of the pipe for the errno of a child that could not start.
  int failure = -1;
};

void LimitAddressSpace(int64_t bytes) {
  rlimit limit = {};
  if (getrlimit(RLIMIT_AS, &limit) != 0) return;
  limit.rlim_cur = std::min(limit.rlim_cur, static_cast<rlim_t>(bytes));
  limit.rlim_max = limit.rlim_cur;
  setrlimit(RLIMIT_AS, &limit);
}

// Runs in the child between fork and exec, where only system calls are safe.
// If the program cannot be started, writes the errno to `request.failure`.
[[noreturn]] void BecomeProgram(const Request& request, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The parent may have died before the call above.
  if (getppid() != parent) _exit(127);
  if (request.has_affinity) {
    sched_setaffinity(0, sizeof(request.affinity), &request.affinity);
  }
  if (request.max_address_space > 0) {
    LimitAddressSpace(request.max_address_space);
  }
  const int null = open("/dev/null", O_RDWR);
  const auto redirect = [null](int from, int to) {
    return dup2(from >= 0 ? from : null, to) >= 0;
  };
  if (null >= 0 && redirect(request.streams.in, STDIN_FILENO) &&
      redirect(request.streams.out, STDOUT_FILENO) &&
      redirect(request.streams.err, STDERR_FILENO)) {
    execv(request.argv[0], request.argv.data());
  }
  const int error = errno;
  ssize_t ignored = write(request.failure, &error, sizeof(error));
  (void)ignored;
  _exit(127);
}

// The thread that starts all children. Never destroyed.
class ForkThread {
 public:
  static ForkThread& Get() {
    static auto* const thread = new ForkThread;
    return *thread;
  }

  // Forks; the child executes the request. Returns the pid, or -errno.
  pid_t Fork(const Request& request) {
    absl::MutexLock one_caller(&callers_);
    absl::MutexLock lock(&mutex_);
    request_ = &request;
    mutex_.Await(absl::Condition(
        +[](const Request** r) { return *r == nullptr; }, &request_));
    return result_;
  }

 private:
  ForkThread() {
    std::thread([this] { Serve(); }).detach();
  }

  [[noreturn]] void Serve() {
    const pid_t parent = getpid();
    absl::MutexLock lock(&mutex_);
    while (true) {
      mutex_.Await(absl::Condition(
          +[](const Request** r) { return *r != nullptr; }, &request_));
      result_ = fork();
      if (result_ == 0) BecomeProgram(*request_, parent);
      if (result_ < 0) result_ = -errno;
      request_ = nullptr;
    }
  }

  absl::Mutex callers_;
  absl::Mutex mutex_;
  const Request* request_ = nullptr;
  pid_t result_ = 0;
};

// Returns the errno of a child that could not start its program, or 0 as soon
// as the program runs, because exec() closes the write end.
int StartFailure(Pipe& failure) {
  failure.CloseWrite();
  int error = 0;
  ssize_t n;
  do {
    n = read(failure.read_end(), &error, sizeof(error));
  } while (n < 0 && errno == EINTR);
  return n == sizeof(error) ? error : 0;
}

void WaitFor(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

bool Pipe::Open() {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) return false;
  read_ = fds[0];
  write_ = fds[1];
  return true;
}

void Pipe::Close(int* fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

absl::StatusOr<pid_t> Spawn(const std::vector<std::string>& arguments,
                            const Streams& streams, int64_t max_address_space) {
  Request request;
  request.max_address_space = max_address_space;
  for (const std::string& argument : arguments) {
    request.argv.push_back(const_cast<char*>(argument.c_str()));
  }
  request.argv.push_back(nullptr);
  request.streams = streams;
  request.has_affinity =
      sched_getaffinity(0, sizeof(request.affinity), &request.affinity) == 0;
  Pipe failure;
  if (!failure.Open()) {
    return absl::ErrnoToStatus(errno, "cannot create a pipe");
  }
  request.failure = failure.write_end();
  const pid_t pid = ForkThread::Get().Fork(request);
  if (pid < 0) return absl::ErrnoToStatus(-pid, "cannot fork");
  // Parent and child both set the group, because either may run first.
  setpgid(pid, pid);
  if (const int error = StartFailure(failure); error != 0) {
    WaitFor(pid);
    return absl::ErrnoToStatus(
        error, absl::StrCat("cannot start `", arguments[0], "`"));
  }
  return pid;
}

absl::StatusOr<int> WaitSpawned(pid_t pid, int64_t deadline_nanos,
                                rusage* usage) {
  constexpr int64_t kPollNanos = 2000000;
  int status = 0;
  while (wait4(pid, &status, WNOHANG, usage) != pid) {
    if (MonotonicNanos() > deadline_nanos) {
      return absl::DeadlineExceededError("did not finish in time");
    }
    Clock::Monotonic()->SleepNanos(kPollNanos);
  }
  return status;
}

std::string DescribeExit(int status) {
  return WIFSIGNALED(status)
             ? absl::StrCat("died of signal ", WTERMSIG(status))
             : absl::StrCat("exited with ", WEXITSTATUS(status));
}

void KillSpawned(pid_t pid) {
  kill(-pid, SIGKILL);
  WaitFor(pid);
}

}  // namespace assay::runtime
