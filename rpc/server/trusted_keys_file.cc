#include "rpc/server/trusted_keys_file.h"

#include <utility>

#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr int64_t kCheckNanos = 1'000'000'000;

bool SameVersion(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino &&
         a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
         a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

}  // namespace

TrustedKeysFile::TrustedKeysFile(std::string path, Clock* clock)
    : path_(std::move(path)), clock_(clock) {}

absl::StatusOr<std::unique_ptr<TrustedKeysFile>> TrustedKeysFile::Open(
    const std::string& path, Clock* clock) {
  std::unique_ptr<TrustedKeysFile> file(new TrustedKeysFile(path, clock));
  file->checked_nanos_ = clock->NowNanos();
  file->Refresh();
  ASSAY_RETURN_IF_ERROR(file->last_error());
  return file;
}

absl::StatusOr<std::string> TrustedKeysFile::Verify(
    SignaturePurpose purpose, absl::string_view message,
    absl::string_view signature) {
  bool refresh = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const int64_t now = clock_->NowNanos();
    refresh = now - checked_nanos_ >= kCheckNanos;
    if (refresh) checked_nanos_ = now;
  }
  if (refresh) Refresh();
  std::shared_ptr<const TrustedKeys> keys;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    keys = keys_;
  }
  return keys->Verify(purpose, message, signature);
}

absl::Status TrustedKeysFile::last_error() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return last_error_;
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
    if (SameVersion(version, version_)) return;
  }
  // If the file changes meanwhile, the next look sees another version.
  absl::StatusOr<TrustedKeys> keys = TrustedKeys::Load(path_);
  const std::lock_guard<std::mutex> lock(mutex_);
  version_ = version;
  last_error_ = keys.status();
  if (keys.ok()) keys_ = std::make_shared<const TrustedKeys>(*std::move(keys));
}

}  // namespace assay::rpc
