// Reads counters of the Linux kernel, from /proc and /sys.
//
// `root` is prepended to the paths of files. Tests set it; it is empty
// otherwise. What the kernel does not report is missing.
#ifndef ASSAY_RUNTIME_DEVICE_CPU_KERNEL_COUNTERS_H_
#define ASSAY_RUNTIME_DEVICE_CPU_KERNEL_COUNTERS_H_

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace assay::runtime {

// Returns the start of a file, 512 bytes, which is enough for one line, without
// white space at its ends; an empty string if it cannot be read. Does not wait
// for a pipe.
std::string ReadStart(const std::string& path);

// Returns the full paths of the entries of a folder that are named `prefix` and
// a number, sorted, at most `limit` of them.
std::vector<std::string> NumberedEntries(
    const std::string& folder, absl::string_view prefix,
    size_t limit = std::numeric_limits<size_t>::max());

// Ticks of all processors since boot.
struct CpuTicks {
  double all = 0;    // idle ones included
  double busy = 0;   // of programs and of the kernel
  double steal = 0;  // in which the host ran other virtual machines
};

// Parses the first line of /proc/stat.
std::optional<CpuTicks> ParseCpuTicks(absl::string_view stat);

// Returns the paths of the counters that grow when an x86 processor is
// throttled, for at most `limit` processors. Not all of them need to exist.
std::vector<std::string> ThrottleCounters(
    const std::string& root, size_t limit = std::numeric_limits<size_t>::max());

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_KERNEL_COUNTERS_H_
