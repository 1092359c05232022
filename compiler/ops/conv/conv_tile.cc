#include "compiler/ops/conv/conv_tile.h"

#include <algorithm>

#include "compiler/ops/conv/pad.h"
#include "compiler/ops/register_tile.h"

namespace assay::ops {
namespace {

// Padding is inlined if the reduction is short (kStepsToInlinePad) and each
// element of the data is used in at most this many products.
constexpr int64_t kProductsToInlinePad = 100;

// The possible numbers of blocks in a tile; all belong to one group.
std::vector<int64_t> Blocks(const ChannelGroups& groups,
                            const target::Target& target) {
  return TileBlocks(target, groups.blocks(), groups.lanes());
}

}  // namespace

SplitOptions TileColumns(const ChannelGroups& groups, int64_t columns,
                         const target::Target& target) {
  SplitOptions row;
  row.policy = SplitPolicy::kCandidate;
  const int64_t widest = MaxTileRows(target, VectorsOf(target, groups.lanes()));
  for (int64_t tile = 1; tile <= std::min(widest, columns); ++tile) {
    row.candidates.push_back({-1, tile});
  }
  return row;
}

ConfigSpace ConvTileSpace(const ChannelGroups& groups, int64_t columns,
                          const target::Target& target) {
  ConfigSpace space;
  space.DefineSplit("tile_ow", columns, TileColumns(groups, columns, target));
  space.DefineKnob("tile_oc", Blocks(groups, target));
  space.DefineKnob("inline_pad", {0, 1});
  return space;
}

ConvWork WorkOf(const OpInstance& op, int64_t steps) {
  return {steps, NumElements(op.stored_output.shape) * steps /
                     NumElements(op.stored[0].shape)};
}

Config DefaultConvTile(const ChannelGroups& groups, int64_t columns,
                       const ConvWork& work, const target::Target& target) {
  const bool inline_pad = work.steps <= kStepsToInlinePad &&
                          work.products_of_value <= kProductsToInlinePad;
  std::vector<Config> configs;
  for (const int64_t tile_oc : Blocks(groups, target)) {
    const int64_t tile_ow =
        BestTileRows(target, columns,
                     VectorsOf(target, tile_oc * groups.lanes()), work.steps);
    configs.push_back(Config()
                          .SetSplit("tile_ow", {-1, tile_ow})
                          .SetKnob("tile_oc", tile_oc)
                          .SetKnob("inline_pad", inline_pad ? 1 : 0));
  }
  return Cheapest(configs, [&](const Config& config) {
    return ConvTileCycles(groups, columns, work.steps, target, config) /
           static_cast<double>(config.Knob("tile_oc"));
  });
}

double ConvTileCycles(const ChannelGroups& groups, int64_t columns,
                      int64_t steps, const target::Target& target,
                      const Config& config) {
  const int64_t filters = config.Knob("tile_oc") * groups.lanes();
  const auto groups_of_block =
      static_cast<double>(groups.out_block / groups.lanes());
  return groups_of_block * TiledStepCycles(target, columns,
                                           config.Split("tile_ow")[1],
                                           VectorsOf(target, filters), steps);
}

FilterLoops SplitFilters(schedule::Stage& out, const ChannelGroups& groups,
                         const Config& config) {
  using schedule::Axis;
  FilterLoops loops;
  Axis blocks = out.axis(1);
  if (groups.groups > 1 && !groups.depthwise()) {
    const auto [group, rest] = out.Split(blocks, groups.blocks());
    loops.parts.push_back(group);
    blocks = rest;
  }
  const auto [part, block] = out.Split(blocks, config.Knob("tile_oc"));
  loops.parts.push_back(part);
  loops.block = block;
  loops.lane = out.axis(4);
  if (groups.lanes() < groups.out_block) {
    const auto [group, lane] = out.Split(loops.lane, groups.lanes());
    loops.groups.push_back(group);
    loops.lane = lane;
  }
  return loops;
}

void ScheduleSums(schedule::Stage& sums, const ChannelGroups& groups,
                  const target::Target& target, const Config& config) {
  const int64_t filters = config.Knob("tile_oc") * groups.lanes();
  ScheduleTile(sums, {sums.axis(3), sums.axis(1)}, sums.axis(4),
               config.Split("tile_ow")[1] * VectorsOf(target, filters), target);
}

}  // namespace assay::ops
