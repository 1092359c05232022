// Roofline: the bound on a kernel's performance on this machine, and how close
// the kernel comes to it.
//
// There are two lower bounds on the time of a kernel:
//   - the number of its operations divided by the peak throughput;
//   - the size of its operands and result divided by the bandwidth of the
//     memory level that holds them. Kernels are timed repeatedly on the same
//     data, so this level is the smallest cache that can hold the data, or
//     DRAM.
// The peak throughput is that of the arithmetic with which the kernel computes
// (peak/arithmetic.h). Kernels with a fast algorithm can exceed it. They
// execute fewer operations than the definition of the operator, but the
// operations of the definition are counted.
#ifndef ASSAY_SUITES_KERNELS_ROOFLINE_H_
#define ASSAY_SUITES_KERNELS_ROOFLINE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "suites/kernels/peak/arithmetic.h"
#include "suites/kernels/peak/machine_peak.h"

namespace assay::suites {

struct Roofline {
  Arithmetic arithmetic = Arithmetic::kFloat32;
  // Achieved nominal throughput in GFLOP/s.
  double gflops = 0;
  // Achieved bandwidth in GB/s. Operands and result are counted once.
  double gbytes_per_s = 0;
  // Achieved throughput as a percentage of the peak throughput.
  double peak_percent = 0;
  // Achieved bandwidth as a percentage of the read bandwidth of `level`.
  double bandwidth_percent = 0;
  // The memory level that holds the data, for example `L2`.
  std::string level;
  // True if `bandwidth_percent` is greater than `peak_percent`.
  bool bound_by_memory = false;
  // The larger of the two percentages, which tells how close the kernel comes
  // to the bound.
  double percent = 0;

  // Returns one or two lines of text.
  std::string ToString() const;
};

// Computes the roofline of a kernel that takes `seconds` on `threads` threads.
// `flops` is the number of operations of the operator's definition, and `bytes`
// is the total size of the operands and the result. Returns nullopt if `peak`
// has no values for this arithmetic and number of threads.
std::optional<Roofline> RooflineOf(const MachinePeak& peak,
                                   Arithmetic arithmetic, int threads,
                                   int64_t flops, int64_t bytes,
                                   double seconds);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_ROOFLINE_H_
