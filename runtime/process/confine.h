// Confinement: limits what a process can do that runs code from a network.
//
// The restrictions are applied between fork() and exec() (spawn.h). Therefore
// they hold whatever the program is, also for an emulator, and before it reads
// its first input:
//
//   environment    only the variables of the `Confinement`, because those of
//                  the caller can contain secrets
//   descriptors    closed at exec(), except for the standard streams
//   privileges     exec() gives none (PR_SET_NO_NEW_PRIVS), and a process of
//                  root loses its capabilities, so that it cannot raise limits
//   files          only those of the `Confinement`, and what every program
//                  reads: /proc, /sys, /dev/null, /dev/zero and /dev/urandom
//                  (landlock.h)
//   limits         of memory, time, files and threads; no core files
//   system calls   no other processes, no sockets unless `network` is true,
//                  nothing that outlives the process (seccomp_filter.h)
//
// With the last restriction, the process is alone and cannot leave its process
// group, so that KillSpawned() leaves nothing behind. Without it (missing()
// lists `seccomp`), the process can start others that leave the group and
// survive.
//
// Not every system has all of this: kernels can be old, and an emulator such as
// qemu offers its guests neither Landlock nor filters. Prepare() tries every
// restriction in a child process. A restriction that fails there is left out
// and listed by missing(). If one works there but fails in Apply(), the program
// is not started.
//
//   Confinement confinement;
//   confinement.max_data_bytes = int64_t{2} << 30;
//   confinement.folder = folder.path();
//   confinement.readable = SystemLibraries();
//   confinement.readable.push_back(program);
//   ASSAY_ASSIGN_OR_RETURN(const auto prepared,
//                          PreparedConfinement::Prepare(confinement));
//   SpawnOptions options;
//   options.confinement = prepared.get();
//   ASSAY_ASSIGN_OR_RETURN(const pid_t pid,
//                          Spawn({program}, streams, options));
//
// The number of files in the folder is not limited, only the size of each: put
// the folder on a file system that is small enough. Files in memory
// (memfd_create) are limited by their size and by `max_open_files`.
#ifndef ASSAY_RUNTIME_PROCESS_CONFINE_H_
#define ASSAY_RUNTIME_PROCESS_CONFINE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/process/landlock.h"
#include "runtime/process/seccomp_filter.h"

namespace assay::runtime {

// A limit of 0 stands for no limit. No limit is ever raised.
struct Confinement {
  // Addresses (RLIMIT_AS). qemu needs 4 GiB more for a 32-bit program, and
  // programs under AddressSanitizer need terabytes.
  int64_t max_address_space = 0;
  // Private memory that can be written (RLIMIT_DATA). Unlike the limit of
  // addresses, it does not count what is only reserved.
  int64_t max_data_bytes = 0;
  // Processor time of all threads (RLIMIT_CPU). SIGXCPU ends the process after
  // this time, and SIGKILL one second later.
  int64_t max_cpu_seconds = 0;
  // The size of each file (RLIMIT_FSIZE). SIGXFSZ ends a process that writes
  // more.
  int64_t max_file_bytes = 0;
  int64_t max_open_files = 0;  // RLIMIT_NOFILE
  // Threads (RLIMIT_NPROC). The limit counts the threads of all processes of
  // the user, and does not apply to root. Set it far above the number that the
  // user needs: it is meant to stop a process that starts threads without end.
  int64_t max_user_threads = 0;
  // The only folder in which the process can write; empty for none.
  std::string folder;
  // The files and folders that the process can read and execute: the program,
  // an emulator with its sysroot, the libraries, and the inputs. They must
  // exist. See landlock.h about symbolic links.
  std::vector<std::string> readable;
  // Permits sockets.
  bool network = false;
  // The environment of the program: lines `NAME=VALUE`.
  std::vector<std::string> environment;
};

// Returns the folders of the system's shared libraries and the index of the
// dynamic linker, without those that do not exist.
std::vector<std::string> SystemLibraries();

// The restriction that could not be applied. `error` is the errno, or 0 if no
// restriction failed; `restriction` then has no meaning.
struct ConfinementFailure {
  int restriction = 0;
  int error = 0;
};

// Returns the name of a restriction, such as `landlock`.
const char* RestrictionName(int restriction);

// A PreparedConfinement holds everything that Apply() needs. It can be used for
// many processes, also at the same time.
class PreparedConfinement {
 public:
  // Takes some milliseconds. Returns the error of the system, for example
  // NotFound, with the name of a path that cannot be opened.
  static absl::StatusOr<std::unique_ptr<PreparedConfinement>> Prepare(
      const Confinement& confinement);

  // The restrictions that this system does not have, such as `landlock: not
  // supported by this system`.
  const std::vector<std::string>& missing() const { return missing_; }

  // The environment of the program, for execve().
  char* const* environment() const { return environment_pointers_.data(); }

  // Confines the calling process, which must have one thread, for good.
  // Allocates no memory and takes no locks: to be called between fork() and
  // exec().
  ConfinementFailure Apply() const;

 private:
  explicit PreparedConfinement(const Confinement& confinement);
  PreparedConfinement(const PreparedConfinement&) = delete;
  PreparedConfinement& operator=(const PreparedConfinement&) = delete;

  // Applies the restriction. Returns 0 or the errno.
  int Restrict(int restriction) const;
  // Tries the restrictions in a child, and removes those that fail.
  absl::Status Probe();
  void AddMissing(int restriction, int error);

  // The limit of each restriction that is a limit.
  std::vector<int64_t> limits_;
  std::vector<int> restrictions_;  // in the order of their application
  std::optional<LandlockRuleset> landlock_;
  SeccompFilter filter_;
  std::vector<std::string> missing_;
  std::vector<std::string> environment_;
  std::vector<char*> environment_pointers_;  // to environment_; ends with null
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_PROCESS_CONFINE_H_
