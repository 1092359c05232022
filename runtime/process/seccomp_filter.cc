#include "runtime/process/seccomp_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

#include "runtime/base/check.h"

namespace assay::runtime {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#elif defined(__arm__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_ARM;
#else
#error "the list of system calls does not cover this processor"
#endif

// The filter decides by the number of the system call.
enum class Verdict {
  kAllow,
  kDeny,
  kUnknown,       // fails with ENOSYS
  kStartThread,   // the first argument is the flags of a thread
  kOwnProcess,    // the first argument is the id of the process
  kOwnLimits,     // the same, or 0
  kProcessState,  // prctl
  kDescriptor,    // fcntl
};

// removexattrat of Linux 6.13. From 424 on, all processors have the same
// numbers.
constexpr uint32_t kNewestCall = 466;

#if defined(__arm__)
// The calls of this processor alone, for example for the instruction cache.
constexpr uint32_t kFirstArmCall = 0x0f0000;
constexpr uint32_t kLastArmCall = 0x0f0006;
#endif

// Upper bound of the number of instructions, for a copy on the stack.
constexpr size_t kMaxInstructions = 1024;

constexpr int kDenied[] = {
    // Process groups and other processes.
    SYS_ioprio_set,
    SYS_kcmp,
    SYS_migrate_pages,
    SYS_move_pages,
    SYS_pidfd_getfd,
    SYS_pidfd_open,
    SYS_pidfd_send_signal,
    SYS_process_madvise,
    SYS_process_mrelease,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_ptrace,
    SYS_sched_setattr,
    SYS_sched_setparam,
    SYS_sched_setscheduler,
    SYS_setpgid,
    SYS_setpriority,
    SYS_setsid,
    SYS_tkill,
    // Namespaces and mounts.
    SYS_chroot,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fsopen,
    SYS_fspick,
    SYS_mount,
    SYS_mount_setattr,
    SYS_move_mount,
    SYS_open_tree,
    SYS_pivot_root,
    SYS_setns,
    SYS_umount2,
    SYS_unshare,
    // The kernel.
    SYS_add_key,
    SYS_bpf,
    SYS_delete_module,
    SYS_fanotify_init,
    SYS_finit_module,
    SYS_init_module,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_io_uring_setup,
    SYS_kexec_load,
    SYS_keyctl,
    SYS_open_by_handle_at,
    SYS_perf_event_open,
    SYS_quotactl,
    SYS_quotactl_fd,
    SYS_reboot,
    SYS_request_key,
    SYS_swapoff,
    SYS_swapon,
    SYS_syslog,
    SYS_userfaultfd,
    // Files.
    SYS_fchmod,
    SYS_fchmodat,
    452,  // fchmodat2
    SYS_fchown,
    SYS_fchownat,
    SYS_fremovexattr,
    SYS_fsetxattr,
    SYS_lremovexattr,
    SYS_lsetxattr,
    SYS_removexattr,
    466,  // removexattrat
    SYS_setxattr,
    463,  // setxattrat
    SYS_truncate,
    SYS_utimensat,
    // Objects that outlive the process.
    SYS_mq_open,
    SYS_mq_unlink,
    SYS_msgctl,
    SYS_msgget,
    SYS_msgrcv,
    SYS_msgsnd,
    SYS_semctl,
    SYS_semget,
    SYS_semop,
    SYS_semtimedop,
    SYS_shmat,
    SYS_shmctl,
    SYS_shmget,
// Older forms of the same.
#if defined(__x86_64__) || defined(__arm__)
    SYS_chmod,
    SYS_chown,
    SYS_fork,
    SYS_futimesat,
    SYS_lchown,
    SYS_utimes,
    SYS_vfork,
#endif
#if defined(__x86_64__)
    SYS_ioperm,
    SYS_iopl,
    SYS_modify_ldt,
    SYS_utime,
#endif
// Forms for large numbers.
#if defined(__arm__)
    SYS_chown32,
    SYS_fchown32,
    SYS_lchown32,
    SYS_semtimedop_time64,
    SYS_truncate64,
    SYS_utimensat_time64,
#endif
};

constexpr int kNetwork[] = {
    SYS_accept, SYS_accept4, SYS_bind,       SYS_connect,
    SYS_listen, SYS_socket,  SYS_socketpair,
};

// Maps the first of each range of numbers to the verdict on the range.
std::map<uint32_t, Verdict> Ranges(bool network) {
  std::map<uint32_t, Verdict> calls;
  for (const int call : kDenied) {
    calls[static_cast<uint32_t>(call)] = Verdict::kDeny;
  }
  if (!network) {
    for (const int call : kNetwork) {
      calls[static_cast<uint32_t>(call)] = Verdict::kDeny;
    }
  }
  calls[SYS_clone] = Verdict::kStartThread;
  calls[SYS_clone3] = Verdict::kUnknown;
  calls[SYS_kill] = Verdict::kOwnProcess;
  calls[SYS_tgkill] = Verdict::kOwnProcess;
  calls[SYS_rt_sigqueueinfo] = Verdict::kOwnProcess;
  calls[SYS_rt_tgsigqueueinfo] = Verdict::kOwnProcess;
  calls[SYS_prlimit64] = Verdict::kOwnLimits;
  calls[SYS_prctl] = Verdict::kProcessState;
  calls[SYS_fcntl] = Verdict::kDescriptor;
#if defined(__arm__)
  calls[SYS_fcntl64] = Verdict::kDescriptor;
#endif

  std::map<uint32_t, Verdict> ranges = {{0, Verdict::kAllow}};
  for (const auto& [call, verdict] : calls) {
    ranges[call] = verdict;
    ranges[call + 1] = Verdict::kAllow;  // unless the next call is listed
  }
  ranges[kNewestCall + 1] = Verdict::kUnknown;
#if defined(__arm__)
  ranges[kFirstArmCall] = Verdict::kAllow;
  ranges[kLastArmCall + 1] = Verdict::kUnknown;
#endif
  // Joins neighbours that have the same verdict.
  for (auto range = ranges.begin(); range != ranges.end();) {
    const auto next = std::next(range);
    if (next != ranges.end() && next->second == range->second) {
      ranges.erase(next);
    } else {
      range = next;
    }
  }
  return ranges;
}

class Builder {
 public:
  explicit Builder(bool network) {
    Load(offsetof(seccomp_data, arch));
    Add(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0);
    Return(SECCOMP_RET_KILL_PROCESS);
    Load(offsetof(seccomp_data, nr));
    const std::map<uint32_t, Verdict> ranges = Ranges(network);
    Search({ranges.begin(), ranges.end()});
    CHECK_LE(program.size(), kMaxInstructions);
  }

