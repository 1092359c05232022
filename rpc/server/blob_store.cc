#include "rpc/server/blob_store.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "rpc/server/upload_file.h"
#include "runtime/base/check.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

// The latest modification time that is written: the middle of the range of
// int64_t, in the year 2116. Adding 1 to it for each use cannot overflow.
constexpr int64_t kMaxMark = std::numeric_limits<int64_t>::max() / 2;

absl::Status CheckLimits(const BlobLimits& limits) {
  for (const auto& [name, value] :
       {std::pair<const char*, int64_t>("max_blob_bytes",
                                        limits.max_blob_bytes),
        {"max_total_bytes", limits.max_total_bytes},
        {"max_blobs", limits.max_blobs},
        {"max_uploads", limits.max_uploads},
        {"max_upload_age_nanos", limits.max_upload_age_nanos},
        {"max_unused_age_nanos", limits.max_unused_age_nanos}}) {
    if (value <= 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("the limit `", name, "` of the blob store is ", value));
    }
  }
  if (limits.max_blob_bytes > std::numeric_limits<off_t>::max()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the limit `max_blob_bytes` of the blob store is ",
                     limits.max_blob_bytes, ", too large for a file"));
  }
  return absl::OkStatus();
}

absl::Status CheckDigest(absl::string_view digest) {
  if (IsSha256Hex(digest)) return absl::OkStatus();
  // The text is not repeated, because it can be long or contain anything.
  return absl::InvalidArgumentError(
      absl::StrCat("the digest of ", digest.size(),
                   " bytes is not 64 lower-case hexadecimal digits"));
}

absl::Status CheckChunk(absl::string_view digest, int64_t size, int64_t offset,
                        size_t length) {
  if (size < 0 || offset < 0 || offset > size ||
      length > static_cast<uint64_t>(size - offset)) {
    return absl::InvalidArgumentError(
        absl::StrCat("a chunk of ", length, " bytes at offset ", offset,
                     " is not within the ", size, " bytes of `", digest, "`"));
  }
  return absl::OkStatus();
}

}  // namespace

BlobPin::BlobPin(BlobStore* store, std::string digest, std::string path)
    : store_(store), digest_(std::move(digest)), path_(std::move(path)) {}

BlobPin::BlobPin(BlobPin&& other) noexcept
    : store_(std::exchange(other.store_, nullptr)),
      digest_(std::move(other.digest_)),
      path_(std::move(other.path_)) {}

BlobPin& BlobPin::operator=(BlobPin other) noexcept {
  std::swap(store_, other.store_);
  std::swap(digest_, other.digest_);
  std::swap(path_, other.path_);
  return *this;
}

BlobPin::~BlobPin() {
  if (store_ != nullptr) store_->Unpin(digest_);
}

absl::StatusOr<std::unique_ptr<BlobStore>> BlobStore::Open(
    const std::string& folder, const BlobLimits& limits, Clock* clock) {
  ASSAY_RETURN_IF_ERROR(CheckLimits(limits));
  ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return ErrnoError("open", folder);
  std::unique_ptr<BlobStore> store(new BlobStore(folder, fd, limits, clock));
  while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return ErrnoError("lock", folder);
    return absl::UnavailableError(absl::StrCat(
        "the blob store `", folder, "` is in use by another process"));
  }
  ASSAY_RETURN_IF_ERROR(store->Load());
  return store;
}

BlobStore::BlobStore(std::string folder, int folder_fd,
                     const BlobLimits& limits, Clock* clock)
    : folder_(std::move(folder)),
      folder_fd_(folder_fd),
      limits_(limits),
      clock_(clock) {}

BlobStore::~BlobStore() {
  for (const auto& [digest, blob] : blobs_) {
    CHECK(blob.pins == 0) << digest << " is pinned";
  }
  close(folder_fd_);
}

// Reads the folder. Called once, before other threads know the store.
absl::Status BlobStore::Load() {
  std::error_code error;
  std::filesystem::directory_iterator files(folder_, error);
  std::vector<std::string> names;
  while (!error && files != std::filesystem::directory_iterator()) {
    names.push_back(files->path().filename().string());
    files.increment(error);
  }
  if (error) {
    return absl::ErrnoToStatus(
        error.value(), absl::StrCat("cannot read the folder `", folder_, "`"));
  }
  // A complete blob comes before its uploads.
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) LoadFile(name);

  for (const auto& [digest, blob] : blobs_) {
    last_mark_ = std::max(last_mark_, blob.mark);
  }
  if (last_mark_ <= std::min(absl::GetCurrentTimeNanos(), kMaxMark)) {
    return absl::OkStatus();
  }
  // The wall clock was set back. Replace the times in the future.
  last_mark_ = 0;
  for (const Blobs::iterator blob : UnpinnedByUse()) {
    MarkUsed(blob->first, &blob->second);
  }
  return absl::OkStatus();
}

