// confined_program ACTION...: does what a process might do that runs code from
// a network, for confine_test.cc. For each action, prints a line `ACTION: ok`
// or `ACTION: error of the system`.

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <thread>

namespace {

volatile sig_atomic_t signals = 0;

// All actions return 0 or the errno.
int Result(bool ok) { return ok ? 0 : errno; }

int Fork() {
  const pid_t child = fork();
  if (child == 0) {
    // Tries to escape from KillSpawned().
    setsid();
    sleep(100);
    _exit(0);
  }
  return Result(child > 0);
}

int StartThread() {
  int value = 0;
  std::thread([&value] { value = 1; }).join();
  return value == 1 ? 0 : EINVAL;
}

int RunGeneratedCode() {
#if defined(__x86_64__)
  const unsigned char code[] = {0xc3};
#elif defined(__aarch64__)
  const unsigned char code[] = {0xc0, 0x03, 0x5f, 0xd6};
#else
  const unsigned char code[] = {0x1e, 0xff, 0x2f, 0xe1};
#endif
  constexpr size_t kBytes = 4096;
  void* const memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return errno;
  memcpy(memory, code, sizeof(code));
  char* const begin = static_cast<char*>(memory);
  __builtin___clear_cache(begin, begin + sizeof(code));
  if (mprotect(memory, kBytes, PROT_READ | PROT_EXEC) != 0) return errno;
  reinterpret_cast<void (*)()>(memory)();
  return 0;
}

int SignalItself() {
  signal(SIGUSR1, [](int) { signals = signals + 1; });
  if (raise(SIGUSR1) != 0 || kill(getpid(), SIGUSR1) != 0) return errno;
  return signals == 2 ? 0 : EINVAL;
}

int Allocate(const std::string& bytes) {
  return Result(mmap(nullptr, std::strtoul(bytes.c_str(), nullptr, 10),
                     PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                     0) != MAP_FAILED);
}

int Read(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  char byte;
  return Result(fd >= 0 && read(fd, &byte, 1) == 1);
}

int Write(const std::string& path) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  return Result(fd >= 0 && write(fd, "x", 1) == 1);
}

// Writes 64 MiB.
int WriteMuch(const std::string& path) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const std::string block(size_t{1} << 16, 'x');
  for (int i = 0; i < 1024; ++i) {
    if (write(fd, block.data(), block.size()) < 0) return errno;
  }
  return 0;
}

// Starts this program again without random addresses, like DrawAddressSpace().
int ExecAgain() {
  personality(ADDR_NO_RANDOMIZE);
  execl("/proc/self/exe", "confined_program", "thread", "fixed_addresses",
        nullptr);
  return errno;
}

int HasFixedAddresses() {
  return (personality(0xffffffff) & ADDR_NO_RANDOMIZE) != 0 ? 0 : ENOSYS;
}

int OpenWithoutEnd() {
  while (open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0) {
  }
  return errno;
}

int RaiseLimit() {
  rlimit limit = {};
  limit.rlim_cur = limit.rlim_max = 1 << 20;
  return Result(setrlimit(RLIMIT_CORE, &limit) == 0);
}

int SharedMemory() {
  const int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
  if (id >= 0) shmctl(id, IPC_RMID, nullptr);
  return Result(id >= 0);
}

int Spin() {
  for (volatile unsigned i = 0;; i = i + 1) {
  }
}

const std::map<std::string, std::function<int()>>& Actions() {
  static const auto* const actions = new std::map<std::string,
                                                  std::function<int()>>{
      {"clone3", [] { return Result(syscall(435, nullptr, size_t{0}) >= 0); }},
      {"exec_again", ExecAgain},
      {"fixed_addresses", HasFixedAddresses},
      {"fork", Fork},
      {"generated_code", RunGeneratedCode},
      {"group", [] { return Result(setpgid(0, getpgid(getppid())) == 0); }},
      {"kill_parent", [] { return Result(kill(getppid(), 0) == 0); }},
      {"limit_parent",
       [] {
         return Result(prlimit(getppid(), RLIMIT_CORE, nullptr, nullptr) == 0);
       }},
      {"open_without_end", OpenWithoutEnd},
      {"outlive_parent",
       [] { return Result(prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0) == 0); }},
      {"ptrace", [] { return Result(ptrace(PTRACE_TRACEME, 0, 0, 0) == 0); }},
      {"raise_limit", RaiseLimit},
      {"session", [] { return Result(setsid() >= 0); }},
      {"shared_memory", SharedMemory},
      {"signal_itself", SignalItself},
      {"socket", [] { return Result(socket(AF_INET, SOCK_STREAM, 0) >= 0); }},
      {"spin", Spin},
      {"thread", StartThread},
      {"wait", [] { return Result(pause() == 0); }},
  };
  return *actions;
}

// Actions `NAME=ARGUMENT`.
int DoWithArgument(const std::string& name, const std::string& argument) {
  if (name == "allocate") return Allocate(argument);
  if (name == "chmod") return Result(chmod(argument.c_str(), 0600) == 0);
  if (name == "descriptor") {
    return Result(fcntl(std::atoi(argument.c_str()), F_GETFD) >= 0);
  }
  if (name == "read") return Read(argument);
  if (name == "write") return Write(argument);
  if (name == "write_much") return WriteMuch(argument);
  return ENOTSUP;
}

int Do(const std::string& action) {
  const size_t equals = action.find('=');
  if (equals != std::string::npos) {
    return DoWithArgument(action.substr(0, equals), action.substr(equals + 1));
  }
  const auto found = Actions().find(action);
  return found == Actions().end() ? ENOTSUP : found->second();
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const int error = Do(argv[i]);
    std::printf("%s: %s\n", argv[i], error == 0 ? "ok" : std::strerror(error));
    std::fflush(stdout);
  }
  // Does not look for leaks, which needs a process of its own.
  _exit(0);
}