  std::vector<sock_filter> program;
  std::vector<size_t> pid_uses;

 private:
  using Range = std::pair<uint32_t, Verdict>;

  void Add(int code, uint32_t constant, uint8_t if_true = 0,
           uint8_t if_false = 0) {
    sock_filter instruction = {};
    instruction.code = static_cast<uint16_t>(code);
    instruction.jt = if_true;
    instruction.jf = if_false;
    instruction.k = constant;
    program.push_back(instruction);
  }

  void Load(size_t offset) {
    Add(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset));
  }

  // Loads the lower 32 bits of an argument. The kernel ignores the upper ones
  // of all arguments that are loaded here, whose types are int or, in the case
  // of clone, flags of 32 bits.
  void LoadArgument(size_t index) {
    static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
                  "the lower half of an argument comes first");
    Load(offsetof(seccomp_data, args) + index * sizeof(uint64_t));
  }

  void Return(uint32_t action) { Add(BPF_RET | BPF_K, action); }

  // Returns `if_equal` if the loaded value is `constant`; else continues.
  void ReturnIfEqual(uint32_t constant, uint32_t if_equal) {
    Add(BPF_JMP | BPF_JEQ | BPF_K, constant, 0, 1);
    Return(if_equal);
  }

  void ReturnIfOwnProcess() {
    pid_uses.push_back(program.size());
    ReturnIfEqual(0, SECCOMP_RET_ALLOW);
  }

  // A binary search: a call passes through about seven comparisons. Kernels
  // since 5.11 skip the filter for calls that it always permits.
  void Search(const std::vector<Range>& ranges) {
    if (ranges.size() == 1) return Judge(ranges[0].second);
    const auto middle =
        ranges.begin() + static_cast<std::ptrdiff_t>(ranges.size() / 2);
    // The distance of a conditional jump has 8 bits only.
    Add(BPF_JMP | BPF_JGE | BPF_K, middle->first, 0, 1);
    const size_t jump = program.size();
    Add(BPF_JMP | BPF_JA, 0);
    Search({ranges.begin(), middle});
    program[jump].k = static_cast<uint32_t>(program.size() - jump - 1);
    Search({middle, ranges.end()});
  }

  void Judge(Verdict verdict) {
    constexpr uint32_t kRefuse = SECCOMP_RET_ERRNO | EPERM;
    switch (verdict) {
      case Verdict::kAllow:
        return Return(SECCOMP_RET_ALLOW);
      case Verdict::kDeny:
        return Return(kRefuse);
      case Verdict::kUnknown:
        return Return(SECCOMP_RET_ERRNO | ENOSYS);
      case Verdict::kStartThread:
        // A thread is in the namespaces of its process.
        LoadArgument(0);
        Add(BPF_ALU | BPF_AND | BPF_K,
            CLONE_THREAD | CLONE_NEWCGROUP | CLONE_NEWIPC | CLONE_NEWNET |
                CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWUSER | CLONE_NEWUTS);
        ReturnIfEqual(CLONE_THREAD, SECCOMP_RET_ALLOW);
        return Return(kRefuse);
      case Verdict::kOwnLimits:
        LoadArgument(0);
        ReturnIfEqual(0, SECCOMP_RET_ALLOW);
        ReturnIfOwnProcess();
        return Return(kRefuse);
      case Verdict::kOwnProcess:
        LoadArgument(0);
        ReturnIfOwnProcess();
        return Return(kRefuse);
      case Verdict::kProcessState:
        LoadArgument(0);
        ReturnIfEqual(PR_SET_PDEATHSIG, kRefuse);
        return Return(SECCOMP_RET_ALLOW);
      case Verdict::kDescriptor:
        // The kernel sends signals to the owner of a descriptor.
        LoadArgument(1);
        ReturnIfEqual(F_SETOWN, kRefuse);
        ReturnIfEqual(F_SETOWN_EX, kRefuse);
        return Return(SECCOMP_RET_ALLOW);
    }
  }
};

