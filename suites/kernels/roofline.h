// Roofline: what bounds a kernel on this machine, and how close it comes.
//
// A kernel takes at least the time of its arithmetic at the machine's peak and
// at least the time of bringing its operands and result past the memory level
// that they fit in, each once. Kernels are timed over and over on the same
// data, so that level is the smallest one that holds them, and DRAM if none
// does. Winograd's and Strassen's algorithms need less arithmetic than is
// counted, so they can be above the peak.
#ifndef ASSAY_SUITES_KERNELS_ROOFLINE_H_
#define ASSAY_SUITES_KERNELS_ROOFLINE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "suites/kernels/machine_peak.h"

namespace assay::suites {

struct Roofline {
  double gflops = 0;             // reached
  double gbytes_per_s = 0;       // reached, operands and result once
  double peak_percent = 0;       // of the machine's arithmetic
  double bandwidth_percent = 0;  // of reading from `level`
  std::string level;             // `L2`
  bool bound_by_memory = false;
  // The larger of the two percentages: of what the bound allows.
  double percent = 0;

  // One or two lines.
  std::string ToString() const;
};

// Nothing where the peak for that number of threads was not measured.
std::optional<Roofline> RooflineOf(const MachinePeak& peak, int threads,
                                   int64_t flops, int64_t bytes,
                                   double seconds);

// What `//suites:peak` kept for this machine; nothing in it if that never ran.
MachinePeak StoredPeak();

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_ROOFLINE_H_
