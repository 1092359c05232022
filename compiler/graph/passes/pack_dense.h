// pack_dense: puts the weights of matrix products into the order in which a
// blocked product reads them, once, at compile time.
//
//   %2 = dense(%x, %w)      %3 = panels of %w: pad, reshape, transpose
//                           %2 = packed_dense(%x, %3)
//
// Of `dense`, and of `matmul` by one matrix, whose rows are taken together;
// only of float32 with constant weights. A `matmul` that is not packed, having
// few rows, becomes `dense`, whose weights lie along the reduction. Must run
// before fold_constants, which evaluates the packing.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_PACK_DENSE_H_
#define ASSAY_COMPILER_GRAPH_PASSES_PACK_DENSE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "compiler/graph/passes/pass.h"

namespace assay::graph {

struct DensePanels {
  // How many columns stand side by side, and the length of each, at least that
  // of the reduction.
  int64_t width = 0, depth = 0;
};

// For a product [rows, depth] x [depth, units]; nothing keeps it as it is.
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
