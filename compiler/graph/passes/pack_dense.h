// pack_dense: stores the weights of matrix products in the order in which a
// blocked product reads them.
//
//   %2 = dense(%x, %w)      %3 = panels of %w: pad, reshape, transpose
//                           %2 = packed_dense(%x, %3)
//
// Applies to float32 products with constant weights: to `dense`, and to
// `matmul` by one matrix, whose leading axes are merged into rows. A `matmul`
// with too few rows for packing becomes `dense`, whose weights are contiguous
// along the reduction. Must run before fold_constants, which evaluates the
// packing.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_PACK_DENSE_H_
#define ASSAY_COMPILER_GRAPH_PASSES_PACK_DENSE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "compiler/graph/passes/pass.h"

namespace assay::graph {

struct DensePanels {
  int64_t width = 0;  // columns of a panel
  // Length of a column: at least that of the reduction, the rest is padding.
  int64_t depth = 0;
};

// The panels for a product [rows, depth] x [depth, units]; nullopt keeps the
// product as it is.
using ChoosePanels = std::function<std::optional<DensePanels>(
    int64_t rows, int64_t units, int64_t depth)>;

class PackDense : public Pass {
 public:
  static constexpr char kName[] = "pack_dense";
  // Null keeps every product.
  explicit PackDense(ChoosePanels choose) : choose_(std::move(choose)) {}
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;

 private:
  ChoosePanels choose_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_PACK_DENSE_H_
