// The block sizes of a blocked matrix product (blocked_products.h). They are
// the knobs of a Config:
//
// - mr, nr: number of rows and columns of a register tile.
// - mc: number of panels of mr rows in a block of rows.
// - nc: number of panels of nr columns in a block of columns.
// - kc: number of steps of the reduction in a block.
// - parallel: the loop that is divided among the threads. The values are
//     kOverRows      the loop over blocks of rows; all threads share the
//                    packed columns
//     kOverColumns   the loop over blocks of columns; each thread packs its
//                    own columns
//     kOverMatrices  the loop over whole matrices
#ifndef ASSAY_COMPILER_OPS_MATMUL_BLOCK_SIZES_H_
#define ASSAY_COMPILER_OPS_MATMUL_BLOCK_SIZES_H_

#include <cstdint>
#include <optional>

#include "compiler/ops/config_space.h"
#include "compiler/ops/matmul/packing.h"
#include "compiler/target/target.h"

namespace assay::ops {

// Packing is profitable only if the reduction has at least kMinSteps steps and,
// unless the columns are constant and packed at compile time, if the product
// has at least kMinRows rows.
constexpr int64_t kMinRows = 8, kMinSteps = 8;

// The possible widths of a panel of columns in vectors. They are powers of two,
// because code generators split other widths lane by lane.
constexpr int64_t kPanelVectors[] = {1, 2, 4, 8};

// The values of `parallel`.
constexpr int64_t kOverRows = 0, kOverColumns = 1, kOverMatrices = 2;

// Returns the block sizes that the operators use by default. Each packed value
// has `bytes` bytes. One instruction computes `depth` steps of the reduction,
// so kc is a multiple of `depth`.
//
// - A panel of columns fills the L1 cache. The larger kc is, the less often the
//   result is read and written. Rows are loaded from the L2 cache, which is
//   fast enough.
// - A block of rows uses at most three eighths of the L2 cache. It has no more
//   rows than the TLB covers, because each row of the result is in a different
//   page.
// - A block of columns uses at most a quarter of the L3 cache.
// - Fewer than kMinRows rows read each element of the columns only once. They
//   are multiplied by wide panels over the whole length of the reduction.
Config DefaultBlocks(const MatmulSizes& sizes, const target::Target& target,
                     int64_t bytes, int64_t depth);

// Returns the panels in which the constant second operand of a product of
// float32 should be stored. They match the block sizes that DefaultBlocks
// returns. Returns none if the elements have another type or if panels are not
// profitable. The operands of `op` are plain.
std::vector<graph::Encoding> FloatPanels(const OpInstance& op,
                                         const target::Target& target);

// The same for a product of bytes. Returns none also if the target has no
// dot products (dot_tile.h).
std::vector<graph::Encoding> IntegerPanels(const OpInstance& op,
                                           const target::Target& target);

// Returns true if 32-bit indices suffice for the partial sums of all register
// tiles and all blocks of the reduction.
bool TilesFitIndices(const MatmulSizes& sizes, const Config& blocks);

// Returns a space of block sizes that contains `base`. In all configurations of
// the space, kc is a multiple of `depth`.
ConfigSpace BlockSpace(const MatmulSizes& sizes, const target::Target& target,
                       const Config& base, int64_t depth);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_BLOCK_SIZES_H_
