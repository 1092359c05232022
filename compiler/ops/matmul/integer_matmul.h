// The blocked product of two matrices of int8, uint8 or int16 with int32
// accumulators. It uses the loops of blocked_products.h and, inside the
// register tile, the dot products of dot_tile.h.
//
// Let `depth` be the number of products that a dot product adds to each
// accumulator (DotTile::depth). If `depth` is greater than 1, each int32 of the
// packed columns holds `depth` elements of one column, which are neighbours
// along the reduction. A vector load therefore reads `depth` elements of each
// of several columns. In the packed rows, `depth` neighbours along the
// reduction are contiguous, and they are broadcast as one int32. If the dot
// products multiply int16, bytes are widened while they are packed. Widening is
// exact and adds no work to the register tile.
//
// If the reduction has a single block, the epilogue (bias, requantization) is
// applied to the accumulators of the register tile. Otherwise partial sums are
// added in memory.
#ifndef ASSAY_COMPILER_OPS_MATMUL_INTEGER_MATMUL_H_
#define ASSAY_COMPILER_OPS_MATMUL_INTEGER_MATMUL_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Returns true for a product of two integer matrices that are large enough for
// packing.
bool IntegerMatmulApplies(const OpInstance& op, const target::Target& target);
// Returns BlockSpace (block_sizes.h) for `op`.
ConfigSpace IntegerMatmulSpace(const OpInstance& op,
                               const target::Target& target);
// Returns DefaultBlocks (block_sizes.h) for `op`.
Config DefaultIntegerMatmulConfig(const OpInstance& op,
                                  const target::Target& target);
// Returns the product, a tensor with tag "matmul".
te::Tensor IntegerMatmul(const OpInstance& op, const Operands& in,
                         const target::Target& target, const Config& config);
// Schedules a kernel whose anchor is `matmul` (from IntegerMatmul) and whose
// result is `output`: `matmul` itself or an elementwise function of it.
void ScheduleIntegerMatmul(schedule::Schedule& s, const OpInstance& op,
                           const te::Tensor& matmul, const te::Tensor& output,
                           const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_INTEGER_MATMUL_H_
