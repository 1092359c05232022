#include "compiler/ops/recurrent/panel_product.h"

#include <algorithm>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/recurrent/quantized_product.h"

namespace assay::ops {

using expr::Expr;
using te::Array;

int64_t ThreadsOfDirection(const RecurrentSizes& sizes,
                           const target::Target& target) {
  // For targets whose number of cores is not known.
  constexpr int64_t kManyCores = 8;
  const int64_t cores =
      target.num_cores() > 0 ? target.num_cores() : kManyCores;
  return CeilDiv(cores, sizes.directions);
}

Tiles TilesOf(const RecurrentSizes& sizes, const target::Target& target) {
  // With fewer sequences in a tile, the weights are read too often.
  constexpr int64_t kEnoughRows = 4;
  // The sums of such a tile need a few KiB of the stack.
  constexpr int64_t kMaxRowsByGate = 24;
  const int64_t most = MaxTileRows(sizes.gates, target);
  ProductTile together = {TileRows(sizes.batch, sizes.gates, target),
                          sizes.gates};
  ChooseLanes(together, sizes.units, DType::Float32(), target);
  // Otherwise the weights are read in parts of cache lines, and each line is
  // transferred from the second-level cache for each part.
  const bool whole_lines = together.lanes == sizes.units;
  if (most >= kEnoughRows || (sizes.batch <= most && whole_lines)) {
    return {false, together.rows};
  }
  const int64_t rows =
      std::clamp(CeilDiv(sizes.batch, ThreadsOfDirection(sizes, target)),
                 MaxTileRows(/*gates=*/1, target), kMaxRowsByGate);
  return {true, CeilDiv(sizes.batch, CeilDiv(sizes.batch, rows))};
}

PanelProduct::PanelProduct(te::Extern& e, const RecurrentSizes& sizes,
                           const target::Target& target, const Array& weights,
                           DType dtype)
    : e_(e),
      sizes_(sizes),
      target_(target),
      weights_(weights),
      dtype_(dtype),
      sum_type_(weights.dtype().is_float() ? dtype : DType::Int32()),
      by_gate_(TilesOf(sizes, target).by_gate) {}

void PanelProduct::Emit(const Panel& panel, const Expr& first, int64_t rows,
                        const Use& use) {
  if (by_gate_) {
    EmitByGate(panel, first, rows, use);
  } else {
    EmitTogether(panel, first, rows, use);
  }
}

void PanelProduct::EmitTogether(const Panel& panel, const Expr& first,
                                int64_t rows, const Use& use) {
  const ProductTile tile = TileOf(rows, panel.gates.count);
  const int lanes = AsInt(tile.lanes);
  e_.For("block", 0, AsInt(sizes_.units / tile.lanes), [&](const Expr& block) {
    const Array sums =
        Multiply(panel, tile, first, AsInt(panel.gates.first), block);
    for (int64_t row = 0; row < rows; ++row) {
      e_.Vectorized("lane", lanes, [&](const Expr& lane) {
        use(first + AsInt(row), block * lanes + lane, [&](int64_t gate) {
          return sums(0, AsInt(row), AsInt(gate - panel.gates.first), lane);
        });
      });
    }
  });
}

// While a gate is multiplied with all sequences, its weights stay in the
// first-level cache.
void PanelProduct::EmitByGate(const Panel& panel, const Expr& first,
                              int64_t rows, const Use& use) {
  const ProductTile full = TileOf(TileRows(rows, /*gates=*/1, target_), 1);
  const int64_t rest = rows % full.rows;
  const Array stored =
      e_.Local(sum_type_, {panel.gates.count, rows, sizes_.units}, "stored");
  const auto multiply = [&](const ProductTile& tile, const Expr& row,
                            const Expr& gate) {
    const int lanes = AsInt(tile.lanes);
    e_.For(
        "block", 0, AsInt(sizes_.units / tile.lanes), [&](const Expr& block) {
          const Array sums = Multiply(panel, tile, first + row,
                                      AsInt(panel.gates.first) + gate, block);
          for (int64_t i = 0; i < tile.rows; ++i) {
            e_.Vectorized("lane", lanes, [&](const Expr& lane) {
              stored.Set({gate, row + AsInt(i), block * lanes + lane},
                         sums(0, AsInt(i), 0, lane));
            });
          }
        });
  };
  e_.For("gate", 0, AsInt(panel.gates.count), [&](const Expr& gate) {
    e_.For("tile", 0, AsInt(rows / full.rows), [&](const Expr& tile) {
      multiply(full, tile * AsInt(full.rows), gate);
    });
    if (rest > 0) multiply(TileOf(rest, 1), AsInt(rows - rest), gate);
  });
  const int lanes = AsInt(full.lanes);
  e_.For("row", 0, AsInt(rows), [&](const Expr& row) {
    e_.For("block", 0, AsInt(sizes_.units / full.lanes),
           [&](const Expr& block) {
             e_.Vectorized("lane", lanes, [&](const Expr& lane) {
               const Expr in_panel = block * lanes + lane;
               use(first + row, in_panel, [&](int64_t gate) {
                 return stored(AsInt(gate - panel.gates.first), row, in_panel);
               });
             });
           });
  });
}

ProductTile PanelProduct::TileOf(int64_t rows, int64_t gates) const {
  ProductTile tile = {rows, gates};
  tile.depth = weights_.shape()[3];
  ChooseLanes(tile, sizes_.units, dtype_, target_);
  return tile;
}

// Returns the sums of a tile of gates from `gate`.
Array PanelProduct::Multiply(const Panel& panel, const ProductTile& tile,
                             const Expr& first, const Expr& gate,
                             const Expr& block) {
  return EmitStateProduct(e_, tile, sum_type_,
                          [&](const Expr& sum, int64_t row, int64_t i,
                              const Expr& k, const Expr& lane) {
                            const Expr x = panel.state(first + AsInt(row), k);
                            const Expr weight = weights_(
                                panel.direction, panel.panel, gate + AsInt(i),
                                k, block * AsInt(tile.lanes) + lane);
                            return sum_type_ == dtype_
                                       ? sum + x * weight
                                       : QuantizedProduct::Add(sum, x, weight);
                          });
}

}  // namespace assay::ops
