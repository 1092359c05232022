// TiledMatmul: matmul and dense on a matrix unit (matrix_tile.h). The
// elements are float32, which are split in two bfloat16 parts, or bytes.
//
// The operands are packed into contiguous tiles, and float32 values are split:
//
//   a   [matrix, 16 rows, k / depth, part, 16, depth]
//   b   [matrix, 16 columns, k / depth, part, 16, 16], with neighbours of a
//       column in each int32
//
// Rows of bytes are read where they are if the sizes are multiples of those of
// a tile. Blocks of rows and columns that fit in the L2 cache together are
// multiplied in register tiles of mr / 16 x nr / 16 accumulators. If the result
// consists of whole blocks and nothing is computed from it, accumulators are
// stored where it is. The reduction is not divided into blocks: the unit is so
// fast that adding partial sums in memory would take longer than reading the
// factors from the L2 cache.
//
// The parallel loop runs over groups of blocks of rows, and over blocks of
// columns. By default, each thread packs the columns that it multiplies: data
// that another thread has written take longer to read than to pack again. For
// the same reason, threads share neither columns nor rows of the result as long
// as there are enough rows.
//
// A constant second operand is packed in panels at compile time:
//
//   float32   [n / 16, k / 32, part, 16, 16, 2], bfloat16
//   bytes     [n / 16, k / 4, 16, 4], where the length of k is padded to a
//             multiple of 64
#ifndef ASSAY_COMPILER_OPS_MATMUL_TILED_MATMUL_H_
#define ASSAY_COMPILER_OPS_MATMUL_TILED_MATMUL_H_

#include <optional>

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Products with fewer rows do not fill a tile.
constexpr int64_t kMinTiledRows = 16;

// Return true for products of at least kMinTiledRows rows if the target has a
// matrix unit for the types of the operands.
bool SplitMatmulApplies(const OpInstance& op, const target::Target& target);
bool TiledIntegerMatmulApplies(const OpInstance& op,
                               const target::Target& target);

// Returns the space of these knobs:
//
// - mr, nr: number of rows and columns of a register tile.
// - mc, nc: number of register tiles in a block of rows and of columns.
// - mg: number of blocks of rows in a group.
// - share_columns: 1 if all columns are packed before the products begin, 0 if
//   each group packs its columns.
ConfigSpace TiledMatmulSpace(const OpInstance& op,
                             const target::Target& target);
Config DefaultTiledMatmulConfig(const OpInstance& op,
                                const target::Target& target);
// Returns the modelled time of products, packing and memory traffic in seconds.
double TiledMatmulSeconds(const OpInstance& op, const target::Target& target,
                          const Config& config);

// Returns the panels in which the constant second operand of a product of
// float32 should be stored as split numbers, or none if the elements have
// another type, if the product has too few rows or too many elements for 32-bit
// indices, or if the target has no matrix unit for them. The operands of `op`
// are plain.
std::vector<graph::Encoding> SplitPanels(const OpInstance& op,
                                         const target::Target& target);
// The same for the panels of a product of bytes.
std::vector<graph::Encoding> TiledIntegerPanels(const OpInstance& op,
                                                const target::Target& target);

// Returns the product, a tensor with tag "matmul".
te::Tensor TiledMatmul(const OpInstance& op, const Operands& in,
                       const target::Target& target, const Config& config);

// Schedules a kernel whose anchor is `matmul` (from TiledMatmul) and whose
// result is `output`: `matmul` itself or an elementwise function of it.
void ScheduleTiledMatmul(schedule::Schedule& s, const OpInstance& op,
                         const te::Tensor& matmul, const te::Tensor& output,
                         const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_TILED_MATMUL_H_
