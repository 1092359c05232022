// MeasurePeak: measures the peak of this machine.
//
// The benchmark kernels (peak_kernels.h) are written in the loop IR and
// compiled by this compiler, so kernels that the compiler generates can reach
// the same rates. The result is the fastest of many samples, because every
// disturbance makes a sample slower.
//
// Products of bytes and of bfloat16 are measured if the target has the
// instructions with which the compiler computes them. For bytes, these are
// instructions of the matrix unit or, if there is none, dot products of
// vectors. For bfloat16, they are instructions of the matrix unit.
#ifndef ASSAY_SUITES_KERNELS_PEAK_MEASURE_PEAK_H_
#define ASSAY_SUITES_KERNELS_PEAK_MEASURE_PEAK_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "compiler/target/target.h"
#include "suites/kernels/peak/machine_peak.h"
#include "suites/kernels/peak/peak_kernels.h"

namespace assay::suites {

// Measures the peak with one thread and with `all_threads` threads. Takes a few
// seconds.
absl::StatusOr<MachinePeak> MeasurePeak(int all_threads);

// Return the kernel that measures the peak of bfloat16 or of bytes on a target
// with a number of threads, or nullopt if the target has no instructions for
// it.
std::optional<PeakKernel> BFloat16KernelFor(const target::Target& target,
                                            int threads);
std::optional<PeakKernel> ByteKernelFor(const target::Target& target,
                                        int threads);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_PEAK_MEASURE_PEAK_H_
