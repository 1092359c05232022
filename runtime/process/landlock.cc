#include "runtime/process/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "runtime/base/file.h"

namespace assay::runtime {
namespace {

// The interface of the kernel. The headers of the C library describe version 1
// only. Kernels accept a longer structure than theirs if the rest is zero.
struct RulesetAttributes {
  uint64_t handled_files = 0;
  uint64_t handled_network = 0;  // since version 4
  uint64_t scoped = 0;           // since version 6
};

struct __attribute__((packed)) PathAttributes {
  uint64_t allowed = 0;
  int32_t folder = -1;
};

constexpr unsigned kAskForVersion = 1;  // flag of landlock_create_ruleset
constexpr int kPathRule = 1;            // type of landlock_add_rule

// Rights to a file or folder.
constexpr uint64_t kExecute = 1 << 0;
constexpr uint64_t kWriteFile = 1 << 1;
constexpr uint64_t kReadFile = 1 << 2;
constexpr uint64_t kReadFolder = 1 << 3;
constexpr uint64_t kRemoveFolder = 1 << 4;
constexpr uint64_t kRemoveFile = 1 << 5;
constexpr uint64_t kMakeFolder = 1 << 7;
constexpr uint64_t kMakeFile = 1 << 8;
constexpr uint64_t kMakeLink = 1 << 12;
constexpr uint64_t kAllOfVersion1 = (1 << 13) - 1;
constexpr uint64_t kMoveBetweenFolders = 1 << 13;  // since version 2
constexpr uint64_t kTruncate = 1 << 14;            // since version 3
constexpr uint64_t kControlDevice = 1 << 15;       // since version 5

// The rights that apply to a file which is not a folder.
constexpr uint64_t kOfFiles =
    kExecute | kWriteFile | kReadFile | kTruncate | kControlDevice;

constexpr uint64_t kRead = kReadFile | kReadFolder;
constexpr uint64_t kWrite = kRead | kWriteFile | kRemoveFolder | kRemoveFile |
                            kMakeFolder | kMakeFile | kMakeLink |
                            kMoveBetweenFolders | kTruncate;

constexpr uint64_t kBindAndConnectTcp = 3;
constexpr uint64_t kAbstractSockets = 1;
constexpr uint64_t kSignals = 2;

RulesetAttributes AttributesOf(int version, bool network) {
  RulesetAttributes attributes;
  attributes.handled_files = kAllOfVersion1;
  if (version >= 2) attributes.handled_files |= kMoveBetweenFolders;
  if (version >= kLandlockTruncate) attributes.handled_files |= kTruncate;
  if (version >= 5) attributes.handled_files |= kControlDevice;
  if (version >= 4 && !network) attributes.handled_network = kBindAndConnectTcp;
  if (version >= 6) {
    attributes.scoped = network ? kSignals : kSignals | kAbstractSockets;
  }
  return attributes;
}

uint64_t RightsOf(LandlockAccess access) {
  switch (access) {
    case LandlockAccess::kRead:
      return kRead;
    case LandlockAccess::kExecute:
      return kRead | kExecute;
    case LandlockAccess::kWrite:
      return kWrite;
  }
  return 0;
}

absl::Status Permit(int ruleset, const LandlockPath& path, uint64_t handled) {
  PathAttributes rule;
  rule.folder = open(path.path.c_str(), O_PATH | O_CLOEXEC);
  if (rule.folder < 0) return ErrnoError("open", path.path);
  struct stat info = {};
  absl::Status status;
  if (fstat(rule.folder, &info) != 0) {
    status = ErrnoError("inspect", path.path);
  } else {
    rule.allowed = RightsOf(path.access) & handled;
    if (!S_ISDIR(info.st_mode)) rule.allowed &= kOfFiles;
    if (syscall(SYS_landlock_add_rule, ruleset, kPathRule, &rule, 0) != 0) {
      status = ErrnoError("permit access to", path.path);
    }
  }
  close(rule.folder);
  return status;
}

}  // namespace

int LandlockVersion() {
  const long version =
      syscall(SYS_landlock_create_ruleset, nullptr, size_t{0}, kAskForVersion);
  return version < 0 ? 0 : static_cast<int>(version);
}

absl::StatusOr<LandlockRuleset> LandlockRuleset::Create(
    const std::vector<LandlockPath>& paths, bool network) {
  const int version = LandlockVersion();
  if (version == 0) {
    return absl::UnimplementedError("the kernel has no Landlock");
  }
  const RulesetAttributes attributes = AttributesOf(version, network);
  const long fd =
      syscall(SYS_landlock_create_ruleset, &attributes, sizeof(attributes), 0);
  if (fd < 0) {
    return absl::ErrnoToStatus(errno, "cannot create a Landlock ruleset");
  }
  LandlockRuleset ruleset(static_cast<int>(fd));
  for (const LandlockPath& path : paths) {
    absl::Status permitted =
        Permit(ruleset.fd_, path, attributes.handled_files);
    if (!permitted.ok()) return permitted;
  }
  return ruleset;
}

LandlockRuleset::LandlockRuleset(LandlockRuleset&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)) {}

LandlockRuleset& LandlockRuleset::operator=(LandlockRuleset&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

LandlockRuleset::~LandlockRuleset() {
  if (fd_ >= 0) close(fd_);
}

int LandlockRuleset::Restrict() const {
  return syscall(SYS_landlock_restrict_self, fd_, 0) == 0 ? 0 : errno;
}

}  // namespace assay::runtime
