// CountKernels: counts the instructions and memory accesses of each kernel call
// of an artifact, exactly and without a clock.
//
// The artifact runs under qemu, on one thread, whatever machine it is for. The
// counts are the same in every run and on every machine, so that a change of a
// kernel can be judged without a quiet machine or a board. They are not times:
// a time also depends on latencies, ports, caches and the clock rate.
//
//   ASSAY_ASSIGN_OR_RETURN(const KernelCounts counts,
//                          CountKernels(argv[0], artifact, {}));
//   for (size_t i = 0; i < artifact.calls.size(); ++i) {
//     std::cout << artifact.calls[i].symbol << " " << counts.calls[i].Total();
//   }
//
// A count includes what the runtime does for the call: it calls the kernel and
// executes its parallel loops, each in one chunk. These are some tens of
// instructions for each call and each loop. The counts of two artifacts that
// are compared must therefore be made by the same build of this program.
#ifndef ASSAY_RUNTIME_TOOLS_COUNT_COUNT_KERNELS_H_
#define ASSAY_RUNTIME_TOOLS_COUNT_COUNT_KERNELS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/artifact/artifact.h"
#include "runtime/tools/count/region_counts.h"

namespace assay::runtime {

struct CountOptions {
  // Processor that qemu emulates. If empty, it is the processor of the target
  // if qemu has a model of it, and otherwise `max`, which has all instructions
  // that qemu knows. Which instructions a kernel executes does not depend on
  // it, only whether qemu accepts them.
  std::string cpu;
  // Seed of the inputs (runtime/executor/seeded_inputs.h). Counts of kernels
  // such as sorting depend on the values of their inputs.
  uint64_t seed = 0;
  double time_limit_s = 3600;
};

struct KernelCounts {
  std::string machine;              // `aarch64`, `armhf` or `x86_64`
  std::string cpu;                  // the processor that qemu emulated
  std::vector<RegionCounts> calls;  // in the order of Artifact::calls
};

// `program` is argv[0] of this program, in whose runfiles qemu is. Errors:
//   - InvalidArgument: the artifact is not valid, it has no machine code, or
//     qemu emulates no machine with its instructions, for example because they
//     include AVX-512.
//   - DeadlineExceeded: the artifact takes longer than the time limit.
//   - NotFound: the runfiles are missing.
//   - Internal: a kernel or qemu failed.
absl::StatusOr<KernelCounts> CountKernels(const std::string& program,
                                          const Artifact& artifact,
                                          const CountOptions& options);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TOOLS_COUNT_COUNT_KERNELS_H_
