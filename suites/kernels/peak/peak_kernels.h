// PeakKernels: the benchmark kernels with which the peak of a machine is
// measured, as text of the loop IR (compiler/docs/tir.md).
//
// Kernels of multiply-adds work on independent accumulators in registers, of
// which there are enough to hide the latency of the instruction. The other
// kernels traverse buffers. In all kernels, each of `shares` threads does the
// same work, and repeats it `turns` times. A vector has `lanes` elements of 32
// bits. All sizes must be positive.
#ifndef ASSAY_SUITES_KERNELS_PEAK_PEAK_KERNELS_H_
#define ASSAY_SUITES_KERNELS_PEAK_PEAK_KERNELS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace assay::suites {

struct PeakKernel {
  std::string text;  // the kernel in the loop IR
  // The sizes of its arguments in bytes, in order.
  std::vector<int64_t> sizes;
  // The work of one call: the number of operations, where a multiply-add counts
  // as two, or the number of bytes that are read.
  double amount = 0;
};

// Multiplies and adds float32 vectors.
PeakKernel FloatKernel(int lanes, int64_t turns, int shares);
// Multiplies and adds bytes with the dot product `intrinsic`, such as
// `dot4_u8s8` (compiler/expr/intrinsics.h).
PeakKernel DotKernel(absl::string_view intrinsic, int lanes, int64_t turns,
                     int shares);
// Multiplies matrices with the tile product `intrinsic`, which is
// `tile_dot2_bf16` or one of the products of bytes, such as `tile_dot4_u8s8`.
PeakKernel TileKernel(absl::string_view intrinsic, int64_t turns, int shares);

// Each thread reads, or copies, `floats` elements of its own.
PeakKernel ReadKernel(int lanes, int64_t turns, int shares, int64_t floats);
PeakKernel CopyKernel(int lanes, int64_t turns, int shares, int64_t floats);

// Number of vectors that the loops of ReadKernel() and CopyKernel() access in
// one iteration. `floats` must be a multiple of kPeakStreams * `lanes`.
inline constexpr int kPeakStreams = 8;

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_PEAK_PEAK_KERNELS_H_
