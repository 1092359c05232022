// The blocked product of two matrices of int8, uint8 or int16 with int32 sums:
// the loops of blocked_products.h around the register tile of dot_tile.h.
//
// Columns are packed with `depth` neighbours along the reduction in one int32,
// so one load of the tile brings a vector of them, and four or two values of a
// row, which lie side by side anyway, are broadcast as one. Where the target
// multiplies int16, bytes are widened while they are packed: exact, and no work
// in the tile.
//
// Where the whole reduction fits one block the tile's sums go straight into
// what follows (bias, requantisation); longer ones are added up in memory.
#ifndef ASSAY_COMPILER_OPS_MATMUL_INTEGER_MATMUL_H_
#define ASSAY_COMPILER_OPS_MATMUL_INTEGER_MATMUL_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Two matrices of integers, with enough work to pay for packing.
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
