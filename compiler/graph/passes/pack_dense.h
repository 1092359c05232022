// pack_dense: stores the weights of matrix products in the order in which a
// blocked product reads them.
//
//   %2 = dense(%x, %w)      %3 = panels of %w: pad, reshape, transpose
//                           %2 = packed_dense(%x, %3)
//
// The pass applies to float32 products with constant weights: to `dense`, and
// to `matmul` if its second operand is a single matrix. The first operand of a
// `matmul` is reshaped to a matrix, in which all leading axes are merged into
// the rows. A `matmul` for which packing is not worthwhile becomes a `dense`,
// whose weights are contiguous along the reduction. The pass must run before
// fold_constants, which evaluates the operators that pack the weights.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_PACK_DENSE_H_
#define ASSAY_COMPILER_GRAPH_PASSES_PACK_DENSE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "compiler/graph/passes/pass.h"

namespace assay::graph {

// The size of the panels. A panel is a group of adjacent columns of the weights
// [depth, units]. The panels are stored one after another.
struct DensePanels {
  int64_t width = 0;  // number of columns of a panel
  // Length of a column. It is at least the length of the reduction; the rest of
  // the column is padding.
  int64_t depth = 0;
};

// Returns the size of the panels for a product [rows, depth] x [depth, units],
// or nullopt if packing is not worthwhile. If it returns nullopt, a `dense` is
// not changed, and a `matmul` becomes a `dense`.
using ChoosePanels = std::function<std::optional<DensePanels>(
    int64_t rows, int64_t units, int64_t depth)>;

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
