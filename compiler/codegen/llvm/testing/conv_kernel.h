// A blocked convolution as its schedule lowers it, for tests and benchmarks of
// code generation.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_TESTING_CONV_KERNEL_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_TESTING_CONV_KERNEL_H_

#include <cstdint>

#include "compiler/tir/stmt.h"

namespace assay::codegen {

// out[oc, y, x, lane] for a KxK convolution of stride 1 on padded data, one
// image, float32, channels in blocks of `lanes`:
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
  // Output columns that are accumulated at a time; divides size.
  int64_t columns = 14;
  // The loop over a block's input channels.
  bool unroll = false;
};

// Parallel over blocks and rows; the columns x lanes accumulators are a local
// buffer that unrolling has given constant indices.
tir::Function ConvKernel(const ConvShape& shape);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_TESTING_CONV_KERNEL_H_
