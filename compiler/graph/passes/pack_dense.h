// pack_dense: stores the weights of matrix products in the order in which a
// blocked product reads them.
//
//   %2 = dense(%x, %w)      %3 = panels of %w: pad, reshape, transpose
//                           %2 = packed_dense(%x, %3)
//
// The pass applies to products of float32 or of bytes with constant weights: to
// `dense`, and to `matmul` if its second operand is a single matrix. The first
// operand of a `matmul` is reshaped to a matrix, in which all leading axes are
// merged into the rows. A `matmul` of float32 for which packing is not
// worthwhile becomes a `dense`, whose weights are contiguous along the
// reduction. The pass must run before fold_constants, which evaluates the
// operators that pack the weights.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_PACK_DENSE_H_
#define ASSAY_COMPILER_GRAPH_PASSES_PACK_DENSE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "compiler/graph/passes/pass.h"
#include "runtime/base/dtype.h"

namespace assay::graph {

// The size of the panels. A panel is a group of adjacent columns of the weights
// [depth, units]. The panels are stored one after another.
struct DensePanels {
  int64_t width = 0;  // number of columns of a panel
  // Length of a column. It is at least the length of the reduction; the rest of
  // the column is padding.
  int64_t depth = 0;
  // For integers: the number of neighbours of a column that are stored next to
  // each other, which divides `depth`, and the type of the packed weights.
  int64_t factors = 1;
  DType weight_type;
  // 2 if float32 weights are split in parts (split_bfloat16). They are then
  // stored as [panels, depth / 32, part, 16, width, 2], the tiles of a matrix
  // unit, and `depth` is a multiple of 32.
  int64_t bfloat16_parts = 0;
};

// A product [rows, depth] x [depth, units] of elements of types `data` and
// `weights`.
struct DenseProduct {
  int64_t rows = 0, units = 0, depth = 0;
  DType data, weights;
};

// Returns the size of the panels for a product, or nullopt if packing is not
// worthwhile. If it returns nullopt, a `dense` and a product of bytes are not
// changed, and a `matmul` of float32 becomes a `dense`.
using ChoosePanels =
    std::function<std::optional<DensePanels>(const DenseProduct& product)>;

class PackDense : public Pass {
 public:
  static constexpr char kName[] = "pack_dense";
  // If `choose` is null, the pass changes nothing.
  explicit PackDense(ChoosePanels choose) : choose_(std::move(choose)) {}
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;

 private:
  ChoosePanels choose_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_PACK_DENSE_H_
