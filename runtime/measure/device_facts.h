// DeviceFacts: describes the device on which times were measured, and its
// state.
//
// The identity of a device consists of the architecture, processor model,
// board, instruction set extensions that code generation uses, caches, number
// of processors and rounded memory size. Stored times are compared only with
// times of a device with the same identity. The identity must not change with a
// reboot or a kernel update, because the machine would then have no baseline.
// It therefore excludes clock rates, the exact memory size, and flags that a
// newer kernel adds.
//
// The state consists of properties that can change on one machine and affect
// its times: kernel, microcode, frequency governor, boost, hyper-threading, and
// the number of processors that the process may use. If the state differs from
// the state of a baseline, a difference in time is not evidence of a change of
// the code. The state also contains the load, clock rate, temperature and
// percentage of steal time since boot. These differ between any two runs and
// are for information only.
#ifndef ASSAY_RUNTIME_MEASURE_DEVICE_FACTS_H_
#define ASSAY_RUNTIME_MEASURE_DEVICE_FACTS_H_

#include <map>
#include <string>

#include "runtime/device/cpu/host_facts.h"

namespace assay::runtime {

// Key of DeviceFacts::state: the number of processors that a process may use.
inline constexpr char kStateUsableProcessors[] = "usable_processors";

struct DeviceFacts {
  // Architecture, processor, number of processors, and the first 32 bits of a
  // digest of the whole identity, for example
  // `x86_64-amd-epyc-7b13-2c-1a2b3c4d`. The fingerprint of an emulated device
  // starts with `emulated-` instead (suites/machine/environment.h).
  std::string fingerprint;
  std::map<std::string, std::string> identity;
  std::map<std::string, std::string> state;
  // True if the device is emulated. Its outputs are then valid, but its times
  // are not.
  bool emulated = false;
  // Names the board itself among others of its kind: its serial number, or its
  // name in the farm. Empty if the device is not lent by a farm.
  std::string board = {};
};

// Describes this machine. Properties that `facts` does not contain are read
// from /proc and /sys. A property that cannot be read is `unknown`. Tests set
// `root`, which is prepended to the paths of the files.
DeviceFacts DescribeHost(const HostFacts& facts = ReadHostFacts(),
                         const std::string& root = "");

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_MEASURE_DEVICE_FACTS_H_
