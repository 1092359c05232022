// conv2d: its tensor expression, its schedule on CPUs, and the choice of
// blocks and tile that the schedule is applied with.
//
// Blocked convolution (Conv2dAttrs with blocks) keeps blocks of output channels
// in the lanes of vectors and computes tile_oc such blocks of tile_ow
// neighbouring pixels of one row at a time: per input channel and tap the
// vectors of weights are loaded and each multiplied with tile_ow broadcast
// pixels into accumulators, which live in registers for the whole reduction.
// The epilogue (bias, residual, activation) is applied to the accumulators
// before the one store. Work is shared out by rows of tiles.
//
// Plain (NCHW) convolution covers what the blocked one does not: groups with
// several channels each, channel counts without a useful divisor, and weights
// that are not constants.
#ifndef ASSAY_COMPILER_OPS_CONV_CONV2D_H_
#define ASSAY_COMPILER_OPS_CONV_CONV2D_H_

#include <cstdint>
#include <optional>

#include "compiler/ops/implementation.h"

namespace assay::ops {

// The result of the convolution, blocked or plain, tagged "conv2d".
te::Tensor Conv2d(const OpInstance& op, const Operands& in,
                  const target::Target& target, const Config& config);

// Channel blocks for a convolution of in_channels to out_channels channels;
// nothing where it is better left plain.
struct Conv2dBlocks {
  int64_t in_block = 0;
  int64_t out_block = 0;
};
std::optional<Conv2dBlocks> ChooseConv2dBlocks(const target::Target& target,
                                               int64_t in_channels,
                                               int64_t out_channels,
                                               int64_t groups);

// How many filters a convolution without groups and with `filters` of them had
// better have: as many, or up to whole vectors where there is no useful
// divisor.
int64_t PaddedFilters(const target::Target& target, int64_t filters);

// Blocked, and neither depthwise nor by Winograd's algorithm.
bool Conv2dApplies(const OpInstance& op, const target::Target& target);

// What the schedule of a blocked convolution leaves to choose: `tile_ow`, how
// many pixels of a row a tile has (a tile need not divide the row), `tile_oc`,
// how many blocks of output channels, and `inline_pad`, whether the padding is
// a condition in the loops or written to memory first.
ConfigSpace Conv2dSpace(const OpInstance& op, const target::Target& target);

// Of Conv2dSpace: the widths that a tile may have.
SplitOptions TileColumns(const OpInstance& op, const target::Target& target);

// The tile with the fewest cycles for a row by register_tile.h.
Config DefaultConv2dConfig(const OpInstance& op, const target::Target& target);

// The longer of the register tiles' cycles and of moving data, weights and
// result once.
double Conv2dSeconds(const OpInstance& op, const target::Target& target,
                     const Config& config);

// Tiles `output` by `tile_ow` and `tile_oc` and gives back the stage that
// accumulates, inside the tile, whose own loops are still as they were.
schedule::Stage& TileConv2d(schedule::Schedule& s, const te::Tensor& conv,
                            const te::Tensor& output, const Config& config);

// Schedules a kernel whose anchor is `conv` (from Conv2d, blocked) and whose
// result is `output`: conv itself or an element-wise function of it of the same
// shape.
void ScheduleConv2d(schedule::Schedule& s, const te::Tensor& conv,
                    const te::Tensor& output, const target::Target& target,
                    const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_CONV2D_H_
