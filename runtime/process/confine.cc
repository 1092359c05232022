#include "runtime/process/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::runtime {
namespace {

// In the order of their application:
//   - Landlock and the filter need the lack of new privileges.
//   - The filter comes after the calls that it refuses.
//   - Memory is limited last, because from then on the stack may not grow.
enum Restriction {
  kDescriptors,
  kNewPrivileges,
  kCapabilities,
  kLandlock,
  kCpuTime,
  kFileSize,
  kOpenFiles,
  kUserThreads,
  kCoreFile,
  kSeccomp,
  kAddressSpace,
  kData,
};

struct Description {
  const char* name;
  int resource;  // of setrlimit(); -1 if the restriction is no limit
};

constexpr Description kDescriptions[] = {
    {"closing of descriptors", -1},
    {"no new privileges", -1},
    {"capabilities", -1},
    {"landlock", -1},
    {"limit of CPU time", RLIMIT_CPU},
    {"limit of the size of files", RLIMIT_FSIZE},
    {"limit of open files", RLIMIT_NOFILE},
    {"limit of threads", RLIMIT_NPROC},
    {"limit of core files", RLIMIT_CORE},
    {"seccomp", -1},
    {"limit of address space", RLIMIT_AS},
    {"limit of data", RLIMIT_DATA},
};

constexpr int kRestrictions = std::size(kDescriptions);
static_assert(kRestrictions == kData + 1, "one description per restriction");

// Marks all descriptors except for the standard streams. Returns 0.
int CloseAtExec() {
  constexpr unsigned kFirst = 3;
  constexpr unsigned kCloseOnExec = 1 << 2;  // CLOSE_RANGE_CLOEXEC
  if (syscall(SYS_close_range, kFirst, ~0u, kCloseOnExec) == 0) return 0;
  // Kernels before 5.11 do not have this call. The default of the largest
  // descriptor is 2^20.
  constexpr rlim64_t kMost = 1 << 20;
  rlimit64 limit = {};
  if (getrlimit64(RLIMIT_NOFILE, &limit) != 0) return errno;
  const int end = static_cast<int>(std::min(limit.rlim_max, kMost));
  for (int fd = kFirst; fd < end; ++fd) fcntl(fd, F_SETFD, FD_CLOEXEC);
  return 0;
}

int DropCapabilities() {
  // exec() would otherwise count as a gain of privileges for a process of root,
  // and undo the choice of its addresses (address_space.h). This fails only for
  // processes that have no privileges.
  prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED);
  __user_cap_header_struct header = {};
  header.version = _LINUX_CAPABILITY_VERSION_3;
  __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};
  return syscall(SYS_capset, &header, none) == 0 ? 0 : errno;
}

int Limit(int resource, int64_t value) {
  rlimit64 limit = {};
  if (getrlimit64(resource, &limit) != 0) return errno;
  // At the hard limit of CPU time the kernel kills the process without SIGXCPU,
  // the signal that tells the reason.
  const rlim64_t soft = static_cast<rlim64_t>(value);
  const rlim64_t hard = resource == RLIMIT_CPU ? soft + 1 : soft;
  limit.rlim_max = std::min(limit.rlim_max, hard);
  limit.rlim_cur = std::min(limit.rlim_max, soft);
  if (setrlimit64(resource, &limit) != 0) return errno;
  // qemu ignores limits of memory.
  rlimit64 actual = {};
  if (getrlimit64(resource, &actual) != 0) return errno;
  return actual.rlim_cur == limit.rlim_cur ? 0 : ENOSYS;
}

std::vector<LandlockPath> Paths(const Confinement& confinement) {
  std::vector<LandlockPath> paths;
  for (const char* path : {"/proc", "/sys", "/dev/zero", "/dev/urandom"}) {
    if (FileExists(path)) paths.push_back({path, LandlockAccess::kRead});
  }
  if (FileExists("/dev/null")) {
    paths.push_back({"/dev/null", LandlockAccess::kWrite});
  }
  for (const std::string& path : confinement.readable) {
    paths.push_back({path, LandlockAccess::kExecute});
  }
  if (!confinement.folder.empty()) {
    paths.push_back({confinement.folder, LandlockAccess::kWrite});
  }
  return paths;
}

bool ReadFully(int fd, void* data, size_t bytes) {
  size_t done = 0;
  while (done < bytes) {
    const ssize_t n = read(fd, static_cast<char*>(data) + done, bytes - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<size_t>(n);
  }
  return true;
}

}  // namespace

