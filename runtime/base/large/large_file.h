// ReadLargeFile: reads a file whose bytes are to become the memory of a device,
// such as an artifact. It is ReadFile() (file.h) for LargeBytes, in a header of
// its own, because few files need it.
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
