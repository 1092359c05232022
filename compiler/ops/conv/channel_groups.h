// ChannelGroups: the relation of groups and channel blocks of a blocked
// convolution.
//
// Either a group consists of whole blocks, or a block consists of whole groups;
// data and result may differ in that. In a depthwise convolution, with one
// filter per channel and equal blocks on both sides, lane i of the result reads
// lane i of the data. Otherwise the neighbouring lanes of the result read the
// same element of the data, which is broadcast.
#ifndef ASSAY_COMPILER_OPS_CONV_CHANNEL_GROUPS_H_
#define ASSAY_COMPILER_OPS_CONV_CHANNEL_GROUPS_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "compiler/expr/expr.h"
#include "compiler/graph/passes/layout_plan.h"
#include "compiler/ops/op_instance.h"
#include "compiler/target/target.h"

namespace assay::ops {

struct ChannelGroups {
  int64_t groups = 1;
  int64_t inputs = 0, outputs = 0;  // channels and filters of one group
  int64_t in_block = 1, out_block = 1;

  bool depthwise() const {
    return inputs == 1 && outputs == 1 && in_block == out_block;
  }
  // The number of neighbouring filters of a block that share a vector.
  int64_t lanes() const;
  // The number of blocks of the result per group; 1 if a block consists of
  // groups.
  int64_t blocks() const;

  // The block of the data, and the channel in it, of input channel (ic_o, ic_i)
  // of the group that filter (oc_o, oc_i) belongs to. ic_o and oc_o count
  // blocks.
  std::pair<expr::Expr, expr::Expr> Channel(const expr::Expr& oc_o,
                                            const expr::Expr& oc_i,
                                            const expr::Expr& ic_o,
                                            const expr::Expr& ic_i) const;
};

// The groups of a blocked conv2d or conv2d_transpose.
ChannelGroups ChannelGroupsOf(const OpInstance& op);

// The channel blocks of a direct convolution of `channels` channels to
// `filters` channels in `groups` groups; nullopt if its filters fill no vector.
std::optional<graph::ConvLayout> ChooseChannelBlocks(
    const target::Target& target, int64_t channels, int64_t filters,
    int64_t groups);

// The number of filters to which a convolution without groups should be padded:
// `filters` itself, or whole vectors if no useful block divides it.
int64_t PaddedFilters(const target::Target& target, int64_t filters);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_CHANNEL_GROUPS_H_
