// UsableCpuCount: the number of CPUs that this process may use. A CPU quota of
// a container or an affinity mask (taskset, batch systems) often makes this
// number smaller than the number of CPUs of the machine. A thread pool should
// not have more threads than usable CPUs.
#ifndef ASSAY_RUNTIME_DEVICE_CPU_CPU_COUNT_H_
#define ASSAY_RUNTIME_DEVICE_CPU_CPU_COUNT_H_

#include <optional>
#include <string>

namespace assay::runtime {

// Returns the smallest of these numbers, but at least 1:
//   - the number of online CPUs;
//   - the number of CPUs in the affinity mask of this process;
//   - the CPU quota (CgroupCpuQuota), rounded up.
int UsableCpuCount();

// Returns the smallest of the CPU quotas of this process's cgroup and of the
// ancestors of that cgroup. The unit is CPUs: 1.5 means 150 ms of CPU time per
// 100 ms. Returns nullopt if there is no quota or no quota can be read.
// Supports cgroup v1 and v2. `root` is prepended to the paths of files in /proc
// and /sys; only tests set it.
std::optional<double> CgroupCpuQuota(const std::string& root = "");

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_CPU_COUNT_H_
