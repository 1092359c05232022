// A blocked convolution as lowered from its schedule, for tests and benchmarks
// of code generation.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_TESTING_CONV_KERNEL_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_TESTING_CONV_KERNEL_H_

#include <cstdint>

#include "compiler/tir/stmt.h"

namespace assay::codegen {

// out[oc, y, x, lane] of a KxK convolution with stride 1 on padded data, batch
// size 1, float32, with channels in blocks of `lanes`:
//
//   data   [in_blocks, size + kernel - 1, size + kernel - 1, lanes]
//   weight [out_blocks, in_blocks, kernel, kernel, lanes (in), lanes (out)]
//   out    [out_blocks, size, size, lanes]
struct ConvShape {
  int64_t in_blocks = 8;
  int64_t out_blocks = 8;
  int64_t size = 56;
  int64_t kernel = 3;
  int64_t lanes = 8;
  // Number of output columns accumulated together; divides size.
  int64_t columns = 14;
  // Unrolls the loop over the input channels of a block.
  bool unroll = false;
};

// Parallel over blocks and rows. The columns x lanes accumulators are a local
// buffer with constant indices, as after unrolling.
tir::Function ConvKernel(const ConvShape& shape);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_TESTING_CONV_KERNEL_H_
