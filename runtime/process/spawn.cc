#include "runtime/process/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "absl/strings/str_cat.h"
#include "runtime/base/clock.h"

namespace assay::runtime {
namespace {

// The arguments of fork() and exec(), prepared by the caller of Spawn.
struct Request {
  std::vector<char*> argv;
  Streams streams;
  cpu_set_t affinity;
  bool has_affinity = false;
  SpawnOptions options;
  // Write end of the pipe for the Failure of a child that could not start.
  int failure = -1;
};

// The reason why a child could not start its program.
struct Failure {
  int error = 0;  // errno; 0 if the program runs
  // The restriction that could not be applied; -1 for another reason.
  int restriction = -1;
};

void LimitAddressSpace(int64_t bytes) {
  rlimit limit = {};
  if (getrlimit(RLIMIT_AS, &limit) != 0) return;
  limit.rlim_cur = std::min(limit.rlim_cur, static_cast<rlim_t>(bytes));
  limit.rlim_max = limit.rlim_cur;
  setrlimit(RLIMIT_AS, &limit);
}

// Redirects the standard streams. Returns false and sets errno if this fails.
bool Redirect(const Streams& streams) {
  const int null = open("/dev/null", O_RDWR);
  const auto redirect = [null](int from, int to) {
    return dup2(from >= 0 ? from : null, to) >= 0;
  };
  return null >= 0 && redirect(streams.in, STDIN_FILENO) &&
         redirect(streams.out, STDOUT_FILENO) &&
         redirect(streams.err, STDERR_FILENO);
}

// Replaces this process by the program. Returns only if this fails.
Failure Execute(const Request& request) {
  Failure failure;
  if (request.options.max_address_space > 0) {
    LimitAddressSpace(request.options.max_address_space);
  }
  if (!Redirect(request.streams)) {
    failure.error = errno;
    return failure;
  }
  if (request.options.confinement != nullptr) {
    const ConfinementFailure refused = request.options.confinement->Apply();
    if (refused.error != 0) {
      failure.error = refused.error;
      failure.restriction = refused.restriction;
      return failure;
    }
  }
  const PreparedConfinement* const confinement = request.options.confinement;
  execve(request.argv[0], request.argv.data(),
         confinement == nullptr ? environ : confinement->environment());
  failure.error = errno;
  return failure;
}

// Runs in the child between fork and exec, where only system calls are safe.
// If the program cannot be started, writes the reason to `request.failure`.
[[noreturn]] void BecomeProgram(const Request& request, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The parent may have died before the call above.
  if (getppid() != parent) _exit(127);
  if (request.has_affinity) {
    sched_setaffinity(0, sizeof(request.affinity), &request.affinity);
  }
  const Failure failure = Execute(request);
  ssize_t ignored = write(request.failure, &failure, sizeof(failure));
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
    std::lock_guard<std::mutex> one_caller(callers_);
    std::unique_lock<std::mutex> lock(mutex_);
    request_ = &request;
    changed_.notify_all();
    changed_.wait(lock, [this] { return request_ == nullptr; });
    return result_;
  }

 private:
  ForkThread() {
    std::thread([this] { Serve(); }).detach();
  }

  [[noreturn]] void Serve() {
    const pid_t parent = getpid();
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return request_ != nullptr; });
      result_ = fork();
      if (result_ == 0) BecomeProgram(*request_, parent);
      if (result_ < 0) result_ = -errno;
      request_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex callers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const Request* request_ = nullptr;
  pid_t result_ = 0;
};

// Waits until the child runs its program, because exec() closes the write end,
// or could not start it.
Failure WaitForExec(Pipe& pipe) {
  pipe.CloseWrite();
  Failure failure;
  ssize_t n;
  do {
    n = read(pipe.read_end(), &failure, sizeof(failure));
  } while (n < 0 && errno == EINTR);
  return n == sizeof(failure) ? failure : Failure();
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
                            const Streams& streams,
                            const SpawnOptions& options) {
  Request request;
  request.options = options;
  for (const std::string& argument : arguments) {
    request.argv.push_back(const_cast<char*>(argument.c_str()));
  }
  request.argv.push_back(nullptr);
  request.streams = streams;
  request.has_affinity =
      sched_getaffinity(0, sizeof(request.affinity), &request.affinity) == 0;
  Pipe pipe;
  if (!pipe.Open()) {
    return absl::ErrnoToStatus(errno, "cannot create a pipe");
  }
  request.failure = pipe.write_end();
  const pid_t pid = ForkThread::Get().Fork(request);
  if (pid < 0) return absl::ErrnoToStatus(-pid, "cannot fork");
  // Parent and child both set the group, because either may run first.
  setpgid(pid, pid);
  const Failure failure = WaitForExec(pipe);
  if (failure.error != 0) {
    WaitFor(pid);
    return absl::ErrnoToStatus(
        failure.error,
        absl::StrCat(
            "cannot start `", arguments[0], "`",
            failure.restriction < 0
                ? ""
                : absl::StrCat(" with the restriction `",
                               RestrictionName(failure.restriction), "`")));
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
  // The program may have moved to another group.
  kill(pid, SIGKILL);
  WaitFor(pid);
}

}  // namespace assay::runtime
