// ChannelGroups: how the groups of a blocked convolution lie in its blocks.
//
// A group may consist of whole blocks, or a block of whole groups; data and
// result need not agree in that. Where every channel has a filter of its own
// and both sides have the same blocks (depthwise), lane i of the data belongs
// to lane i of the result, and otherwise neighbouring lanes of the result read
// the same element of the data, which is broadcast.
#ifndef ASSAY_COMPILER_OPS_CONV_CHANNEL_GROUPS_H_
#define ASSAY_COMPILER_OPS_CONV_CHANNEL_GROUPS_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "compiler/expr/expr.h"
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
  // Neighbouring filters of a block that go together in a vector.
  int64_t lanes() const;
  // Blocks of the result that a group consists of; 1 where blocks consist of
  // groups.
  int64_t blocks() const;

  // The block of the data, and the channel in it, that input channel
  // (ic_o, ic_i) of the group of filter (oc_o, oc_i) is. ic_o and oc_o count
  // blocks.
  std::pair<expr::Expr, expr::Expr> Channel(const expr::Expr& oc_o,
                                            const expr::Expr& oc_i,
                                            const expr::Expr& ic_o,
                                            const expr::Expr& ic_i) const;
};

// Of a conv2d or conv2d_transpose in blocks.
ChannelGroups ChannelGroupsOf(const OpInstance& op);

// Blocks for a convolution of `channels` to `filters` channels in `groups`
// groups; nothing where no useful vector can be made of its filters.
struct ChannelBlocks {
  int64_t in_block = 0;
  int64_t out_block = 0;
};
std::optional<ChannelBlocks> ChooseChannelBlocks(const target::Target& target,
                                                 int64_t channels,
                                                 int64_t filters,
                                                 int64_t groups);

// How many filters a convolution without groups and with `filters` of them had
// better have: as many, or up to whole vectors where there is no useful
// divisor.
int64_t PaddedFilters(const target::Target& target, int64_t filters);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_CHANNEL_GROUPS_H_
