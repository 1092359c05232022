// Spawn: starts a program with the given file descriptors as standard streams.
//
// Spawn is used by RunProcess (subprocess.h), which runs a program to its end,
// and by LineProtocol (line_protocol.h), which exchanges lines with a program.
//
// Lifetime: Linux kills a child when this process dies, whatever the cause
// (PR_SET_PDEATHSIG). Linux also kills a child when only the thread that called
// fork() ends. Therefore one thread, which lives as long as the process, starts
// all children. As a result, a child can outlive the thread that called
// Spawn().
#ifndef ASSAY_RUNTIME_PROCESS_SPAWN_H_
#define ASSAY_RUNTIME_PROCESS_SPAWN_H_

#include <sys/resource.h>
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/process/confine.h"

namespace assay::runtime {

// A Pipe owns both ends of a pipe. The destructor closes the ends that are
// still open. Started programs do not inherit the ends.
class Pipe {
 public:
  Pipe() = default;
  ~Pipe() {
    CloseRead();
    CloseWrite();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  // Creates the pipe. Returns false and sets errno if this fails.
  bool Open();
  int read_end() const { return read_; }
  int write_end() const { return write_; }
  void CloseRead() { Close(&read_); }
  void CloseWrite() { Close(&write_); }

 private:
  static void Close(int* fd);

  int read_ = -1;
  int write_ = -1;
};

// The file descriptors of the standard streams of a program. -1 stands for
// /dev/null.
struct Streams {
  int in = -1;
  int out = -1;
  int err = -1;
};

struct SpawnOptions {
  // If positive, the program cannot map more than this number of bytes
  // (RLIMIT_AS).
  int64_t max_address_space = 0;
  // If not null, the program is confined from its first instruction. Must exist
  // until Spawn() returns.
  const PreparedConfinement* confinement = nullptr;
};

// Starts the program with the path `arguments[0]`, without a shell, in a new
// process group. The program inherits the CPU affinity of the calling thread
// and, unless it is confined, the environment of this process. Returns the
// process id after exec() has succeeded. If the program cannot be started,
// returns an error, for example NotFound or PermissionDenied, whose message
// names the program and the restriction that failed, if any. The error is
// PermissionDenied if the confinement does not permit the program or its
// dynamic linker to be executed. Thread-safe.
absl::StatusOr<pid_t> Spawn(const std::vector<std::string>& arguments,
                            const Streams& streams,
                            const SpawnOptions& options = {});

// Waits until a spawned program has ended, and returns its wait status (see
// waitpid(2)). Returns DeadlineExceeded if the program still runs when
// MonotonicNanos() exceeds `deadline_nanos`. If `usage` is not null, sets it to
// the resources that the program used (see getrusage(2)).
absl::StatusOr<int> WaitSpawned(pid_t pid, int64_t deadline_nanos,
                                rusage* usage = nullptr);

// Formats a wait status as `exited with 5` or `died of signal 11`.
std::string DescribeExit(int status);

// Kills the program and all processes in its process group, and waits until the
// program has ended. Descendants that have left the group survive; a confined
// program has none (confine.h).
void KillSpawned(pid_t pid);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_PROCESS_SPAWN_H_