std::vector<std::string> SystemLibraries() {
  std::vector<std::string> paths;
  for (const char* path :
       {"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache"}) {
    if (FileExists(path)) paths.push_back(path);
  }
  return paths;
}

const char* RestrictionName(int restriction) {
  CHECK(restriction >= 0 && restriction < kRestrictions) << restriction;
  return kDescriptions[restriction].name;
}

PreparedConfinement::PreparedConfinement(const Confinement& confinement)
    : limits_(kRestrictions, 0),
      filter_(confinement.network),
      environment_(confinement.environment) {
  for (std::string& variable : environment_) {
    environment_pointers_.push_back(variable.data());
  }
  environment_pointers_.push_back(nullptr);
  limits_[kCpuTime] = confinement.max_cpu_seconds;
  limits_[kFileSize] = confinement.max_file_bytes;
  limits_[kOpenFiles] = confinement.max_open_files;
  limits_[kUserThreads] = confinement.max_user_threads;
  limits_[kAddressSpace] = confinement.max_address_space;
  limits_[kData] = confinement.max_data_bytes;
  for (int i = 0; i < kRestrictions; ++i) {
    const bool unlimited =
        kDescriptions[i].resource >= 0 && i != kCoreFile && limits_[i] == 0;
    if (!unlimited) restrictions_.push_back(i);
  }
}

absl::StatusOr<std::unique_ptr<PreparedConfinement>>
PreparedConfinement::Prepare(const Confinement& confinement) {
  std::unique_ptr<PreparedConfinement> prepared(
      new PreparedConfinement(confinement));
  absl::StatusOr<LandlockRuleset> landlock =
      LandlockRuleset::Create(Paths(confinement), confinement.network);
  if (landlock.ok()) {
    prepared->landlock_ = std::move(*landlock);
  } else if (!absl::IsUnimplemented(landlock.status())) {
    return landlock.status();
  }
  ASSAY_RETURN_IF_ERROR(prepared->Probe());
  return prepared;
}

int PreparedConfinement::Restrict(int restriction) const {
  switch (restriction) {
    case kDescriptors:
      return CloseAtExec();
    case kNewPrivileges:
      return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno;
    case kCapabilities:
      return DropCapabilities();
    case kLandlock:
      return landlock_.has_value() ? landlock_->Restrict() : ENOSYS;
    case kSeccomp:
      return filter_.Install();
    default:
      return Limit(kDescriptions[restriction].resource, limits_[restriction]);
  }
}

ConfinementFailure PreparedConfinement::Apply() const {
  ConfinementFailure failure;
  for (const int restriction : restrictions_) {
    failure.restriction = restriction;
    failure.error = Restrict(restriction);
    if (failure.error != 0) return failure;
  }
  return failure;
}

absl::Status PreparedConfinement::Probe() {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) {
    return absl::ErrnoToStatus(errno, "cannot create a pipe");
  }
  // The child does not need the thread that starts programs (spawn.h): it ends
  // at once by itself.
  const pid_t child = fork();
  if (child == 0) {
    for (const int restriction : restrictions_) {
      const int error = Restrict(restriction);
      if (write(fds[1], &error, sizeof(error)) != sizeof(error)) _exit(1);
    }
    _exit(0);
  }
  const int fork_error = errno;
  close(fds[1]);
  std::vector<int> errors(restrictions_.size(), 0);
  const bool complete =
      child > 0 &&
      ReadFully(fds[0], errors.data(), errors.size() * sizeof(errors[0]));
  close(fds[0]);
  if (child < 0) return absl::ErrnoToStatus(fork_error, "cannot fork");
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!complete) {
    return absl::InternalError(
        absl::StrCat("the process that tries the restrictions of workers ended "
                     "early, with wait status ",
                     status));
  }
  std::vector<int> working;
  for (size_t i = 0; i < errors.size(); ++i) {
    if (errors[i] == 0) {
      working.push_back(restrictions_[i]);
    } else {
      AddMissing(restrictions_[i], errors[i]);
    }
  }
  restrictions_ = std::move(working);
  const int version = LandlockVersion();
  if (landlock_.has_value() && version < kLandlockTruncate) {
    missing_.push_back(
        absl::StrCat("landlock: version ", version,
                     " does not protect other files from truncation"));
  }
  return absl::OkStatus();
}

void PreparedConfinement::AddMissing(int restriction, int error) {
  const bool unknown =
      error == ENOSYS || error == EINVAL || error == EOPNOTSUPP;
  missing_.push_back(
      absl::StrCat(RestrictionName(restriction), ": ",
                   unknown ? "not supported by this system"
                           : std::generic_category().message(error)));
}

}  // namespace assay::runtime
