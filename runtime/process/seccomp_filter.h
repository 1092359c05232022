// SeccompFilter: restricts the system calls that a process may make. It is for
// processes that run code from a network.
//
// The filter (seccomp(2)) runs in the kernel before each system call of the
// process. It applies to all threads of the process from then on, survives
// exec(), and cannot be removed.
//
// Refused calls fail with EPERM. The filter lists the calls that it refuses
// rather than those that it permits, because it also serves programs which the
// repository does not build, such as an emulator and the C library of a device.
// Calls that are newer than the list fail with ENOSYS, so that a C library uses
// older ones instead. These calls are refused:
//
//   processes   fork and vfork, and clone unless it starts a thread. clone3
//               fails with ENOSYS: a filter cannot read its arguments in
//               memory, and C libraries then call clone.
//   groups      setsid and setpgid, and the prctl that would let the process
//               survive its parent. A group is killed as a whole.
//   others      signals to other processes, ptrace and access to their memory,
//               their limits and their priorities.
//   networks    socket and all that belongs to it.
//   kernel      namespaces, mounts, modules, keys, bpf, perf_event_open,
//               userfaultfd and io_uring, which would circumvent the filter.
//   files       changes of owners, modes, times and attributes, and truncate by
//               name, which Landlock (landlock.h) does not cover.
//   shared      System V and POSIX queues, semaphores and shared memory, which
//               outlive the process.
//
// exec stays permitted, because the program itself is started after the filter
// is installed, and a filter has no memory, so it cannot permit only the first
// exec. A program that is started later has the same filter and can do no more
// than the generated code could do anyway. sched_setaffinity stays permitted,
// because a filter cannot tell which threads belong to the process.
//
// A call in the ABI of another architecture, for example of 32-bit x86 on
// x86-64, kills the process with SIGSYS. Therefore the filter of a 64-bit
// server kills a 32-bit program, unless an emulator runs the program. On
// x86-64, calls in the x32 ABI have larger numbers than all calls of the list,
// so they fail with ENOSYS.
#ifndef ASSAY_RUNTIME_PROCESS_SECCOMP_FILTER_H_
#define ASSAY_RUNTIME_PROCESS_SECCOMP_FILTER_H_

#include <linux/filter.h>
#include <sys/types.h>

#include <cstddef>
#include <vector>

namespace assay::runtime {

class SeccompFilter {
 public:
  // Prepares the filter. With `network`, sockets are permitted.
  explicit SeccompFilter(bool network);

  // Installs the filter in the calling process, which must have one thread
  // and no new privileges (PR_SET_NO_NEW_PRIVS). Returns 0, or the errno, which
  // is ENOSYS or EINVAL if the kernel has no filters. Allocates no memory and
  // takes no locks: may be called between fork() and exec().
  int Install() const;

  // Returns the program that Install() installs in the process `pid`.
  std::vector<sock_filter> ProgramFor(pid_t pid) const;

 private:
  std::vector<sock_filter> program_;
  // Indices of the instructions whose constant is the id of the process.
  std::vector<size_t> pid_uses_;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_PROCESS_SECCOMP_FILTER_H_
