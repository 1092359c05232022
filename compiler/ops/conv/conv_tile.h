// ConvTile: the register tile of blocked convolutions, direct and transposed.
//
// A tile consists of `tile_ow` neighbouring pixels of a row by `tile_oc` blocks
// of filters of one group. Per input channel and tap, its vectors of weights
// are loaded, and each is multiplied by tile_ow broadcast pixels. The
// accumulators stay in registers for the whole reduction.
#ifndef ASSAY_COMPILER_OPS_CONV_CONV_TILE_H_
#define ASSAY_COMPILER_OPS_CONV_CONV_TILE_H_

#include <cstdint>
#include <vector>

#include "compiler/ops/config_space.h"
#include "compiler/ops/conv/channel_groups.h"
#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"

namespace assay::ops {

// The possible widths of a tile in rows of `columns` pixels.
SplitOptions TileColumns(const ChannelGroups& groups, int64_t columns,
                         const target::Target& target);

// The space for rows of `columns` pixels: `tile_ow`, a split that need not
// divide the row, `tile_oc`, and `inline_pad`: 1 checks for padding inside the
// loops, 0 writes padded data to memory first.
ConfigSpace ConvTileSpace(const ChannelGroups& groups, int64_t columns,
                          const target::Target& target);

struct ConvWork {
  int64_t steps = 0;              // length of the reduction
  int64_t products_of_value = 0;  // products per element of the data
};
ConvWork WorkOf(const OpInstance& op, int64_t steps);

// The tile with the fewest cycles for a row according to register_tile.h.
Config DefaultConvTile(const ChannelGroups& groups, int64_t columns,
                       const ConvWork& work, const target::Target& target);

// Cycles of one of the `steps` reduction steps of a row of tile_oc blocks.
double ConvTileCycles(const ChannelGroups& groups, int64_t columns,
                      int64_t steps, const target::Target& target,
                      const Config& config);

// The loops of the filters of a blocked result, axes 1 and 4 of `out`.
struct FilterLoops {
  std::vector<schedule::Axis> parts;  // loops over tiles, to be parallelised
  schedule::Axis block;               // block in the tile
  std::vector<schedule::Axis>
      groups;  // groups in a block, if there are several
  schedule::Axis lane;
};
FilterLoops SplitFilters(schedule::Stage& out, const ChannelGroups& groups,
                         const Config& config);

// Orders and annotates the loops of the stage that accumulates a tile. Its axes
// are those of the result; it reduces over blocks of channels, two axes of taps
// and the channels of a block.
void ScheduleSums(schedule::Stage& sums, const ChannelGroups& groups,
                  const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_CONV_TILE_H_