// Copies the program for the process `pid` to `copy`.
void CopyProgram(const std::vector<sock_filter>& program,
                 const std::vector<size_t>& pid_uses, pid_t pid,
                 sock_filter* copy) {
  for (size_t i = 0; i < program.size(); ++i) copy[i] = program[i];
  for (const size_t use : pid_uses) copy[use].k = static_cast<uint32_t>(pid);
}

}  // namespace

SeccompFilter::SeccompFilter(bool network) {
  Builder builder(network);
  program_ = std::move(builder.program);
  pid_uses_ = std::move(builder.pid_uses);
}

int SeccompFilter::Install() const {
  sock_filter copy[kMaxInstructions];
  CopyProgram(program_, pid_uses_, getpid(), copy);
  sock_fprog program = {};
  program.len = static_cast<uint16_t>(program_.size());
  program.filter = copy;
  // Without SPEC_ALLOW, kernels before 5.16 make the loads of a filtered
  // process wait for earlier stores, which would falsify measured times.
  const long with_flag = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                                 SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program);
  if (with_flag == 0) return 0;
  if (errno != EINVAL) return errno;
  // Kernels before 4.17 do not know the flag.
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0
             ? 0
             : errno;
}

std::vector<sock_filter> SeccompFilter::ProgramFor(pid_t pid) const {
  std::vector<sock_filter> program(program_.size());
  CopyProgram(program_, pid_uses_, pid, program.data());
  return program;
}

}  // namespace assay::runtime