void BlobStore::LoadFile(const std::string& name) {
  const std::optional<BlobFileName> parsed = ParseBlobFileName(name);
  const std::string path = JoinPath(folder_, name);
  struct stat info;
  if (!parsed.has_value() || lstat(path.c_str(), &info) != 0 ||
      !S_ISREG(info.st_mode)) {
    return;
  }
  const std::string& digest = parsed->digest;
  const int64_t bytes = info.st_size;
  const int64_t now = clock_->NowNanos();
  if (parsed->upload_size.has_value()) {
    const int64_t size = *parsed->upload_size;
    if (bytes > size || size > limits_.max_blob_bytes ||
        blobs_.count(digest) != 0 || uploads_.count(digest) != 0) {
      (void)RemoveFile(path);
      return;
    }
    if (bytes < size) {
      uploads_[digest] = {size, bytes, now, /*busy=*/false};
      return;
    }
    if (!PublishUpload(path, folder_, digest).ok()) return;
  }
  blobs_[digest] = {bytes, now,
                    absl::ToUnixNanos(absl::TimeFromTimespec(info.st_mtim)),
                    /*pins=*/0};
}

absl::StatusOr<BlobState> BlobStore::Find(absl::string_view digest) {
  ASSAY_RETURN_IF_ERROR(CheckDigest(digest));
  const std::string name(digest);
  absl::MutexLock lock(&mutex_);
  if (Blob* const blob = Existing(name)) {
    MarkUsed(name, blob);
    return BlobState{BlobState::Kind::kComplete, blob->size, blob->size};
  }
  const auto upload = uploads_.find(name);
  if (upload == uploads_.end()) return BlobState();
  return BlobState{BlobState::Kind::kPartial, upload->second.bytes,
                   upload->second.size};
}

absl::StatusOr<BlobState> BlobStore::Append(absl::string_view digest,
                                            int64_t size, int64_t offset,
                                            absl::string_view bytes) {
  ASSAY_RETURN_IF_ERROR(CheckDigest(digest));
  ASSAY_RETURN_IF_ERROR(CheckChunk(digest, size, offset, bytes.size()));
  const std::string name(digest);
  const BlobState complete = {BlobState::Kind::kComplete, size, size};
  {
    absl::MutexLock lock(&mutex_);
    if (Blob* const blob = Existing(name)) {
      if (blob->size != size) {
        return absl::FailedPreconditionError(absl::StrCat(
            "the blob `", name, "` has ", blob->size, " bytes, not ", size));
      }
      MarkUsed(name, blob);
      return complete;
    }
    ASSAY_RETURN_IF_ERROR(Reserve(name, size, offset));
  }

  // The upload is busy, so no other call changes it or its file.
  const std::string path = JoinPath(folder_, UploadFileName(name, size));
  const int64_t end = offset + static_cast<int64_t>(bytes.size());
  absl::Status status = AppendToUpload(path, offset, bytes);
  const bool whole = status.ok() && end == size;
  if (whole) status = PublishUpload(path, folder_, name);

  absl::MutexLock lock(&mutex_);
  const auto upload = uploads_.find(name);
  upload->second.busy = false;
  if (!status.ok()) {
    if (whole || SizeOfFile(path) != offset) {
      (void)RemoveFile(path);
      uploads_.erase(upload);
    }
    return status;
  }
  if (whole) {
    uploads_.erase(upload);
    Blob& blob = blobs_[name];
    blob.size = size;
    MarkUsed(name, &blob);
    return complete;
  }
  upload->second.bytes = end;
  upload->second.written_nanos = clock_->NowNanos();
  return BlobState{BlobState::Kind::kPartial, end, size};
}

absl::Status BlobStore::Discard(absl::string_view digest) {
  ASSAY_RETURN_IF_ERROR(CheckDigest(digest));
  absl::MutexLock lock(&mutex_);
  const auto upload = uploads_.find(std::string(digest));
  if (upload == uploads_.end()) {
    return absl::NotFoundError(
        absl::StrCat("there is no unfinished upload of `", digest, "`"));
  }
  if (upload->second.busy) {
    return absl::UnavailableError(
        absl::StrCat("another call is writing the upload of `", digest, "`"));
  }
  ASSAY_RETURN_IF_ERROR(RemoveFile(
      JoinPath(folder_, UploadFileName(digest, upload->second.size))));
  uploads_.erase(upload);
  return absl::OkStatus();
}

