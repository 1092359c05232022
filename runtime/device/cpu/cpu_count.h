// UsableCpuCount: the number of CPUs that this process may use. A CPU quota of
// a container or an affinity mask (taskset, batch systems) often makes this
// number smaller than the number of CPUs of the machine. A thread pool should
// not have more threads than usable CPUs.
#ifndef ASSAY_RUNTIME_DEVICE_CPU_CPU_COUNT_H_
#define ASSAY_RUNTIME_DEVICE_CPU_CPU_COUNT_H_

#include <optional>
#include <string>

namespace assay::runtime {

// Returns the minimum of the number of online CPUs, the number of CPUs in the
// affinity mask, and the CPU quota of the cgroup, rounded up; at least 1.
int UsableCpuCount();

// Returns the smallest CPU quota of this process's cgroup and its ancestors, in
// CPUs (1.5 means 150 ms of CPU time per 100 ms), or nullopt if there is no
// quota or it cannot be read. Supports cgroup v1 and v2. Tests set `root`,
// which is prepended to the paths of files in /proc and /sys.
std::optional<double> CgroupCpuQuota(const std::string& root = "");

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_CPU_COUNT_H_
