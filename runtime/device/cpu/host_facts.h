// HostFacts: which machine a measurement was taken on, as far as the system
// says. What it does not say is empty or 0.
//
// The first group identifies the machine and stays over reboots; the second
// may change from day to day and explains differences.
#ifndef ASSAY_RUNTIME_DEVICE_CPU_HOST_FACTS_H_
#define ASSAY_RUNTIME_DEVICE_CPU_HOST_FACTS_H_

#include <cstdint>
#include <string>

namespace assay::runtime {

struct HostFacts {
  std::string machine;    // `x86_64`, `aarch64`, …
  std::string board;      // `Raspberry Pi 3 Model B Rev 1.2`; none on PCs
  std::string cpu_model;  // the name, or on Arm `implementer 0x41 part 0xd03`
  int online_cpus = 0;
  int64_t memory_bytes = 0;
  int64_t largest_cache_bytes = 0;

  std::string kernel;    // release, as from uname
  std::string governor;  // of the first processor's clock rate
  int usable_cpus = 0;   // UsableCpuCount()
};

// `root` stands before /proc and /sys, for tests.
HostFacts ReadHostFacts(const std::string& root = "");

// How much memory to go over to clear this machine's caches: twice the
// largest, or 64 MiB where the system does not tell its size.
int64_t CacheFlushBytes(const HostFacts& facts);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_HOST_FACTS_H_
