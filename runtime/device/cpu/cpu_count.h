// The number of CPUs that this process may use. It is often smaller than the
// number of CPUs of the machine because of a container's CPU quota or an
// affinity mask (taskset, batch systems). A thread pool with more threads than
// that is oversubscribed.
#ifndef ASSAY_RUNTIME_DEVICE_CPU_CPU_COUNT_H_
#define ASSAY_RUNTIME_DEVICE_CPU_CPU_COUNT_H_

#include <optional>
#include <string>

namespace assay::runtime {

// The minimum of the number of online CPUs, the size of the affinity mask, and
// the cgroup's CPU quota rounded up; at least 1.
int UsableCpuCount();

// The smallest CPU quota of this process's cgroup and its ancestors, in CPUs
// (1.5 means 150 ms of CPU time per 100 ms), or nullopt if unlimited or
// unreadable. Supports cgroup v1 and v2. `root` is a prefix of /proc and /sys
// for tests.
std::optional<double> CgroupCpuQuota(const std::string& root = "");

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_CPU_COUNT_H_
