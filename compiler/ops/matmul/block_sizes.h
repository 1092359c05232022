// The block sizes of a blocked matrix product (blocked_products.h): the
// register tile mr x nr; mc panels of rows and nc panels of columns; kc steps
// of the reduction; and `parallel`: the threads divide blocks of rows, which
// share the packed panels, or blocks of columns, each with its own panels, or
// whole matrices.
#ifndef ASSAY_COMPILER_OPS_MATMUL_BLOCK_SIZES_H_
#define ASSAY_COMPILER_OPS_MATMUL_BLOCK_SIZES_H_

#include <cstdint>
#include <optional>

#include "compiler/graph/passes/pack_dense.h"
#include "compiler/ops/config_space.h"
#include "compiler/ops/matmul/packing.h"
#include "compiler/target/target.h"

namespace assay::ops {

// Packing does not pay below these sizes.
constexpr int64_t kMinRows = 8, kMinSteps = 8;

// The values of `parallel`.
constexpr int64_t kOverRows = 0, kOverColumns = 1, kOverMatrices = 2;

// For packed values of `bytes` bytes that are multiplied `depth` steps at a
// time; kc is a multiple of `depth`. A panel of columns fills the L1 cache: the
// deeper it is, the less often the result is read and written, and the rows
// that are multiplied by it arrive from the L2 cache in time. A block of rows
// takes at most three eighths of the L2 cache and has no more rows than the TLB
// covers; a block of columns takes a quarter of the L3 cache.
Config DefaultBlocks(const MatmulSizes& sizes, const target::Target& target,
                     int64_t bytes, int64_t depth);

// The panels into which DefaultBlocks packs a float32 operand [k, n], for
// packing a constant at compile time; nullopt if packing does not pay.
std::optional<graph::DensePanels> PanelsFor(const target::Target& target,
                                            int64_t m, int64_t n, int64_t k);

// Returns true if 32-bit indices suffice for the partial sums of all tiles and
// blocks of the reduction.
bool TilesFitIndices(const MatmulSizes& sizes, const Config& blocks);

// The space of block sizes, which contains `base`.
ConfigSpace BlockSpace(const MatmulSizes& sizes, const target::Target& target,
                       const Config& base, int64_t depth);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_BLOCK_SIZES_H_
