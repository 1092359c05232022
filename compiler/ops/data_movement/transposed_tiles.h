// The schedule of kernels that convert between plain and blocked layout.
//
// For each block of channels, [N, C, H, W] and [N, C/b, H, W, b] are the two
// storage orders of a matrix of b channels by H * W pixels. A tile that fits in
// registers is read with row vectors and written with column vectors:
//
//   for each block, distributed over the threads
//     for each tile of pixels, the last one shifted back into the image
//       pixels: b x t, local, a vector load per row
//       output: a vector store per column
//
// The code generator transposes the tile with shuffles, without memory accesses
// (codegen/llvm/emit_tile.cc).
#ifndef ASSAY_COMPILER_OPS_DATA_MOVEMENT_TRANSPOSED_TILES_H_
#define ASSAY_COMPILER_OPS_DATA_MOVEMENT_TRANSPOSED_TILES_H_

#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// Schedules the kernel and returns true if exactly one stage is tagged "pack"
// or "unpack" (data_movement.h), its consumers have its shape, its producers
// have the shape of its operand, and an image has at least one vector of
// pixels. Otherwise returns false and leaves `s` unchanged.
bool ScheduleTransposedTiles(schedule::Schedule& s, const te::Tensor& output,
                             const target::Target& target);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_DATA_MOVEMENT_TRANSPOSED_TILES_H_
