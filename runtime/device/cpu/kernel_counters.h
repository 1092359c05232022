// This header declares functions that read counters of the Linux kernel from
// the files in /proc and /sys.
#ifndef ASSAY_RUNTIME_DEVICE_CPU_KERNEL_COUNTERS_H_
#define ASSAY_RUNTIME_DEVICE_CPU_KERNEL_COUNTERS_H_

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace assay::runtime {

// Returns the first 512 bytes of a file, which is enough for one line, without
// leading and trailing white space. Returns an empty string if the file cannot
// be read. If the file is a pipe, does not wait for data.
std::string ReadStart(const std::string& path);

// Returns the sorted paths of at most `limit` entries of a folder whose names
// consist of `prefix` and a number. If there are more, the order in which the
// system lists the folder determines which are returned.
std::vector<std::string> NumberedEntries(
    const std::string& folder, absl::string_view prefix,
    size_t limit = std::numeric_limits<size_t>::max());

// Ticks of all processors since boot.
struct CpuTicks {
  double all = 0;    // idle ones included
  double busy = 0;   // of programs and of the kernel
  double steal = 0;  // in which the host ran other virtual machines
};

// Parses the first line of /proc/stat. Returns nullopt if it is malformed or
// lacks one of the counters.
std::optional<CpuTicks> ParseCpuTicks(absl::string_view stat);

// Returns the paths of the files with the counters that grow when an x86
// processor is throttled, for at most `limit` processors. A file need not
// exist. `root` is prepended to the paths; it is empty except in tests.
std::vector<std::string> ThrottleCounters(
    const std::string& root, size_t limit = std::numeric_limits<size_t>::max());

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_KERNEL_COUNTERS_H_
