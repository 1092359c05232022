// PeakResidentBytes: the largest memory that this process has had resident.
//
// It is the high-water mark of the resident set since the process started
// (`VmHWM` in proc(5)): pages of the program and its libraries, the heap, the
// stacks of all threads, and files and shared memory that are mapped, as far as
// they were in memory at the same time. Pages that another process shares count
// in full. Memory that was allocated and never touched does not count, nor does
// the page cache.
#ifndef ASSAY_RUNTIME_PROCESS_PEAK_MEMORY_H_
#define ASSAY_RUNTIME_PROCESS_PEAK_MEMORY_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace assay::runtime {

// Returns Unimplemented if the system does not tell. Tests set `status`, a file
// in the format of /proc/self/status.
absl::StatusOr<int64_t> PeakResidentBytes(
    const std::string& status = "/proc/self/status");

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_PROCESS_PEAK_MEMORY_H_
