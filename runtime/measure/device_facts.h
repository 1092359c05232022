// DeviceFacts: the device that times were measured on, and its state.
//
// A stored time is tied to the identity: architecture, processor model, the
// instruction set extensions that code generation uses, caches, number of
// processors, memory. It stays the same over reboots and kernel updates, so
// unstable properties are excluded (clock rates, bogomips, the exact memory
// size, flags that a newer kernel adds): otherwise the machine would have no
// baseline after a reboot.
//
// The state may change on one machine and affect its times: kernel, microcode,
// frequency governor, boost, hyper-threading, the processors that the process
// may use. If it differs from that of a baseline, a difference in time is not
// evidence of a change of the code. Load, clock rate, temperature and the
// percentage of steal time since boot are part of the state for information
// only, because they differ between any two runs.
#ifndef ASSAY_RUNTIME_MEASURE_DEVICE_FACTS_H_
#define ASSAY_RUNTIME_MEASURE_DEVICE_FACTS_H_

#include <map>
#include <string>

#include "runtime/device/cpu/host_facts.h"

namespace assay::runtime {

struct DeviceFacts {
  // `x86_64-amd-epyc-7b13-2c-1a2b3c4d`: architecture, processor, number of
  // processors, and the first 32 bits of a digest of the whole identity. That
  // of an emulated device starts with `emulated-`.
  std::string fingerprint;
  std::map<std::string, std::string> identity;
  std::map<std::string, std::string> state;
  // True if the device is emulated: its outputs are valid, its times are not.
  bool emulated = false;
};

// Describes this machine. Properties that `facts` does not have are read from
// /proc and /sys under `root`, which tests set. A missing property is
// `unknown`, never an error.
DeviceFacts DescribeHost(const HostFacts& facts = ReadHostFacts(),
                         const std::string& root = "");

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_MEASURE_DEVICE_FACTS_H_
