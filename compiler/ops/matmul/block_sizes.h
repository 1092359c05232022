// How large the blocks of a blocked matrix product are (blocked_products.h):
// the register tile, mr x nr; mc panels of rows and nc of columns; kc steps of
// the reduction; and what runs in `parallel`: blocks of rows, which share the
// panels, blocks of columns, each with panels of its own, or whole matrices.
#ifndef ASSAY_COMPILER_OPS_MATMUL_BLOCK_SIZES_H_
#define ASSAY_COMPILER_OPS_MATMUL_BLOCK_SIZES_H_

#include <cstdint>
#include <optional>

#include "compiler/ops/config_space.h"
#include "compiler/ops/matmul/packing.h"
#include "compiler/target/target.h"

namespace assay::ops {

// Below these, packing does not pay.
constexpr int64_t kMinRows = 8, kMinSteps = 8;

// What `parallel` may be.
constexpr int64_t kOverRows = 0, kOverColumns = 1, kOverMatrices = 2;

// Of packed values of `bytes` bytes, multiplied `depth` steps at a time, which
// divides kc. A panel of columns fills the first cache: the deeper it is, the
// less often the result is read and written, and rows that pass it come from
// the second in time. A block of rows takes at most three eighths of the second
// cache and no more rows than a TLB reaches, a block of columns a quarter of
// the third.
Config DefaultBlocks(const MatmulSizes& sizes, const target::Target& target,
                     int64_t bytes, int64_t depth);

// Panels of the second operand: columns each has, and their length, whose last
// part may be padding.
struct PanelShape {
  int64_t width = 0, depth = 0;
};

// The panels that DefaultBlocks of float32 makes of a second operand [k, n],
// for packing it ahead; nothing where packing does not pay.
std::optional<PanelShape> PanelsFor(const target::Target& target, int64_t m,
                                    int64_t n, int64_t k);

// Whether the sums of all tiles, each of one block of the reduction, have
// indices of 32 bits.
bool TilesFitIndices(const MatmulSizes& sizes, const Config& blocks);

// `base` is a point of it.
ConfigSpace BlockSpace(const MatmulSizes& sizes, const target::Target& target,
                       const Config& base, int64_t depth);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_BLOCK_SIZES_H_
