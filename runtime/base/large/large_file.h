// ReadLargeFile: reads a file whose bytes are to become the memory of a device,
// such as an artifact. It does the same as ReadFile() (file.h), but returns
// LargeBytes. It has its own header, because few source files need it.
#ifndef ASSAY_RUNTIME_BASE_LARGE_LARGE_FILE_H_
#define ASSAY_RUNTIME_BASE_LARGE_LARGE_FILE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/base/file.h"
#include "runtime/base/large/large_bytes.h"

namespace assay {

// Returns the errors of ReadFile().
absl::StatusOr<LargeBytes> ReadLargeFile(const std::string& path,
                                         int64_t max_bytes = kMaxFileBytes);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_LARGE_LARGE_FILE_H_
