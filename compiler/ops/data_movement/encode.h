// ChangeBlocks: stores an image in other blocks of channels
// (graph/encoding/channel_blocks.h). encode_steps.h stores weights.
#ifndef ASSAY_COMPILER_OPS_DATA_MOVEMENT_ENCODE_H_
#define ASSAY_COMPILER_OPS_DATA_MOVEMENT_ENCODE_H_

#include <cstdint>

#include "compiler/te/tensor.h"

namespace assay::ops {

// Changes the block size of axis 1, the channels. A block size of 0 is the
// plain array [N,C,...]; a block size b > 0 is the array [N,C/b,...,b]. If
// there are spatial axes, a conversion between the plain array and blocks
// consists of two stages. The first stage, `pixels`, fuses the spatial axes
// into one axis of extent P, the product of their extents; the shape of this
// stage is [N,C,P] or [N,C/b,P,b]. The second stage, the result, rearranges the
// channels and has the tag "pack" or "unpack" (transposed_tiles.h).
te::Tensor ChangeBlocks(const te::Tensor& x, int64_t from_block,
                        int64_t to_block, const Shape& output);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_DATA_MOVEMENT_ENCODE_H_