absl::StatusOr<BlobPin> BlobStore::Pin(absl::string_view digest) {
  ASSAY_RETURN_IF_ERROR(CheckDigest(digest));
  const std::string name(digest);
  absl::MutexLock lock(&mutex_);
  Blob* const blob = Existing(name);
  if (blob == nullptr) {
    return absl::NotFoundError(
        absl::StrCat("there is no complete blob `", name, "`"));
  }
  ++blob->pins;
  MarkUsed(name, blob);
  return BlobPin(this, name, JoinPath(folder_, name));
}

void BlobStore::Unpin(const std::string& digest) {
  absl::MutexLock lock(&mutex_);
  const auto blob = blobs_.find(digest);
  CHECK(blob != blobs_.end() && blob->second.pins > 0) << digest;
  --blob->second.pins;
  MarkUsed(digest, &blob->second);
}

Collected BlobStore::Collect() {
  absl::MutexLock lock(&mutex_);
  const int64_t now = clock_->NowNanos();
  Collected collected;
  for (auto next = uploads_.begin(); next != uploads_.end();) {
    const auto upload = next++;
    if (upload->second.busy ||
        now - upload->second.written_nanos <= limits_.max_upload_age_nanos) {
      continue;
    }
    const std::string name = UploadFileName(upload->first, upload->second.size);
    if (!RemoveFile(JoinPath(folder_, name)).ok()) {
      ++collected.failures;
      continue;
    }
    ++collected.uploads;
    uploads_.erase(upload);
  }
  Shrink(limits_.max_total_bytes, limits_.max_blobs, &collected);
  return collected;
}

BlobUsage BlobStore::usage() const {
  absl::MutexLock lock(&mutex_);
  return Count();
}

// Makes the blob the most recently used one. Errors are ignored: after a
// restart, the order is then less exact.
void BlobStore::MarkUsed(const std::string& digest, Blob* blob) {
  last_mark_ =
      std::max(last_mark_ + 1, std::min(absl::GetCurrentTimeNanos(), kMaxMark));
  blob->mark = last_mark_;
  blob->used_nanos = clock_->NowNanos();
  timespec times[2] = {};
  times[0].tv_nsec = UTIME_OMIT;
  times[1] = absl::ToTimespec(absl::FromUnixNanos(blob->mark));
  (void)utimensat(folder_fd_, digest.c_str(), times, AT_SYMLINK_NOFOLLOW);
}

// Returns the complete blob, or null. Forgets a blob without pins if another
// program has removed or truncated its file.
BlobStore::Blob* BlobStore::Existing(const std::string& digest) {
  const auto blob = blobs_.find(digest);
  if (blob == blobs_.end()) return nullptr;
  const std::string path = JoinPath(folder_, digest);
  if (blob->second.pins > 0 || SizeOfFile(path) == blob->second.size) {
    return &blob->second;
  }
  (void)RemoveFile(path);
  blobs_.erase(blob);
  return nullptr;
}

// Makes the upload busy, and starts it if there is none.
absl::Status BlobStore::Reserve(const std::string& digest, int64_t size,
                                int64_t offset) {
  auto upload = uploads_.find(digest);
  const bool exists = upload != uploads_.end();
  const int64_t bytes = exists ? upload->second.bytes : 0;
  if (exists && upload->second.busy) {
    return absl::UnavailableError(
        absl::StrCat("another call is writing the upload of `", digest,
                     "`, which continues at offset ", bytes, " or later"));
  }
  if (exists && upload->second.size != size) {
    return absl::FailedPreconditionError(
        absl::StrCat("the upload of `", digest, "` was started with ",
                     upload->second.size, " bytes, not ", size));
  }
  if (offset != bytes) {
    return absl::FailedPreconditionError(absl::StrCat("the upload of `", digest,
                                                      "` continues at offset ",
                                                      bytes, ", not ", offset));
  }
  if (!exists) {
    ASSAY_RETURN_IF_ERROR(MakeRoom(digest, size));
    upload = uploads_.emplace(digest, Upload()).first;
    upload->second.size = size;
    upload->second.written_nanos = clock_->NowNanos();
  }
  upload->second.busy = true;
  return absl::OkStatus();
}

