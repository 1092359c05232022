#include "rpc/server/upload_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstddef>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/descriptor.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"

namespace assay::rpc {
namespace {

constexpr char kSuffix[] = ".part";
constexpr size_t kDigestLength = 64;

// Returns the error of a system call that has just failed.
absl::Status DiskError(absl::string_view what, const std::string& path) {
  const int error = errno;
  const absl::Status status = ErrnoError(what, path);
  if (error == ENOSPC || error == EDQUOT || error == EFBIG) {
    return absl::ResourceExhaustedError(status.message());
  }
  return absl::InternalError(status.message());
}

absl::Status VerifyAndSync(const std::string& path, const std::string& digest) {
  const Descriptor fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (fd.get() < 0) return DiskError("open", path);
  Sha256 hash;
  std::vector<char> buffer(size_t{1} << 18);
  while (true) {
    const ssize_t n = read(fd.get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return DiskError("read", path);
    if (n == 0) break;
    hash.Update(absl::string_view(buffer.data(), static_cast<size_t>(n)));
  }
  const std::string actual = HexOf(hash.Finish());
  if (actual != digest) {
    return absl::DataLossError(absl::StrCat("the uploaded blob `", digest,
                                            "` has the digest `", actual, "`"));
  }
  if (fsync(fd.get()) != 0) return DiskError("sync", path);
  return absl::OkStatus();
}

}  // namespace

std::string UploadFileName(absl::string_view digest, int64_t size) {
  return absl::StrCat(digest, ".", size, kSuffix);
}

std::optional<BlobFileName> ParseBlobFileName(absl::string_view name) {
  BlobFileName parsed;
  parsed.digest = std::string(name.substr(0, kDigestLength));
  if (!IsSha256Hex(parsed.digest)) return std::nullopt;
  if (name.size() == kDigestLength) return parsed;
  absl::string_view number = name.substr(kDigestLength);
  int64_t size = 0;
  // The comparison rejects numbers in other forms, for example `+1` and `01`.
  if (!absl::ConsumePrefix(&number, ".") ||
      !absl::ConsumeSuffix(&number, kSuffix) ||
      !absl::SimpleAtoi(number, &size) || size < 0 ||
      name != UploadFileName(parsed.digest, size)) {
    return std::nullopt;
  }
  parsed.upload_size = size;
  return parsed;
}

int64_t SizeOfFile(const std::string& path) {
  struct stat info;
  if (lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return -1;
  return info.st_size;
}

absl::Status RemoveFile(const std::string& path) {
  if (unlink(path.c_str()) == 0 || errno == ENOENT) return absl::OkStatus();
  return DiskError("remove", path);
}

absl::Status AppendToUpload(const std::string& path, int64_t offset,
                            absl::string_view bytes) {
  const int create = offset == 0 ? O_CREAT : 0;
  const Descriptor fd(
      open(path.c_str(), O_WRONLY | create | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (fd.get() < 0) return DiskError("open", path);
  struct stat info;
  if (fstat(fd.get(), &info) != 0) return DiskError("inspect", path);
  if (info.st_size != offset) {
    return absl::InternalError(absl::StrCat("`", path, "` has ", info.st_size,
                                            " bytes instead of ", offset));
  }
  off_t end = static_cast<off_t>(offset);
  while (!bytes.empty()) {
    const ssize_t n = pwrite(fd.get(), bytes.data(), bytes.size(), end);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const absl::Status status = DiskError("write", path);
      if (ftruncate(fd.get(), static_cast<off_t>(offset)) != 0) {
        unlink(path.c_str());
      }
      return status;
    }
    end += n;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return absl::OkStatus();
}

absl::Status PublishUpload(const std::string& path, const std::string& folder,
                           const std::string& digest) {
  absl::Status status = VerifyAndSync(path, digest);
  if (status.ok() &&
      rename(path.c_str(), JoinPath(folder, digest).c_str()) != 0) {
    status = DiskError("rename", path);
  }
  if (!status.ok()) {
    unlink(path.c_str());
    return status;
  }
  SyncFolder(folder);
  return absl::OkStatus();
}

}  // namespace assay::rpc
