// PanelProduct: the products of the states of a few sequences with the weights
// of one panel, in a step of a recurrence (recurrent_loops.h).
//
// All gates of a unit are needed at once, to compute its next state. There are
// two ways to get there:
//   - All gates are multiplied together, and their sums stay in registers. The
//     more gates, the fewer sequences fit in the registers.
//   - If too few would fit, the gates are multiplied one after the other, with
//     more sequences, and their sums are stored on the stack. Otherwise the
//     weights, which are larger than the first-level cache, would be read again
//     for each few sequences, or for each few units of a cache line.
#ifndef ASSAY_COMPILER_OPS_RECURRENT_PANEL_PRODUCT_H_
#define ASSAY_COMPILER_OPS_RECURRENT_PANEL_PRODUCT_H_

#include <cstdint>
#include <functional>

#include "compiler/ops/recurrent/state_product.h"
#include "compiler/target/target.h"
#include "compiler/te/extern.h"

namespace assay::ops {

// Gates [first, first + count) of a cell.
struct GateRange {
  int64_t first, count;
};

// Returns element `k` of the state of sequence `row`. In a quantized product,
// it is a word of four bytes.
using StateElement =
    std::function<expr::Expr(const expr::Expr& row, const expr::Expr& k)>;

// The tiles into which the sequences are divided.
struct Tiles {
  bool by_gate = false;  // one gate after the other
  int64_t rows = 1;      // of a full tile
};
Tiles TilesOf(const RecurrentSizes& sizes, const target::Target& target);

// Returns the number of threads that are useful for the sequences of a
// direction.
int64_t ThreadsOfDirection(const RecurrentSizes& sizes,
                           const target::Target& target);

class PanelProduct {
 public:
  struct Panel {
    expr::Expr direction, panel;
    GateRange gates;
    StateElement state;
  };
  // The sum of the products of a gate of the cell.
  using Sum = std::function<expr::Expr(int64_t gate)>;
  // Emits the statements that use the sums of unit `in_panel` of sequence
  // `row`. Called inside a vectorized loop over units.
  using Use = std::function<void(const expr::Expr& row,
                                 const expr::Expr& in_panel, const Sum& sum)>;

  // `weights` [directions, panels, gates, depth, units] is an operand of `e`.
  // If its elements are words of four bytes, sums are int32, and otherwise they
  // have the type `dtype`. All arguments must outlive this object.
  PanelProduct(te::Extern& e, const RecurrentSizes& sizes,
               const target::Target& target, const te::Array& weights,
               DType dtype);

  // Emits the product of `rows` sequences from `first`, and for each unit what
  // `use` emits.
  void Emit(const Panel& panel, const expr::Expr& first, int64_t rows,
            const Use& use);

 private:
  void EmitTogether(const Panel& panel, const expr::Expr& first, int64_t rows,
                    const Use& use);
  void EmitByGate(const Panel& panel, const expr::Expr& first, int64_t rows,
                  const Use& use);
  ProductTile TileOf(int64_t rows, int64_t gates) const;
  te::Array Multiply(const Panel& panel, const ProductTile& tile,
                     const expr::Expr& first, const expr::Expr& gate,
                     const expr::Expr& block);

  te::Extern& e_;
  const RecurrentSizes& sizes_;
  const target::Target& target_;
  const te::Array& weights_;
  const DType dtype_, sum_type_;
  const bool by_gate_;
};

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_RECURRENT_PANEL_PRODUCT_H_
