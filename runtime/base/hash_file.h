// HashFile: hashes a file of any size without holding it in memory.
//
// Use ReadFile() (file.h) instead if the contents are needed anyway.
#ifndef ASSAY_RUNTIME_BASE_HASH_FILE_H_
#define ASSAY_RUNTIME_BASE_HASH_FILE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/base/sha256.h"

namespace assay {

// Adds the bytes of the file `path` to `sha`, and returns their number. Returns
// NotFound if the file does not exist, and another error if it cannot be read;
// `sha` then holds a part of the bytes. Errors name `path`.
absl::StatusOr<int64_t> HashFile(const std::string& path, Sha256& sha);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_HASH_FILE_H_
