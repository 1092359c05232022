// The schedule of kernels that change between plain and blocked layout.
//
// [N, C, H, W] and [N, C/b, H, W, b] are, for each block of channels, the two
// orders of a matrix of b channels and H * W pixels. A tile of it that fits in
// registers is read by rows, in vectors, and written by columns, in vectors:
//
//   for each block, shared out over the threads
//     for each tile of pixels, the last one shifted back into the image
//       pixels: b x t, local, a vector load per row
//       output: a vector store per column
//
// How a column comes out of the rows is the code generator's business
// (codegen/llvm/emit_tile.cc): shuffles, no memory.
#ifndef ASSAY_COMPILER_OPS_DATA_MOVEMENT_TRANSPOSED_TILES_H_
#define ASSAY_COMPILER_OPS_DATA_MOVEMENT_TRANSPOSED_TILES_H_

#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// True, and the kernel is scheduled, where exactly one of its stages is tagged
// "pack" or "unpack" (data_movement.h), what follows it is of its
// shape, what comes before it is of its operand's, and an image has at least a
// vector of pixels. Otherwise nothing happens.
bool ScheduleTransposedTiles(schedule::Schedule& s, const te::Tensor& output,
                             const target::Target& target);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_DATA_MOVEMENT_TRANSPOSED_TILES_H_
