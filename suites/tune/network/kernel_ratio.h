// KernelRatio: how long a kernel takes in the tuned network, relative to the
// kernels that compute the same in the untuned network. The comparison of both
// networks has measured it by kernel call.
//
//   const std::vector<AlignedKernels> parts =
//       AlignKernels(untuned.calls, tuned.calls);
//   const auto ratio = KernelRatio(parts, comparison.loads, task.nodes);
//
// This is not the ratio of the kernel's trial, because in the network, the
// kernel shares caches and memory with all others.
#ifndef ASSAY_SUITES_TUNE_NETWORK_KERNEL_RATIO_H_
#define ASSAY_SUITES_TUNE_NETWORK_KERNEL_RATIO_H_

#include <optional>
#include <string>
#include <vector>

#include "suites/comparison/align_kernels.h"
#include "suites/comparison/paired_loads.h"

namespace assay::suites {

// `nodes` are the names of the nodes of the model that the kernel computes. If
// it is called several times, the times of all calls are added. Returns the
// median over the loads, or nullopt if the programs were not measured by call,
// or have no kernel with these nodes.
std::optional<double> KernelRatio(const std::vector<AlignedKernels>& parts,
                                  const std::vector<PairedLoads::Load>& loads,
                                  const std::vector<std::string>& nodes);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_NETWORK_KERNEL_RATIO_H_
