// BlockedProducts: products of large float matrices, blocked for three levels
// of cache as K. Goto and R. van de Geijn describe in "Anatomy of
// High-Performance Matrix Multiplication", 2008:
//
//   for matrices of the stack, columns in steps of nc, k in steps of kc:
//     pack b[kc, nc] into panels of nr columns        stays in L3
//     for rows in steps of mc:
//       pack a[mc, kc] into panels of mr rows         stays in L2
//       for panels of b (each stays in L1), for panels of a:
//         register tile mr x nr (register_tile.h): sum over kc, added to y
//
// The threads divide the matrices; or the columns, where each packs its part of
// b; or the packing of b and then the rows (`parallel` in block_sizes.h).
//
// Packing makes the loads of the innermost loop contiguous and converts float16
// and bfloat16 to float32. It reads the operands as expressions (MatrixStack),
// so that producers of the operands are computed without a pass of their own.
#ifndef ASSAY_COMPILER_OPS_MATMUL_BLOCKED_PRODUCTS_H_
#define ASSAY_COMPILER_OPS_MATMUL_BLOCKED_PRODUCTS_H_

#include <string>

#include "compiler/ops/config.h"
#include "compiler/ops/matmul/packing.h"
#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// Percentage of the peak that the cost model assumes.
constexpr int kBlockedPercent = 85;

// The products y[…, m, n] of shape `shape`, whose leading axes count the
// matrices, tagged `tag`. mr, nr and kc are those of `config` (DefaultBlocks).
te::Tensor BlockedProducts(const Shape& shape, DType type, const MatrixStack& a,
                           const MatrixStack& b, const Config& config,
                           const std::string& tag);

// The same for one matrix b that is given as panels [n / nr, k, nr].
te::Tensor BlockedProduct(const Shape& shape, DType type, const MatrixStack& a,
                          const te::Tensor& panels, const Config& config,
                          const std::string& tag);

// Schedules `products`, a stage at root, and the stages that it reads: the
// packed operands ("matmul.a", "matmul.b") and the tiles ("matmul.tile"). The
// stages that the packing reads must have been inlined.
void ScheduleBlockedProducts(schedule::Schedule& s, const te::Tensor& products,
                             const target::Target& target,
                             const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_BLOCKED_PRODUCTS_H_
