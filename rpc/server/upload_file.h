// Functions for the file of an unfinished upload of a blob (blob_store.h). The
// file contains the first bytes of the blob. Its name consists of the digest
// and the size of the blob: `<digest>.<size>.part`.
//
//   const std::string part = JoinPath(folder, UploadFileName(digest, 3));
//   AppendToUpload(part, 0, "ab");
//   AppendToUpload(part, 2, "c");
//   PublishUpload(part, folder, digest);
//
// Errors of the disk are ResourceExhausted if the disk is full or the file is
// too large for the system, and Internal otherwise. The codes of ErrnoError()
// would tell a client that its arguments or its rights are wrong.
//
// Only one thread at a time may use a file.
#ifndef ASSAY_RPC_SERVER_UPLOAD_FILE_H_
#define ASSAY_RPC_SERVER_UPLOAD_FILE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace assay::rpc {

std::string UploadFileName(absl::string_view digest, int64_t size);

// The parts of the name of a file in the folder of a blob store.
struct BlobFileName {
  std::string digest;
  // The size of the blob if the file is an upload. Complete blobs are named by
  // their digest alone.
  std::optional<int64_t> upload_size;
};
// Returns nothing if a blob store gives no file this name.
std::optional<BlobFileName> ParseBlobFileName(absl::string_view name);

// Returns the size of a regular file, or -1 if there is none.
int64_t SizeOfFile(const std::string& path);

// Removes the file if it exists.
absl::Status RemoveFile(const std::string& path);

// Appends `bytes` to the file, which must have `offset` bytes, or may be
// missing if `offset` is 0. If the write fails, the file is truncated to
// `offset` bytes, or removed if that fails, too. The bytes are not durable on
// return.
absl::Status AppendToUpload(const std::string& path, int64_t offset,
                            absl::string_view bytes);

// Makes a file that has all bytes of a blob durable, and renames it to
// `folder/digest`. Returns DataLoss if the contents do not have this digest.
// Removes the file after any error: if a sync fails, the bytes in the cache can
// be right and those on the disk wrong.
absl::Status PublishUpload(const std::string& path, const std::string& folder,
                           const std::string& digest);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_UPLOAD_FILE_H_
