#include "suites/harness/runners/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"

namespace assay::suites {
namespace {

// Runs in the child between fork and exec, where only system calls are safe.
// Reports why it failed, as an errno, through `failure`.
[[noreturn]] void BecomeProgram(char* const* argv, const Streams& streams,
                                int failure, pid_t parent) {
  setpgid(0, 0);
  // Dies with us even if we are killed; the check catches that we died
  // before the request was made.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  const int nothing = open("/dev/null", O_RDWR);
  const auto take = [nothing](int stream, int as) {
    return dup2(stream >= 0 ? stream : nothing, as) >= 0;
  };
  if (nothing >= 0 && take(streams.in, STDIN_FILENO) &&
      take(streams.out, STDOUT_FILENO) && take(streams.err, STDERR_FILENO)) {
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

int WaitFor(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
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
                            const Streams& streams) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) {
    argv.push_back(const_cast<char*>(argument.c_str()));
  }
  argv.push_back(nullptr);
  Pipe failure;
  if (!failure.Open()) {
    return absl::ErrnoToStatus(errno, "cannot create a pipe");
  }
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) return absl::ErrnoToStatus(errno, "cannot fork");
  if (pid == 0) {
    BecomeProgram(argv.data(), streams, failure.write_end(), parent);
  }
  // Also here, for whichever of the two comes first.
  setpgid(pid, pid);
  if (const int error = StartFailure(failure); error != 0) {
    WaitFor(pid);
    return absl::ErrnoToStatus(
        error, absl::StrCat("cannot start `", arguments[0], "`"));
  }
  return pid;
}

void KillSpawned(pid_t pid) {
  kill(-pid, SIGKILL);
  WaitFor(pid);
}

}  // namespace assay::suites
