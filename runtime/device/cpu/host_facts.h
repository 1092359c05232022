// HostFacts: the properties of the machine on which a measurement was taken, as
// reported by the operating system. Unknown properties are empty or 0.
//
// The first group of fields describes the hardware. The second group describes
// the configuration of the system, which can change over time and helps to
// explain differences between measurements.
#ifndef ASSAY_RUNTIME_DEVICE_CPU_HOST_FACTS_H_
#define ASSAY_RUNTIME_DEVICE_CPU_HOST_FACTS_H_

#include <cstdint>
#include <string>

namespace assay::runtime {

struct HostFacts {
  std::string machine;  // `x86_64`, `aarch64`, …
  std::string board;    // `Raspberry Pi 3 Model B Rev 1.2`; empty on PCs
  // Name of the CPU. On Arm, this also contains the numbers of the implementer
  // and of the part, for example `implementer 0x41 part 0xd03`.
  std::string cpu_model;
  int online_cpus = 0;
  int64_t memory_bytes = 0;
  int64_t largest_cache_bytes = 0;

  std::string kernel;    // release of the Linux kernel (uname(2))
  std::string governor;  // cpufreq governor of the first CPU
  int usable_cpus = 0;   // UsableCpuCount()
};

// Reads the facts of this machine. Tests set `root`, which is prepended to the
// paths of files in /proc and /sys.
HostFacts ReadHostFacts(const std::string& root = "");

// Returns the number of bytes that must be accessed to evict all caches: twice
// the size of the largest cache, or 64 MiB if this size is unknown.
int64_t CacheFlushBytes(const HostFacts& facts);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_HOST_FACTS_H_
