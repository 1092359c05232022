// Files that only their owner may read, such as private keys and tokens.
#ifndef ASSAY_RPC_SECURITY_PRIVATE_FILE_H_
#define ASSAY_RPC_SECURITY_PRIVATE_FILE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::rpc {

// Replaces the contents of `path` atomically by a file with the mode 0600. The
// folder must exist.
absl::Status WritePrivateFile(const std::string& path,
                              absl::string_view contents);

// Writes a new file with the mode 0600. Returns AlreadyExists if `path` exists.
// The file appears with all of its contents. The folder must exist, on a file
// system with hard links.
absl::Status CreatePrivateFile(const std::string& path,
                               absl::string_view contents);

// Reads a regular file of at most `max_bytes` bytes. Returns PermissionDenied
// if its mode gives any right to the group or to others, InvalidArgument if it
// is not a regular file, and ResourceExhausted if it is larger.
absl::StatusOr<std::string> ReadPrivateFile(const std::string& path,
                                            int64_t max_bytes = int64_t{1}
                                                                << 20);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SECURITY_PRIVATE_FILE_H_
