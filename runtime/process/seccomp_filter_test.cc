#include "runtime/process/seccomp_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "gtest/gtest.h"

namespace assay::runtime {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kHere = AUDIT_ARCH_X86_64;
constexpr uint32_t kOther = AUDIT_ARCH_I386;
#elif defined(__aarch64__)
constexpr uint32_t kHere = AUDIT_ARCH_AARCH64;
constexpr uint32_t kOther = AUDIT_ARCH_ARM;
#else
constexpr uint32_t kHere = AUDIT_ARCH_ARM;
constexpr uint32_t kOther = AUDIT_ARCH_AARCH64;
#endif

constexpr uint32_t kAllow = SECCOMP_RET_ALLOW;
constexpr uint32_t kDeny = SECCOMP_RET_ERRNO | EPERM;
constexpr uint32_t kUnknown = SECCOMP_RET_ERRNO | ENOSYS;

constexpr pid_t kPid = 4711;

// Interprets the instructions that the filter consists of.
uint32_t Interpret(const std::vector<sock_filter>& program,
                   const seccomp_data& call) {
  uint32_t value = 0;
  for (size_t at = 0; at < program.size(); ++at) {
    const sock_filter& instruction = program[at];
    const uint32_t k = instruction.k;
    bool condition = false;
    switch (instruction.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        if (k + sizeof(value) > sizeof(call)) return ~0u;
        std::memcpy(&value, reinterpret_cast<const char*>(&call) + k,
                    sizeof(value));
        continue;
      case BPF_ALU | BPF_AND | BPF_K:
        value &= k;
        continue;
      case BPF_RET | BPF_K:
        return k;
      case BPF_JMP | BPF_JA:
        at += k;
        continue;
      case BPF_JMP | BPF_JEQ | BPF_K:
        condition = value == k;
        break;
      case BPF_JMP | BPF_JGE | BPF_K:
        condition = value >= k;
        break;
      default:
        ADD_FAILURE() << "unexpected instruction " << instruction.code;
        return ~0u;
    }
    at += condition ? instruction.jt : instruction.jf;
  }
  ADD_FAILURE() << "the program does not return";
  return ~0u;
}

// Returns the verdict on a system call in the process kPid.
uint32_t Judge(int number, uint64_t first = 0, uint64_t second = 0,
               bool network = false, uint32_t architecture = kHere) {
  seccomp_data call = {};
  call.nr = number;
  call.arch = architecture;
  call.args[0] = first;
  call.args[1] = second;
  return Interpret(SeccompFilter(network).ProgramFor(kPid), call);
}

TEST(SeccompFilterTest, PermitsWhatWorkersNeed) {
  for (const int call : {SYS_read,
                         SYS_write,
                         SYS_openat,
                         SYS_close,
                         SYS_mprotect,
                         SYS_munmap,
                         SYS_futex,
                         SYS_clock_gettime,
                         SYS_clock_nanosleep,
                         SYS_execve,
                         SYS_exit_group,
                         SYS_memfd_create,
                         SYS_sched_setaffinity,
                         SYS_rt_sigaction,
                         SYS_rt_sigreturn,
                         SYS_readlinkat,
                         SYS_personality,
                         SYS_getrandom,
                         SYS_seccomp,
                         SYS_ioctl,
                         SYS_restart_syscall,
                         SYS_unlinkat}) {
    EXPECT_EQ(Judge(call), kAllow) << call;
  }
}

TEST(SeccompFilterTest, DeniesListedCalls) {
  for (const int call :
       {SYS_setsid, SYS_setpgid, SYS_ptrace, SYS_process_vm_writev,
        SYS_pidfd_open, SYS_mount, SYS_unshare, SYS_keyctl, SYS_perf_event_open,
        SYS_bpf, SYS_userfaultfd, SYS_io_uring_setup, SYS_shmget, SYS_tkill,
        SYS_fchmodat, SYS_setpriority, SYS_truncate}) {
    EXPECT_EQ(Judge(call), kDeny) << call;
  }
#if defined(SYS_fork)
  EXPECT_EQ(Judge(SYS_fork), kDeny);
  EXPECT_EQ(Judge(SYS_vfork), kDeny);
#endif
}

TEST(SeccompFilterTest, PermitsThreadsAndDeniesProcesses) {
  constexpr uint64_t kThread =
      CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
      CLONE_SYSVSEM | CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
  EXPECT_EQ(Judge(SYS_clone, kThread), kAllow);
  EXPECT_EQ(Judge(SYS_clone, SIGCHLD), kDeny);
  EXPECT_EQ(Judge(SYS_clone, CLONE_VM | CLONE_VFORK | SIGCHLD), kDeny);
  EXPECT_EQ(Judge(SYS_clone, kThread | CLONE_NEWNET), kDeny);
  EXPECT_EQ(Judge(SYS_clone3), kUnknown);
}

TEST(SeccompFilterTest, PermitsSignalsToTheProcessItself) {
  for (const int call :
       {SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo}) {
    EXPECT_EQ(Judge(call, kPid), kAllow) << call;
    // The kernel reads 32 bits.
    EXPECT_EQ(Judge(call, (uint64_t{1} << 32) | kPid), kAllow) << call;
    EXPECT_EQ(Judge(call, kPid + 1), kDeny) << call;
    EXPECT_EQ(Judge(call, 0), kDeny) << call;
    EXPECT_EQ(Judge(call, static_cast<uint64_t>(-1)), kDeny) << call;
  }
  EXPECT_EQ(Judge(SYS_prlimit64, 0), kAllow);
  EXPECT_EQ(Judge(SYS_prlimit64, kPid), kAllow);
  EXPECT_EQ(Judge(SYS_prlimit64, 1), kDeny);
}

TEST(SeccompFilterTest, LooksAtArguments) {
  EXPECT_EQ(Judge(SYS_prctl, PR_SET_NAME), kAllow);
  EXPECT_EQ(Judge(SYS_prctl, PR_SET_PDEATHSIG), kDeny);
  EXPECT_EQ(Judge(SYS_fcntl, 3, F_SETFD), kAllow);
  EXPECT_EQ(Judge(SYS_fcntl, 3, F_SETOWN), kDeny);
}

TEST(SeccompFilterTest, SocketsNeedTheNetwork) {
  for (const int call : {SYS_socket, SYS_socketpair, SYS_connect, SYS_bind,
                         SYS_listen, SYS_accept4}) {
    EXPECT_EQ(Judge(call, AF_UNIX), kDeny) << call;
    EXPECT_EQ(Judge(call, AF_UNIX, 0, /*network=*/true), kAllow) << call;
  }
}

TEST(SeccompFilterTest, NewerCallsAreUnknown) {
  EXPECT_EQ(Judge(462), kAllow);  // mseal
  EXPECT_EQ(Judge(466), kDeny);   // removexattrat
  EXPECT_EQ(Judge(467), kUnknown);
  EXPECT_EQ(Judge(100000), kUnknown);
  EXPECT_EQ(Judge(-1), kUnknown);
  // The bit of x32 on x86-64.
  EXPECT_EQ(Judge(0x40000000 | SYS_read), kUnknown);
#if defined(__arm__)
  EXPECT_EQ(Judge(0x0f0002), kAllow);  // cacheflush
  EXPECT_EQ(Judge(0x0f0005), kAllow);  // set_tls
  EXPECT_EQ(Judge(0x0f0007), kUnknown);
#endif
}

TEST(SeccompFilterTest, OtherArchitecturesAreKilled) {
  EXPECT_EQ(Judge(SYS_read, 0, 0, false, kOther), SECCOMP_RET_KILL_PROCESS);
}

TEST(SeccompFilterTest, AppliesToTheProcess) {
  const SeccompFilter filter(/*network=*/false);
  EXPECT_EXIT(
      {
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) _exit(1);
        const int error = filter.Install();
        // Old kernels, emulators and sandboxes refuse filters.
        if (error == ENOSYS || error == EINVAL || error == EPERM) _exit(0);
        if (error != 0) _exit(2);
        const bool denied = syscall(SYS_setsid) < 0 && errno == EPERM;
        _exit(denied && kill(getpid(), 0) == 0 ? 0 : 3);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace assay::runtime
