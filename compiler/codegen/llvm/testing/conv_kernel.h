// ConvKernel: creates a blocked convolution in the form that lowering produces,
// for tests and benchmarks of code generation.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_TESTING_CONV_KERNEL_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_TESTING_CONV_KERNEL_H_

#include <cstdint>

#include "compiler/tir/stmt.h"

namespace assay::codegen {

// The shape of a float32 convolution with stride 1, batch size 1, and filters
// of `kernel` x `kernel` elements. The data is already padded, and the channels
// are stored in blocks of `lanes` channels. The buffers have these shapes:
//
//   data   [in_blocks, size + kernel - 1, size + kernel - 1, lanes]
//   weight [out_blocks, in_blocks, kernel, kernel, lanes, lanes]
//   out    [out_blocks, size, size, lanes]
//
// The last two axes of `weight` are the index of the input channel in its block
// and the index of the output channel in its block.
struct ConvShape {
  int64_t in_blocks = 8;
  int64_t out_blocks = 8;
  int64_t size = 56;
  int64_t kernel = 3;
  int64_t lanes = 8;
  // Number of output columns that are accumulated in registers at a time. Must
  // divide `size`.
  int64_t columns = 14;
  // If true, the loop over the input channels of a block is unrolled.
  bool unroll = false;
};

// Returns a kernel with one parallel loop over all pairs of an output block and
// an output row. The accumulators are a local buffer of `columns` vectors of
// `lanes` elements. All accesses to this buffer have constant indices, because
// the loop over the columns of a tile is already unrolled.
tir::Function ConvKernel(const ConvShape& shape);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_TESTING_CONV_KERNEL_H_
