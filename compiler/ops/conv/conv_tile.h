// ConvTile: the register tile of convolutions in blocks, direct and transposed.
//
// A tile is `tile_ow` neighbouring pixels of a row by `tile_oc` blocks of
// filters of one group. Per input channel and tap its vectors of weights are
// loaded and each multiplied with tile_ow broadcast pixels into accumulators,
// which live in registers for the whole reduction.
#ifndef ASSAY_COMPILER_OPS_CONV_CONV_TILE_H_
#define ASSAY_COMPILER_OPS_CONV_CONV_TILE_H_

#include <cstdint>
#include <vector>

#include "compiler/ops/config_space.h"
#include "compiler/ops/conv/channel_groups.h"
#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"

namespace assay::ops {

// The widths that a tile may have of rows of `columns` pixels.
SplitOptions TileColumns(const ChannelGroups& groups, int64_t columns,
                         const target::Target& target);

// What there is to choose for rows of `columns` pixels: `tile_ow`, a split that
// need not divide the row, `tile_oc`, and `inline_pad`, whether the padding is
// a condition in the loops or written to memory first.
ConfigSpace ConvTileSpace(const ChannelGroups& groups, int64_t columns,
                          const target::Target& target);

// The length of the reduction, and how many products a value of the data is
// part of.
struct ConvWork {
  int64_t steps = 0;
  int64_t products_of_value = 0;
};
ConvWork WorkOf(const OpInstance& op, int64_t steps);

// The tile with the fewest cycles for a row by register_tile.h.
Config DefaultConvTile(const ChannelGroups& groups, int64_t columns,
                       const ConvWork& work, const target::Target& target);

// Cycles of one of `steps` steps of the reduction of a row, tile_oc blocks
// wide.
double ConvTileCycles(const ChannelGroups& groups, int64_t columns,
                      int64_t steps, const target::Target& target,
                      const Config& config);

// The loops of the filters of a blocked result, axes 1 and 4 of `out`.
struct FilterLoops {
  std::vector<schedule::Axis> parts;   // which tile: loops to share out
  schedule::Axis block;                // in the tile
  std::vector<schedule::Axis> groups;  // of a block that consists of several
  schedule::Axis lane;
};
FilterLoops SplitFilters(schedule::Stage& out, const ChannelGroups& groups,
                         const Config& config);

// Orders and annotates the loops of the stage that sums up a tile. Its axes are
// those of the result, its reduction goes over blocks of channels, two axes of
// taps and the channels of a block.
void ScheduleSums(schedule::Stage& sums, const ChannelGroups& groups,
                  const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_CONV_TILE_H_
