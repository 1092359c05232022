#include "compiler/ops/matmul/integer_matmul.h"

#include <algorithm>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/ops/dot_tile.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/matmul/block_sizes.h"
#include "compiler/ops/matmul/packing.h"
#include "compiler/ops/schedule_generic.h"
#include "compiler/ops/stages.h"

namespace assay::ops {
namespace {

using expr::Expr;

const DType kInt32 = DType::Int32();

DotTile TileOf(const OpInstance& op, const target::Target& target) {
  return ChooseDotTile(target, op.stored[0].dtype, op.stored[1].dtype);
}

// Panels of `width` columns of x[k, n]:
// [1, n / width, depth / tile.depth, width].
te::Tensor PackDotColumns(const te::Tensor& x, int64_t width, int64_t depth,
                          const DotTile& tile) {
  const MatrixStack matrix = MatricesOf(x, x.shape());
  if (tile.depth == 1) return PackColumns(matrix, width, depth, tile.b);
  const int64_t columns = x.shape()[1], panels = CeilDiv(columns, width);
  return te::Compute({1, panels, depth / tile.depth, width}, "b.packed",
                     [&](const std::vector<Expr>& i) {
                       const Expr column = i[1] * AsInt(width) + i[3];
                       const auto in_columns = AndInside(
                           std::nullopt, column, columns, panels * width);
                       std::vector<Expr> factors;
                       for (int k = 0; k < AsInt(tile.depth); ++k) {
                         const Expr row = i[2] * AsInt(tile.depth) + k;
                         const auto inside =
                             AndInside(in_columns, row, x.shape()[0], depth);
                         factors.push_back(OrZero(inside, x(row, column)));
                       }
                       return PackFactors(tile, factors);
                     },
                     "matmul.b", {"matrix", "panel", "k", "column"});
}

// The partial sums of all tiles for each block of the reduction, over whole
// panels that may extend beyond the result. `columns` are the result of
// PackDotColumns or, if `packed` is true, the operand in panels
// [panels, depth / tile.depth, width, tile.depth].
te::Tensor Tiles(const te::Tensor& rows, const te::Tensor& columns, bool packed,
                 int64_t blocks, const DotTile& tile) {
  const int64_t depth = rows.shape()[3] / blocks;
  const int steps = AsInt(depth / tile.depth);
  const Shape shape = {blocks, rows.shape()[1], columns.shape()[packed ? 0 : 1],
                       rows.shape()[2], columns.shape()[packed ? 2 : 3]};
  const std::vector<std::string> axes = {"k.o", "m.o", "n.o", "m.i", "n.i"};
  const expr::ReduceAxis step = te::MakeReduceAxis(steps, "k.s");
  const expr::ReduceAxis ki = te::MakeReduceAxis(tile.depth, "k.i");
  return te::Compute(
      shape, "tile",
      [&](const std::vector<Expr>& i) {
        const Expr s = i[0] * steps + step.var;
        if (tile.depth == 1) {
          return te::Sum(expr::WideProduct(kInt32, rows(0, i[1], i[3], s),
                                           columns(0, i[2], s, i[4])),
                         {step});
        }
        const Expr a = rows(0, i[1], i[3], s * AsInt(tile.depth) + ki.var);
        const Expr b =
            packed ? columns(i[2], s, i[4], ki.var)
                   : UnpackFactor(tile, columns(0, i[2], s, i[4]), ki.var);
        return te::Sum(expr::WideProduct(kInt32, a, b), {step, ki});
      },
      "matmul.tile", axes);
}

}  // namespace

bool IntegerMatmulApplies(const OpInstance& op, const target::Target& target) {
  if (op.output.dtype != kInt32 || op.stored[0].dtype.bits() > 16 ||
      !HasColumns(op)) {
    return false;
  }
  const MatmulSizes s = SizesOf(op);
  if (HasPanels(op)) {
    const int64_t lanes = FloatLanes(target);
    return s.panel % lanes == 0 &&
           absl::c_linear_search(kPanelVectors, s.panel / lanes) &&
           op.stored[1].shape[3] == TileOf(op, target).depth;
  }
  if (!IsMatrixProduct(op)) return false;
  return s.m >= 4 && s.n >= FloatLanes(target) && s.k >= 8;
}

ConfigSpace IntegerMatmulSpace(const OpInstance& op,
                               const target::Target& target) {
  return BlockSpace(SizesOf(op), target, DefaultIntegerMatmulConfig(op, target),
                    TileOf(op, target).depth);
}

Config DefaultIntegerMatmulConfig(const OpInstance& op,
                                  const target::Target& target) {
  const DotTile tile = TileOf(op, target);
  return DefaultBlocks(SizesOf(op), target, tile.b.bytes(), tile.depth);
}

te::Tensor IntegerMatmul(const OpInstance& op, const Operands& in,
                         const target::Target& target, const Config& config) {
  const DotTile tile = TileOf(op, target);
  const int64_t mr = config.Knob("mr"), nr = config.Knob("nr");
  const int64_t kc = config.Knob("kc");
  const int64_t blocks = CeilDiv(in[0].shape()[1], kc);
  const bool packed = HasPanels(op);
  const te::Tensor columns =
      packed ? in[1] : PackDotColumns(in[1], nr, blocks * kc, tile);
  const te::Tensor tiles =
      Tiles(PackRows(MatricesOf(in[0], op.stored_output.shape), mr, blocks * kc,
                     tile.a),
            columns, packed, blocks, tile);
  const auto sum_of = [&](const std::vector<Expr>& i, const Expr& block) {
    return tiles(block, i[0] / AsInt(mr), i[1] / AsInt(nr), i[0] % AsInt(mr),
                 i[1] % AsInt(nr));
  };
  const expr::ReduceAxis ko = te::MakeReduceAxis(blocks, "k.o");
  return te::Compute(op.stored_output.shape, "matmul",
                     [&](const std::vector<Expr>& i) {
                       if (blocks == 1) return sum_of(i, 0);
                       return te::Sum(sum_of(i, ko.var), {ko});
                     },
                     "matmul", {"m", "n"});
}

void ScheduleIntegerMatmul(schedule::Schedule& s, const OpInstance& op,
                           const te::Tensor& matmul, const te::Tensor& output,
                           const target::Target& target, const Config& config) {
  using schedule::Axis;
  const te::Tensor tiles = FindTagged(output, "matmul.tile");
  const te::Tensor columns = FindTagged(output, "matmul.b");
  const te::Tensor rows = FindTagged(output, "matmul.a");
  const DotTile dot = TileOf(op, target);
  const bool one_block = tiles.shape()[0] == 1;
  InlineOthers(s, output, target, [&](const te::Tensor& tensor) {
    if (tensor.same_as(matmul)) return !one_block;
    return absl::StartsWith(tensor->tag, "matmul.");
  });
  if (!one_block && !matmul.same_as(output)) {
    ParallelizeRows(s, output, target);
  }

  const int64_t mr = config.Knob("mr"), nr = config.Knob("nr");
  schedule::Stage& product = s[one_block ? output : matmul];
  const auto [mc, m] = product.Split(product.axis(0), config.Knob("mc") * mr);
  const auto [nc, n] = product.Split(product.axis(1), config.Knob("nc") * nr);
  const auto [mo, mi] = product.Split(m, mr);
  const auto [no, ni] = product.Split(n, nr);
  std::vector<Axis> order = {nc, mc, no, mo, mi, ni};
  if (!one_block) order.insert(order.begin() + 1, product.reduce_axis(0));
  product.Reorder(order);
  const bool apart = config.Knob("parallel") == kOverColumns;
  product.Parallel(apart ? nc : mc).Unroll(mi).Vectorize(ni);

  schedule::Stage& tile = s[tiles];
  tile.SetScope(expr::Scope::kLocal).ComputeAt(product, mo);
  const Axis step = tile.reduce_axis(0), row = tile.axis(3);
  const int64_t lanes = std::min(nr, FloatLanes(target));
  if (dot.depth > 1) {
    const auto [vector, lane] = tile.Split(tile.axis(4), lanes);
    tile.Reorder({step, row, vector, lane, tile.reduce_axis(1)});
    tile.Unroll(row).Unroll(vector);
    tile.Tensorize(lane,
                   DotIntrin(dot, lanes,
                             columns.defined() ? DotFactorsOf::kPacked
                                               : DotFactorsOf::kNeighbours));
  } else {
    tile.Reorder({step, row, tile.axis(4)});
    tile.Unroll(row).Vectorize(tile.axis(4));
  }
  // One step per iteration: integer additions are associative, so LLVM would
  // otherwise sum several steps before it adds them to the accumulators, and
  // spill registers.

  s[rows].ComputeAt(product, mc);
  const auto [groups, values] =
      s[rows].Split(s[rows].axis(3), FloatLanes(target) * dot.depth,
                    schedule::Tail::kShiftInwards);
  s[rows].Vectorize(values);
  if (!columns.defined()) return;
  s[columns].ComputeAt(product, one_block ? nc : product.reduce_axis(0));
  if (!apart) s[columns].Parallel(s[columns].axis(1));
  s[columns].Vectorize(s[columns].axis(3));
}

}  // namespace assay::ops
