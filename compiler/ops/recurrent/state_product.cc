#include "compiler/ops/recurrent/state_product.h"

#include <algorithm>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/config_space.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/schedule_generic.h"

namespace assay::ops {
namespace {

using expr::Expr;

// Units of the state in one iteration of the loop over them.
constexpr int64_t kUnitsAtOnce = 4;

// The number of registers for accumulators and weights. The others hold the
// broadcast elements of the state.
int64_t Registers(const target::Target& target) {
  return target.vector_registers() - 2;
}

// The vectors for each group of lanes in a tile. The weights of all gates stay
// in registers while they are multiplied with several rows. Those for a single
// row are operands in memory.
int64_t VectorsOf(int64_t rows, int64_t gates) {
  return gates * (rows > 1 ? rows + 1 : 1);
}

// Emits statements for all sums of a tile.
class Product {
 public:
  Product(te::Extern& e, const ProductTile& tile, DType dtype)
      : e_(e),
        tile_(tile),
        sums_(e.Local(dtype, {tile.parts, tile.rows, tile.gates, tile.lanes},
                      "sums")) {}

  const te::Array& sums() const { return sums_; }

  // Sets the sums of a part to `value`, whose arguments are the old sum, the
  // row, the gate and the lane.
  void Set(int64_t part, const std::function<Expr(const Expr&, int64_t, int64_t,
                                                  const Expr&)>& value) {
    e_.Vectorized("lane", AsInt(tile_.lanes), [&](const Expr& lane) {
      for (int64_t row = 0; row < tile_.rows; ++row) {
        for (int64_t gate = 0; gate < tile_.gates; ++gate) {
          const std::vector<Expr> at = At(part, row, gate, lane);
          sums_.Set(at, value(sums_(at), row, gate, lane));
        }
      }
    });
  }

  // Adds the upper half of `parts` parts to the lower half.
  void AddUpperHalf(int64_t parts) {
    for (int64_t part = 0; part < parts / 2; ++part) {
      Set(part,
          [&](const Expr& sum, int64_t row, int64_t gate, const Expr& lane) {
            return sum + sums_(At(part + parts / 2, row, gate, lane));
          });
    }
  }

 private:
  static std::vector<Expr> At(int64_t part, int64_t row, int64_t gate,
                              const Expr& lane) {
    return {AsInt(part), AsInt(row), AsInt(gate), lane};
  }

  te::Extern& e_;
  const ProductTile& tile_;
  const te::Array sums_;
};

}  // namespace

RecurrentSizes RecurrentSizesOf(const OpInstance& op) {
  const Shape& x = op.inputs[0].shape;
  return {x[0], x[1], x[2], x[3], x[4], x[5], op.output.shape[3]};
}

int64_t LanesOf(DType dtype, const target::Target& target) {
  return std::max<int64_t>(1, FloatLanes(target) * 32 / dtype.bits());
}

int64_t MaxTileRows(int64_t gates, const target::Target& target) {
  constexpr int64_t kMaxRows = 6;
  return std::clamp<int64_t>(Registers(target) / gates - 1, 1, kMaxRows);
}

int64_t TileRows(int64_t batch, int64_t gates, const target::Target& target) {
  return CeilDiv(batch, CeilDiv(batch, MaxTileRows(gates, target)));
}

void ChooseLanes(ProductTile& tile, int64_t units, DType dtype,
                 const target::Target& target) {
  // Accumulators that hide the latency of multiply-adds.
  constexpr int64_t kEnough = 8;
  const int64_t lanes = LanesOf(dtype, target);
  const int64_t groups = std::max<int64_t>(
      1, Registers(target) / VectorsOf(tile.rows, tile.gates));
  tile.lanes = LargestDivisor(units, lanes * groups);
  const int64_t sums = tile.gates * tile.rows;
  const int64_t accumulators = CeilDiv(tile.lanes, lanes) * sums;
  tile.parts = 1;
  while (tile.parts < kUnitsAtOnce && accumulators * tile.parts < kEnough) {
    tile.parts *= 2;
  }
}

te::Array EmitStateProduct(te::Extern& e, const ProductTile& tile, DType dtype,
                           const AddProduct& add_product) {
  Product product(e, tile, dtype);
  for (int64_t part = 0; part < tile.parts; ++part) {
    product.Set(part, [&](const Expr&, int64_t, int64_t, const Expr&) {
      return expr::Const(dtype, 0);
    });
  }
  const auto add = [&](const Expr& k, int64_t part) {
    product.Set(part, [&](const Expr& sum, int64_t row, int64_t gate,
                          const Expr& lane) {
      return add_product(sum, row, gate, k, lane);
    });
  };
  const int64_t whole = tile.depth / kUnitsAtOnce;
  e.For("k", 0, AsInt(whole), [&](const Expr& k) {
    for (int64_t j = 0; j < kUnitsAtOnce; ++j) {
      add(k * AsInt(kUnitsAtOnce) + AsInt(j), j % tile.parts);
    }
  });
  for (int64_t k = whole * kUnitsAtOnce; k < tile.depth; ++k) {
    add(AsInt(k), k % tile.parts);
  }
  for (int64_t parts = tile.parts; parts > 1; parts /= 2) {
    product.AddUpperHalf(parts);
  }
  return product.sums();
}

}  // namespace assay::ops
