// Spawn: starts a program on the given file descriptors.
//
// This is the lowest level of process handling: RunProcess (subprocess.h) runs
// a program to its end, LineProtocol (line_protocol.h) exchanges lines with
// one.
//
// Lifetime: the kernel kills a child when this process dies, however it dies.
// Linux ties that signal to the thread that called fork(), so all children are
// started by one thread that lives as long as the process; a child outlives the
// thread that called Spawn.
#ifndef ASSAY_RUNTIME_PROCESS_SPAWN_H_
#define ASSAY_RUNTIME_PROCESS_SPAWN_H_

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::runtime {

// A pipe. The destructor closes both ends; programs that are started do not
// inherit them.
class Pipe {
 public:
  Pipe() = default;
  ~Pipe() {
    CloseRead();
    CloseWrite();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  // Returns false and sets errno if the pipe cannot be created.
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

// The standard streams of a program; -1 stands for /dev/null.
struct Streams {
  int in = -1;
  int out = -1;
  int err = -1;
};

// Starts `arguments[0]` without a shell, in a process group of its own, with
// the environment of this process and the CPU affinity of the calling thread.
// Returns after exec() has succeeded. NotFound or PermissionDenied, naming the
// program, if it cannot be started. Thread-safe.
absl::StatusOr<pid_t> Spawn(const std::vector<std::string>& arguments,
                            const Streams& streams);

// Waits until a spawned program has ended; returns its status as waitpid()
// does. DeadlineExceeded if it still runs at `deadline_nanos`
// (MonotonicNanos()).
absl::StatusOr<int> WaitSpawned(pid_t pid, int64_t deadline_nanos);

// `exited with 5` or `died of signal 11`.
std::string DescribeExit(int status);

// Kills a spawned program and the rest of its process group, and waits until it
// has ended.
void KillSpawned(pid_t pid);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_PROCESS_SPAWN_H_
