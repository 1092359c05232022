// ConvTile: the register tile of blocked convolutions, direct and transposed.
//
// A tile is the part of the result that belongs to `tile_ow` neighbouring
// pixels of a row and to `tile_oc` blocks of filters. All these filters are in
// one group. For each input channel and filter tap, the weights of the filters
// are loaded as vectors, and each vector is multiplied by `tile_ow` pixels,
// which are broadcast. In a depthwise transposed convolution, however, a block
// contains filters of several groups, and each pixel is a vector of channels.
// The accumulators stay in registers for the whole reduction.
#ifndef ASSAY_COMPILER_OPS_CONV_CONV_TILE_H_
#define ASSAY_COMPILER_OPS_CONV_CONV_TILE_H_

#include <cstdint>
#include <vector>

#include "compiler/ops/config_space.h"
#include "compiler/ops/conv/channel_groups.h"
#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"

namespace assay::ops {

// Returns the possible widths of a tile if a row has `columns` pixels.
SplitOptions TileColumns(const ChannelGroups& groups, int64_t columns,
                         const target::Target& target);

// Returns the space for rows of `columns` pixels. It has three entries:
//
// - tile_ow: a split of the row; the width of a tile need not divide the row.
// - tile_oc: the number of blocks of filters in a tile.
// - inline_pad: if 1, the loops check for padding; if 0, padded data is written
//   to memory first.
ConfigSpace ConvTileSpace(const ChannelGroups& groups, int64_t columns,
                          const target::Target& target);

struct ConvWork {
  int64_t steps = 0;              // length of the reduction
  int64_t products_of_value = 0;  // multiplications per element of the data
};
// Returns the work of convolution `op`, whose reduction has `steps` steps.
ConvWork WorkOf(const OpInstance& op, int64_t steps);

// Returns the tile for which the model of register_tile.h predicts the fewest
// cycles per filter for a row of `columns` pixels.
Config DefaultConvTile(const ChannelGroups& groups, int64_t columns,
                       const ConvWork& work, const target::Target& target);

// Returns the cycles that one step of the reduction takes for a row of
// `columns` pixels and `tile_oc` blocks of filters. The reduction has `steps`
// steps.
double ConvTileCycles(const ChannelGroups& groups, int64_t columns,
                      int64_t steps, const target::Target& target,
                      const Config& config);

// The loops over the filters of a blocked result.
struct FilterLoops {
  std::vector<schedule::Axis> parts;  // loops over tiles, to be parallelised
  schedule::Axis block;               // loop over the blocks of a tile
  // Loop over the groups in a block; empty unless a block has several groups.
  std::vector<schedule::Axis> groups;
  schedule::Axis lane;  // loop over the filters of a vector
};
// Splits the two axes of `out` that stand for filters: axis 1 (the blocks) and
// axis 4 (the filters in a block).
FilterLoops SplitFilters(schedule::Stage& out, const ChannelGroups& groups,
                         const Config& config);

// Orders and annotates the loops of `sums`, the stage that accumulates a tile.
// The data axes of `sums` must be those of the result. `sums` must have four
// reduce axes in the following order: the blocks of channels, the rows of the
// filter, the columns of the filter, and the channels of a block.
void ScheduleSums(schedule::Stage& sums, const ChannelGroups& groups,
                  const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_CONV_TILE_H_
