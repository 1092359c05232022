// Schedules kernels that convert between plain and blocked layout.
//
// A block of b channels of an image is a matrix of b channels by H * W pixels.
// The plain layout [N, C, H, W] stores this matrix in row-major order, and the
// blocked layout [N, C/b, H, W, b] stores it in column-major order. The kernel
// processes tiles of b channels by t pixels that fit in registers:
//
//   for each block of channels, in parallel
//     for each tile of t pixels, the last one shifted back into the image
//       load the tile: one vector per channel (plain) or pixel (blocked)
//       store the tile: one vector per pixel (blocked) or channel (plain)
//
// The code generator transposes the tile in registers with shuffles
// (codegen/llvm/emit_tile.cc).
#ifndef ASSAY_COMPILER_OPS_DATA_MOVEMENT_TRANSPOSED_TILES_H_
#define ASSAY_COMPILER_OPS_DATA_MOVEMENT_TRANSPOSED_TILES_H_

#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// Schedules the kernel with result `output` and returns true if all of the
// following conditions hold. Otherwise returns false and leaves `s` unchanged.
//
//   - Exactly one stage, the conversion, has the tag "pack" or "unpack"
//     (data_movement.h).
//   - Stages after the conversion have the shape of its result, and stages
//     before the conversion have the shape of its operand. Stages of one
//     element are an exception; they are allowed everywhere.
//   - In the stages before and after the conversion, each read accesses
//     adjacent elements for adjacent pixels, or the same element for all
//     pixels. Stages of one element are again an exception.
//   - An image has at least as many pixels as a vector has lanes.
//   - A vector has at least two lanes, and a block has at least two channels.
bool ScheduleTransposedTiles(schedule::Schedule& s, const te::Tensor& output,
                             const target::Target& target);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_DATA_MOVEMENT_TRANSPOSED_TILES_H_
