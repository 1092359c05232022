// The blocked product of two matrices of int8, uint8 or int16 with int32
// accumulators: the loops of blocked_products.h around the register tile of
// dot_tile.h.
//
// Columns are packed with `depth` neighbours along the reduction in one int32,
// so that one load of the tile reads a vector of them; `depth` neighbouring
// values of a row, which are contiguous, are broadcast as one int32. If the
// target multiplies int16, bytes are widened while they are packed, which is
// exact and adds no work to the tile.
//
// If the whole reduction fits one block, the epilogue (bias, requantisation) is
// applied to the accumulators of the tile; otherwise partial sums are added in
// memory.
#ifndef ASSAY_COMPILER_OPS_MATMUL_INTEGER_MATMUL_H_
#define ASSAY_COMPILER_OPS_MATMUL_INTEGER_MATMUL_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Applies to two integer matrices with enough work to pay for packing.
bool IntegerMatmulApplies(const OpInstance& op, const target::Target& target);
// The knobs of BlockedMatmulSpace.
ConfigSpace IntegerMatmulSpace(const OpInstance& op,
                               const target::Target& target);
Config DefaultIntegerMatmulConfig(const OpInstance& op,
                                  const target::Target& target);
te::Tensor IntegerMatmul(const OpInstance& op, const Operands& in,
                         const target::Target& target, const Config& config);
void ScheduleIntegerMatmul(schedule::Schedule& s, const OpInstance& op,
                           const te::Tensor& matmul, const te::Tensor& output,
                           const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_INTEGER_MATMUL_H_
