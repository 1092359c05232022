#include "rpc/server/trusted_keys_file.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr int64_t kCheckNanos = 1'000'000'000;
// After an error of the file, its last good version is used for this time.
constexpr int64_t kGraceNanos = 60 * kCheckNanos;
constexpr int64_t kMaxTrustedBytes = int64_t{1} << 20;

bool SameVersion(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino &&
         a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
         a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

// Returns true if the text is that of a file without a key.
bool HasOnlyComments(absl::string_view text) {
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    line = absl::StripAsciiWhitespace(line);
    if (!line.empty() && line[0] != '#') return false;
  }
  return true;
}

}  // namespace

TrustedKeysFile::TrustedKeysFile(std::string path, Clock* clock)
    : path_(std::move(path)), clock_(clock) {}

absl::StatusOr<std::unique_ptr<TrustedKeysFile>> TrustedKeysFile::Open(
    const std::string& path, Clock* clock) {
  std::unique_ptr<TrustedKeysFile> file(new TrustedKeysFile(path, clock));
  file->checked_nanos_ = file->good_nanos_ = clock->NowNanos();
  file->Refresh();
  ASSAY_RETURN_IF_ERROR(file->last_error_);
  if (file->keys_ == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", path, "` does not contain a public key"));
  }
  return file;
}

void TrustedKeysFile::RefreshIfDue() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const int64_t now = clock_->NowNanos();
    if (now - checked_nanos_ < kCheckNanos) return;
    checked_nanos_ = now;
  }
  Refresh();
}

absl::StatusOr<std::string> TrustedKeysFile::Verify(
    SignaturePurpose purpose, absl::string_view message,
    absl::string_view signature) {
  const Health health = Check();
  std::shared_ptr<const TrustedKeys> keys;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    keys = keys_;
  }
  if (!health.usable) {
    return absl::PermissionDeniedError(
        "the file of trusted keys has not been valid for a minute, so no key "
        "is trusted");
  }
  if (keys == nullptr) return absl::PermissionDeniedError("no key is trusted");
  return keys->Verify(purpose, message, signature);
}

TrustedKeysFile::Health TrustedKeysFile::Check() {
  RefreshIfDue();
  const std::lock_guard<std::mutex> lock(mutex_);
  return {last_error_,
          last_error_.ok() || clock_->NowNanos() - good_nanos_ < kGraceNanos};
}

void TrustedKeysFile::Refresh() {
  struct stat version = {};
  if (stat(path_.c_str(), &version) != 0) {
    const absl::Status error = ErrnoError("read", path_);
    const std::lock_guard<std::mutex> lock(mutex_);
    version_ = {};
    last_error_ = error;
    return;
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (SameVersion(version, version_)) {
      if (last_error_.ok()) good_nanos_ = clock_->NowNanos();
      return;
    }
  }
  // If the file changes meanwhile, the next look sees another version.
  absl::StatusOr<std::string> text = ReadFile(path_, kMaxTrustedBytes);
  absl::StatusOr<TrustedKeys> keys =
      text.ok() ? TrustedKeys::Parse(*text, path_) : text.status();
  const std::lock_guard<std::mutex> lock(mutex_);
  version_ = version;
  const bool nobody = text.ok() && HasOnlyComments(*text);
  last_error_ = nobody ? absl::OkStatus() : keys.status();
  if (!last_error_.ok()) return;
  good_nanos_ = clock_->NowNanos();
  keys_ =
      nobody ? nullptr : std::make_shared<const TrustedKeys>(*std::move(keys));
}

}  // namespace assay::rpc
