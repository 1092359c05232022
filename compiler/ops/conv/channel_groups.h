// ChannelGroups: maps the filters of a blocked convolution with groups to the
// channels that they read.
//
// Either each group consists of whole channel blocks, or each block consists of
// whole groups. Data and result may differ in this respect. A vector of the
// result holds neighbouring filters of one group, and all its lanes read the
// same element of the data, which is broadcast. Depthwise convolutions are
// different: each filter reads its own channel, and data and result have the
// same block size. There, lane i of the result reads lane i of the data.
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
  int64_t inputs = 0, outputs = 0;      // channels and filters per group
  int64_t in_block = 1, out_block = 1;  // block sizes of data and result

  bool depthwise() const {
    return inputs == 1 && outputs == 1 && in_block == out_block;
  }
  // Returns the number of neighbouring filters of a block that are computed as
  // one vector: all of them for depthwise convolutions, otherwise those that
  // belong to the same group.
  int64_t lanes() const;
  // Returns the number of blocks of the result per group, or 1 if a block
  // consists of several groups.
  int64_t blocks() const;

  // Returns the channel that a filter reads in one step of the reduction over
  // the channels of its group. The arguments and the result are pairs of a
  // block and an index in this block:
  //   - (oc_o, oc_i) is the filter; oc_o is a block of the result;
  //   - (ic_o, ic_i) is the step; ic_o is the index of a block within the
  //     group;
  //   - the returned pair is the channel, in a block of the data.
  std::pair<expr::Expr, expr::Expr> Channel(const expr::Expr& oc_o,
                                            const expr::Expr& oc_i,
                                            const expr::Expr& ic_o,
                                            const expr::Expr& ic_i) const;
};

// Returns the groups of `op`, a blocked conv2d or conv2d_transpose.
ChannelGroups ChannelGroupsOf(const OpInstance& op);

// The blocks of channels of the data and of the result of a convolution.
struct BlockSizes {
  int64_t in = 0, out = 0;
};

// Returns the block sizes that a direct convolution with `channels` input
// channels, `filters` filters and `groups` groups should use. Returns nullopt
// if vectors would be too short: ChannelGroups::lanes() must be a multiple of
// 4, or of the number of float lanes of the target if that is less than 4.
std::optional<BlockSizes> ChooseChannelBlocks(const target::Target& target,
                                              int64_t channels, int64_t filters,
                                              int64_t groups);

// Returns the number of channels to which data of float32 should be padded
// before a convolution without groups: `channels` if it has a block of at least
// four channels or padding would add more than an eighth, otherwise a multiple
// of eight. Data of the plain layout is copied to blocks in any case.
int64_t PaddedChannels(const target::Target& target, int64_t channels);

// Returns the number of filters to which a convolution of float32 without
// groups should be padded: a multiple of the preferred block size if that saves
// enough vectors, otherwise `filters`. `sliced` is true if the added filters
// must be removed by a copy (graph/passes/pad_channels.h); otherwise other
// operators compute and read them, too.
int64_t PaddedFilters(const target::Target& target, int64_t filters,
                      bool sliced);

// The same for convolutions of integers. Dot products in parts of vectors take
// as long as in whole ones, so unless `sliced` is true, the result is always a
// multiple of the preferred block size if it is at most twice `filters`.
int64_t PaddedIntegerFilters(const target::Target& target, int64_t filters,
                             bool sliced);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_CHANNEL_GROUPS_H_
