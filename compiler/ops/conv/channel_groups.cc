#include "compiler/ops/conv/channel_groups.h"

#include <algorithm>

#include "absl/numeric/bits.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/ops/config_space.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/schedule_generic.h"

namespace assay::ops {
namespace {

using expr::Expr;

ChannelGroups Make(const OpInstance& op, int64_t groups) {
  ChannelGroups g;
  g.groups = groups;
  g.in_block = BlockOf(op.inputs[0]);
  g.out_block = BlockOf(op.output);
  g.inputs = op.inputs[0].shape[1] / groups;
  g.outputs = op.output.shape[1] / groups;
  return g;
}

// One vector of filters, or two short ones, which use each broadcast pixel
// twice.
int64_t WidestBlock(const target::Target& target) {
  return std::max<int64_t>(FloatLanes(target), 8);
}

// A block of at most `widest` channels that consists of whole groups or divides
// a group.
int64_t BlockFor(int64_t groups, int64_t each, int64_t widest) {
  if (each >= widest) return LargestDivisor(each, widest);
  return each * LargestDivisor(groups, widest / each);
}

// The number of vector operations for one operation on each of `filters`
// filters in the blocks of ChooseChannelBlocks. A part of a vector counts as
// one vector for each power of two that it consists of.
int64_t Vectors(const target::Target& target, int64_t filters) {
  const auto blocks = ChooseChannelBlocks(target, 1, filters, 1);
  if (!blocks.has_value()) return filters;
  const int64_t block = blocks->out, lanes = FloatLanes(target);
  return filters / block *
         (block / lanes + absl::popcount(static_cast<uint64_t>(block % lanes)));
}

}  // namespace

int64_t ChannelGroups::lanes() const {
  return depthwise() ? out_block : std::min(out_block, outputs);
}

int64_t ChannelGroups::blocks() const {
  return std::max<int64_t>(1, outputs / out_block);
}

std::pair<Expr, Expr> ChannelGroups::Channel(const Expr& oc_o, const Expr& oc_i,
                                             const Expr& ic_o,
                                             const Expr& ic_i) const {
  if (groups == 1) return {ic_o, ic_i};
  if (depthwise()) return {oc_o, oc_i};
  const Expr group = outputs >= out_block ? oc_o / AsInt(outputs / out_block)
                                          : oc_o * AsInt(out_block / outputs) +
                                                oc_i / AsInt(outputs);
  if (inputs >= in_block) {
    return {group * AsInt(inputs / in_block) + ic_o, ic_i};
  }
  const int groups_of_block = AsInt(in_block / inputs);
  return {group / groups_of_block,
          group % groups_of_block * AsInt(inputs) + ic_i};
}

ChannelGroups ChannelGroupsOf(const OpInstance& op) {
  return op.kind == graph::OpKind::kConv2d
             ? Make(op, op.attrs_as<graph::Conv2dAttrs>().groups)
             : Make(op, op.attrs_as<graph::Conv2dTransposeAttrs>().groups);
}

std::optional<BlockSizes> ChooseChannelBlocks(const target::Target& target,
                                              int64_t channels, int64_t filters,
                                              int64_t groups) {
  ChannelGroups g;
  g.groups = groups;
  g.inputs = channels / groups;
  g.outputs = filters / groups;
  g.in_block = BlockFor(groups, g.inputs, WidestBlock(target));
  g.out_block = BlockFor(groups, g.outputs, WidestBlock(target));
  const int64_t least = std::min<int64_t>(FloatLanes(target), 4);
  if (g.lanes() % least != 0) return std::nullopt;
  return BlockSizes{g.in_block, g.out_block};
}

int64_t PaddedChannels(const target::Target& target, int64_t channels) {
  constexpr int64_t kLeastBlock = 4, kMultiple = 8;
  if (LargestDivisor(channels, WidestBlock(target)) >= kLeastBlock) {
    return channels;
  }
  const int64_t padded = CeilDiv(channels, kMultiple) * kMultiple;
  return padded * 8 <= channels * 9 ? padded : channels;
}

int64_t PaddedFilters(const target::Target& target, int64_t filters,
                      bool sliced) {
  const int64_t block = WidestBlock(target);
  int64_t padded = CeilDiv(filters, block) * block;
  if (padded == filters) return filters;
  const int64_t before = Vectors(target, filters),
                after = Vectors(target, padded);
  // A copy of the result must be paid for, or else the operators that read the
  // added channels, whose time grows with their number. Without blocks there
  // are no vectors at all.
  const bool pays = before == filters ||
                    (sliced ? after * 3 <= before * 2
                            : after * padded * 5 <= before * filters * 4);
  if (!pays) return filters;
  // Tiles of two blocks are worth up to 10 % more filters.
  const int64_t two = CeilDiv(filters, 2 * block) * (2 * block);
  return two * 10 <= padded * 11 ? two : padded;
}

int64_t PaddedIntegerFilters(const target::Target& target, int64_t filters,
                             bool sliced) {
  if (sliced) return PaddedFilters(target, filters, sliced);
  const int64_t block = WidestBlock(target);
  const int64_t padded = CeilDiv(filters, block) * block;
  return padded <= 2 * filters ? padded : filters;
}

}  // namespace assay::ops