// Removes blobs, and uploads that nobody continues, until an upload of `size`
// bytes fits. Removes nothing if it cannot fit.
absl::Status BlobStore::MakeRoom(const std::string& digest, int64_t size) {
  if (size > limits_.max_blob_bytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the blob `", digest, "` of ", size,
                     " bytes is larger than the limit of ",
                     limits_.max_blob_bytes, " bytes"));
  }
  // What cannot be removed, and then also the uploads that remain.
  BlobUsage fixed;
  for (const auto& [name, blob] : blobs_) {
    if (blob.pins == 0) continue;
    ++fixed.blobs;
    fixed.bytes += blob.size;
  }
  std::vector<Uploads::iterator> idle;
  for (auto upload = uploads_.begin(); upload != uploads_.end(); ++upload) {
    if (!upload->second.busy) {
      idle.push_back(upload);
      continue;
    }
    ++fixed.uploads;
    fixed.bytes += upload->second.size;
  }
  const int64_t max_bytes = limits_.max_total_bytes - size;
  const int64_t max_blobs = limits_.max_blobs - 1;
  const auto fits = [&](const BlobUsage& usage) {
    return usage.bytes <= max_bytes &&
           usage.blobs + usage.uploads <= max_blobs &&
           usage.uploads < limits_.max_uploads;
  };
  const absl::Status full = absl::ResourceExhaustedError(absl::StrCat(
      "the blob `", digest, "` of ", size, " bytes does not fit: ", fixed.bytes,
      " bytes in ", fixed.blobs + fixed.uploads,
      " blobs are in use or being uploaded, and the limits are ",
      limits_.max_total_bytes, " bytes, ", limits_.max_blobs, " blobs and ",
      limits_.max_uploads, " uploads"));
  if (!fits(fixed)) return full;
  // The latest ones stay.
  std::sort(idle.begin(), idle.end(), [](auto a, auto b) {
    return a->second.written_nanos > b->second.written_nanos;
  });
  for (const Uploads::iterator upload : idle) {
    BlobUsage with = fixed;
    ++with.uploads;
    with.bytes += upload->second.size;
    if (fits(with)) {
      fixed = with;
      continue;
    }
    const std::string name = UploadFileName(upload->first, upload->second.size);
    if (!RemoveFile(JoinPath(folder_, name)).ok()) return full;
    uploads_.erase(upload);
  }
  Collected ignored;
  Shrink(max_bytes, max_blobs, &ignored);
  return fits(Count()) ? absl::OkStatus() : full;
}

// Removes expired blobs, and the least recently used blobs while there are more
// than the given numbers of bytes and blobs.
void BlobStore::Shrink(int64_t max_bytes, int64_t max_blobs,
                       Collected* collected) {
  const int64_t now = clock_->NowNanos();
  BlobUsage usage = Count();
  for (const Blobs::iterator blob : UnpinnedByUse()) {
    const bool expired =
        now - blob->second.used_nanos > limits_.max_unused_age_nanos;
    if (!expired && usage.bytes <= max_bytes &&
        usage.blobs + usage.uploads <= max_blobs) {
      break;  // blobs that were used later are not expired either
    }
    if (!RemoveFile(JoinPath(folder_, blob->first)).ok()) {
      ++collected->failures;
      continue;
    }
    ++collected->blobs;
    --usage.blobs;
    usage.bytes -= blob->second.size;
    blobs_.erase(blob);
  }
}

// Returns the blobs without pins, the least recently used one first.
std::vector<BlobStore::Blobs::iterator> BlobStore::UnpinnedByUse() {
  std::vector<Blobs::iterator> by_use;
  for (auto blob = blobs_.begin(); blob != blobs_.end(); ++blob) {
    if (blob->second.pins == 0) by_use.push_back(blob);
  }
  std::sort(by_use.begin(), by_use.end(), [](auto a, auto b) {
    return std::tie(a->second.mark, a->first) <
           std::tie(b->second.mark, b->first);
  });
  return by_use;
}

BlobUsage BlobStore::Count() const {
  BlobUsage usage;
  usage.blobs = static_cast<int64_t>(blobs_.size());
  usage.uploads = static_cast<int64_t>(uploads_.size());
  for (const auto& [digest, blob] : blobs_) usage.bytes += blob.size;
  for (const auto& [digest, upload] : uploads_) usage.bytes += upload.size;
  return usage;
}

}  // namespace assay::rpc
