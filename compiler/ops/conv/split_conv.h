// SplitConv2d: blocked convolution of float32 on a matrix unit. Numbers are
// split in two bfloat16 parts (matrix_tile.h).
//
//   data    [N, C/ib, H, W, ib]
//   weights [O/16, C/32, KH, KW, part, 16, 16, 2]   bfloat16
//   result  [N, O/16, OH, OW, 16]
//
// The rows of the result are divided into chunks of `rows` rows. The stages
// are:
//
//   data    the padded and split data of a chunk,
//           [N, chunk, C/32, part, phase of row, phase of column, row,
//           column, 32]
//   tile    the sums, [N, chunk, group of filters, tiles_oc, register tile,
//           tiles_p, 16 positions, 16 filters]
//   conv2d  the result, assembled from the tiles
//
// If there are few channels, the columns of the filter are stored like channels
// (SplitFilters::columns): each position of the data holds the channels
// of all columns, and the window has one column.
//
// Register tiles enumerate the positions of a chunk in row-major order. For
// each row, they contain some positions more than the result, those of the
// padding, so that moving the window by a tap moves all positions by the same
// distance: 16 consecutive positions are one tile of the matrix unit, for each
// tap. If the strides are greater than 1, rows and columns of the data whose
// indices have the same remainder (phase) are stored together, so that
// positions are consecutive again.
#ifndef ASSAY_COMPILER_OPS_CONV_SPLIT_CONV_H_
#define ASSAY_COMPILER_OPS_CONV_SPLIT_CONV_H_

#include <vector>

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Returns true if the weights of `op` are split and the target has a matrix
// unit.
bool SplitConvApplies(const OpInstance& op, const target::Target& target);

// Returns the encoding for float32 weights whose data is in blocks, and whose
// result is in blocks of 16, if the target has a matrix unit.
std::vector<graph::Encoding> SplitConvWeights(const OpInstance& op,
                                              const target::Target& target);

// Returns the space of these knobs:
//
// - rows: number of rows of the result in a chunk.
// - tiles: number of tiles of positions (tiles_p) and of filters (tiles_oc) in
//   a register tile. Their product is the number of accumulators.
// - share_data: if 0, each chunk splits its own data, and chunks run in
//   parallel. If 1, the data of all chunks is split first, and then all pairs
//   of a chunk and a register tile of filters run in parallel.
// - prefetch: the number of steps of the reduction by which weights are
//   prefetched; 0 for none. The hardware alone loads large weights at a third
//   of the speed.
ConfigSpace SplitConvSpace(const OpInstance& op, const target::Target& target);
// Returns the fastest configuration according to SplitConvSeconds.
Config DefaultSplitConvConfig(const OpInstance& op,
                              const target::Target& target);
// Returns the modelled time of products, splitting and memory traffic in
// seconds.
double SplitConvSeconds(const OpInstance& op, const target::Target& target,
                        const Config& config);

// Returns the result of the convolution, a tensor with tag "conv2d".
te::Tensor SplitConv2d(const OpInstance& op, const Operands& in,
                       const target::Target& target, const Config& config);

// Schedules a kernel whose anchor is `conv` (from SplitConv2d) and whose result
// is `output`: `conv` itself or an elementwise function of it of the same
// shape.
void ScheduleSplitConv(schedule::Schedule& s, const OpInstance& op,
                       const te::Tensor& conv, const te::Tensor& output,
                       const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_SPLIT_CONV_H_
