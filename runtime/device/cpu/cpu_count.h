// How many processors this process may use, which is seldom how many the
// machine has: a container's quota, a batch system's affinity mask or a
// taskset all allow fewer, and a thread pool larger than that fights itself.
#ifndef ASSAY_RUNTIME_DEVICE_CPU_CPU_COUNT_H_
#define ASSAY_RUNTIME_DEVICE_CPU_CPU_COUNT_H_

#include <optional>
#include <string>

namespace assay::runtime {

// The smallest of the affinity mask's processors, the control group's quota
// rounded up, and the processors online; at least 1.
int UsableCpuCount();

// The quota of processor time of this process's control group and its parents,
// in processors (1.5 = 150 ms of every 100 ms), for version 1 and 2 of control
// groups; nothing if unlimited or unreadable. `root` stands before /proc and
// /sys, so that a test can supply both.
std::optional<double> CgroupCpuQuota(const std::string& root = "");

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_CPU_COUNT_H_
