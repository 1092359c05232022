// Spawn: another program on descriptors of ours. What to do with them is the
// business of subprocess.h, for one that runs to its end, and conversation.h,
// for one that answers.
#ifndef ASSAY_SUITES_HARNESS_RUNNERS_SPAWN_H_
#define ASSAY_SUITES_HARNESS_RUNNERS_SPAWN_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::suites {

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

  // False, and errno set, if there is none to be had.
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

// The standard streams of a program; -1 is /dev/null.
struct Streams {
  int in = -1;
  int out = -1;
  int err = -1;
};

// The program is started directly, without a shell, in a process group of its
// own, and killed by the kernel if we die. NotFound or PermissionDenied, naming
// it, if it cannot be started.
absl::StatusOr<pid_t> Spawn(const std::vector<std::string>& arguments,
                            const Streams& streams);

// Ends a spawned program and what is in its group, and waits for its end.
void KillSpawned(pid_t pid);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_RUNNERS_SPAWN_H_
