// BlockedProducts: products of large float matrices, blocked for three levels
// of cache. Source: K. Goto and R. van de Geijn, "Anatomy of High-Performance
// Matrix Multiplication", 2008. The loops are:
//
//   for each matrix, each block of columns, each block of kc steps of k:
//     pack the block of b into panels of nr columns   stays in the L3 cache
//     for each block of rows:
//       pack the block of a into panels of mr rows    stays in the L2 cache
//       for each panel of b (stays in the L1 cache):
//         for each panel of a:
//           register tile mr x nr (register_tile.h): sum over kc, added to y
//
// The knob `parallel` (block_sizes.h) selects the loop that is divided among
// the threads: the matrices, the blocks of columns, or the blocks of rows. In
// the last case the packing of b is also divided among the threads.
//
// Fewer than kMinRows rows are multiplied by packed columns in one block of k.
// The products are then no sums of their own, and operators that read them can
// be computed with each register tile.
//
// Packing makes the loads of the innermost loop contiguous and converts float16
// and bfloat16 to the type of the result. The elements of the operands are
// expressions (MatrixStack), so operators that compute an operand are evaluated
// during packing and need no pass over memory of their own.
#ifndef ASSAY_COMPILER_OPS_MATMUL_BLOCKED_PRODUCTS_H_
#define ASSAY_COMPILER_OPS_MATMUL_BLOCKED_PRODUCTS_H_

#include <string>

#include "compiler/ops/config.h"
#include "compiler/ops/matmul/packing.h"
#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// The cost model assumes that the products run at this percentage of the peak
// number of operations per second of the target.
constexpr int kBlockedPercent = 85;

// Multiplies each matrix of `a` by the corresponding matrix of `b`. Returns the
// products as one tensor y[…, m, n] with the shape `shape` and the tag `tag`.
// The leading axes of `shape` enumerate the matrices. mr, nr and kc are taken
// from `config` (see DefaultBlocks).
te::Tensor BlockedProducts(const Shape& shape, DType type, const MatrixStack& a,
                           const MatrixStack& b, const Config& config,
                           const std::string& tag);

// Like BlockedProducts, but for a single matrix b, which has already been
// packed. `panels` is the packed matrix and has the shape
// [number of panels, length, nr].
te::Tensor BlockedProduct(const Shape& shape, DType type, const MatrixStack& a,
                          const te::Tensor& panels, const Config& config,
                          const std::string& tag);

// Schedules `products`, which must be a stage at the root, and the stages that
// it reads: the packed operands (tags "matmul.a" and "matmul.b") and the
// register tiles (tag "matmul.tile"). Stages that compute the operands must
// have been inlined. If the products are no sums, `products` may also be an
// elementwise function of them, into which they have been inlined.
void ScheduleBlockedProducts(schedule::Schedule& s, const te::Tensor& products,
                             const target::Target& target,
                             const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_BLOCKED_PRODUCTS_H_
