// The product of states with weights in a step of a recurrence: its tiles, and
// the loop over the units of the state.
#ifndef ASSAY_COMPILER_OPS_RECURRENT_STATE_PRODUCT_H_
#define ASSAY_COMPILER_OPS_RECURRENT_STATE_PRODUCT_H_

#include <cstdint>
#include <functional>

#include "compiler/ops/op_instance.h"
#include "compiler/target/target.h"
#include "compiler/te/extern.h"

namespace assay::ops {

// The extents of a recurrence.
struct RecurrentSizes {
  int64_t steps, batch, directions, panels, gates, units, hidden;
};
RecurrentSizes RecurrentSizesOf(const OpInstance& op);

// Sums of `rows` sequences, `gates` gates and `lanes` neighbouring units. Each
// sum has `depth` products.
struct ProductTile {
  int64_t rows = 1, gates = 1, lanes = 1, depth = 1;
  // Each sum is accumulated in so many parts, because a multiply-add must wait
  // for the one before it that adds to the same accumulator.
  int64_t parts = 1;
};

// Returns the number of elements of type `dtype` in a vector of the target.
int64_t LanesOf(DType dtype, const target::Target& target);

// Returns how many sequences a tile of `gates` gates can have.
int64_t MaxTileRows(int64_t gates, const target::Target& target);

// Returns the number of sequences in a tile of `gates` gates. There are `batch`
// sequences, and the tiles have about equal numbers of them.
int64_t TileRows(int64_t batch, int64_t gates, const target::Target& target);

// Sets the lanes and the parts of `tile` so that the accumulators fit in the
// registers. The number of lanes divides `units`.
void ChooseLanes(ProductTile& tile, int64_t units, DType dtype,
                 const target::Target& target);

// Returns `sum`, plus product `k` of the sum of a row, a gate and a lane.
using AddProduct =
    std::function<expr::Expr(const expr::Expr& sum, int64_t row, int64_t gate,
                             const expr::Expr& k, const expr::Expr& lane)>;

// Emits the loops that compute the sums, whose type is `dtype`. Returns an
// array [parts, rows, gates, lanes] with the sums in part 0.
te::Array EmitStateProduct(te::Extern& e, const ProductTile& tile, DType dtype,
                           const AddProduct& add_product);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_RECURRENT_STATE_PRODUCT_H_
