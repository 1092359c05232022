// Roofline: the bound on a kernel's performance on this machine, and how close
// the kernel comes to it.
//
// A kernel takes at least the time of its arithmetic at peak throughput, and at
// least the time to transfer its operands and result once from the memory level
// that holds them. Kernels are timed repeatedly on the same data, so this is
// the smallest level that the data fits in, or DRAM. Winograd's and Strassen's
// algorithms need fewer operations than are counted, so they can exceed the
// peak.
#ifndef ASSAY_SUITES_KERNELS_ROOFLINE_H_
#define ASSAY_SUITES_KERNELS_ROOFLINE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "suites/kernels/machine_peak.h"

namespace assay::suites {

struct Roofline {
  double gflops = 0;             // achieved
  double gbytes_per_s = 0;       // achieved; operands and result count once
  double peak_percent = 0;       // of the peak arithmetic throughput
  double bandwidth_percent = 0;  // of the read bandwidth of `level`
  std::string level;             // `L2`
  bool bound_by_memory = false;
  // The larger of the two percentages: how close the kernel is to the bound.
  double percent = 0;

  // Returns one or two lines of text.
  std::string ToString() const;
};

// Returns nullopt if the peak for this number of threads was not measured.
std::optional<Roofline> RooflineOf(const MachinePeak& peak, int threads,
                                   int64_t flops, int64_t bytes,
                                   double seconds);

// Returns the peak that `//suites:peak` stored for this machine; empty if there
// is none.
MachinePeak StoredPeak();

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_ROOFLINE_H_
