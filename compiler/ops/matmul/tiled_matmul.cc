#include "compiler/ops/matmul/tiled_matmul.h"

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include "absl/strings/match.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/ops/cost_model.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/matmul/block_sizes.h"
#include "compiler/ops/matmul/packing.h"
#include "compiler/ops/matrix_tile.h"
#include "compiler/ops/schedule_generic.h"
#include "compiler/ops/stages.h"
#include "runtime/base/check.h"

namespace assay::ops {
namespace {

using expr::Expr;
using schedule::Axis;

constexpr int64_t kRows = expr::kTileRows;

bool IsPacked(const OpInstance& op) {
  return op.kind == graph::OpKind::kPackedDense;
}

std::optional<MatrixTile> FindTile(const OpInstance& op,
                                   const target::Target& target) {
  const DType a = op.inputs[0].dtype, b = op.inputs[1].dtype;
  // Constant weights that were split at compile time.
  const bool split = IsPacked(op) && b == DType::BFloat16();
  return FindMatrixTile(target, a, split ? a : b);
}

MatrixTile TileOf(const OpInstance& op, const target::Target& target) {
  const auto tile = FindTile(op, target);
  CHECK(tile.has_value());
  return *tile;
}

// Tiles of the rows of x, [matrix, rows / 16, k / depth, part, 16, depth].
te::Tensor RowTiles(const MatrixStack& x, int64_t tiles, int64_t steps,
                    const MatrixTile& tile) {
  return te::Compute(
      {x.count, tiles, steps, tile.parts(), kRows, tile.depth}, "a.packed",
      [&](const std::vector<Expr>& i) {
        const Expr row = i[1] * AsInt(kRows) + i[4];
        const Expr k = i[2] * AsInt(tile.depth) + i[5];
        const auto inside =
            AndInside(AndInside(std::nullopt, row, x.rows, tiles * kRows), k,
                      x.columns, steps * tile.depth);
        return ElementOfA(tile, OrZero(inside, x.at(i[0], row, k)), i[3]);
      },
      "matmul.a", {"matrix", "m.t", "k.t", "part", "m", "k"});
}

// Tiles of the columns of x, [matrix, columns / 16, k / depth, part, 16, 16].
te::Tensor ColumnTiles(const MatrixStack& x, int64_t tiles, int64_t steps,
                       const MatrixTile& tile) {
  return te::Compute(
      {x.count, tiles, steps, tile.parts(), kRows, kRows}, "b.packed",
      [&](const std::vector<Expr>& i) {
        const Expr column = i[1] * AsInt(kRows) + i[5];
        const auto in_columns =
            AndInside(std::nullopt, column, x.columns, tiles * kRows);
        std::vector<Expr> neighbours;
        for (int f = 0; f < AsInt(tile.factors()); ++f) {
          const Expr k =
              i[2] * AsInt(tile.depth) + i[4] * AsInt(tile.factors()) + f;
          const auto inside =
              AndInside(in_columns, k, x.rows, steps * tile.depth);
          neighbours.push_back(OrZero(inside, x.at(i[0], k, column)));
        }
        return PackedElementsOfB(tile, neighbours, i[3]);
      },
      "matmul.b", {"matrix", "n.t", "k.t", "part", "k", "n"});
}

// An element of factor b by matrix, tile of columns, tile of steps, part, row
// of the tile, column of the tile, and factor of an int32.
using ColumnElement = std::function<Expr(
    const Expr& matrix, const Expr& column_tile, const Expr& step,
    const Expr& part, const Expr& k, const Expr& n, const Expr& factor)>;

struct Extents {
  int64_t m_tiles, n_tiles;  // tiles of a register tile
  int64_t rows, columns;     // register tiles
  int64_t blocks, steps;     // blocks of k, and tiles of steps per block
};

Extents ExtentsOf(const MatmulSizes& s, const MatrixTile& tile,
                  const Config& config) {
  const int64_t mr = config.Knob("mr"), nr = config.Knob("nr");
  const int64_t kc = config.Knob("kc");
  Extents e;
  e.m_tiles = mr / kRows;
  e.n_tiles = nr / kRows;
  e.rows = CeilDiv(s.m, mr);
  e.columns = CeilDiv(s.n, nr);
  e.blocks = CeilDiv(s.panel > 0 ? s.panel_k : s.k, kc);
  e.steps = kc / tile.depth;
  return e;
}

// The partial sums of all register tiles for each block of k.
te::Tensor Sums(const te::Tensor& rows, const ColumnElement& columns,
                bool packed, const Extents& e, const MatrixTile& tile) {
  const te::ReduceAxis step = te::MakeReduceAxis(e.steps, "k.s");
  const te::ReduceAxis term = te::MakeReduceAxis(tile.terms(), "term");
  const te::ReduceAxis k = te::MakeReduceAxis(kRows, "k");
  const te::ReduceAxis f = te::MakeReduceAxis(tile.factors(), "f");
  return te::Compute(
      {rows.shape()[0], e.blocks, e.rows, e.columns, e.m_tiles, e.n_tiles,
       kRows, kRows},
      "tile",
      [&](const std::vector<Expr>& i) {
        const Expr s = i[1] * AsInt(e.steps) + step.var;
        const Expr a = rows({i[0], i[2] * AsInt(e.m_tiles) + i[4], s,
                             PartOfA(tile, term.var), i[6],
                             k.var * AsInt(tile.factors()) + f.var});
        const Expr b = columns(i[0], i[3] * AsInt(e.n_tiles) + i[5], s,
                               PartOfB(tile, term.var), k.var, i[7], f.var);
        return te::Sum(TileFactorProduct(tile, a, b, packed, f.var),
                       {step, term, k, f});
      },
      "matmul.tile",
      {"matrix", "k.o", "m.o", "n.o", "m.t", "n.t", "m.i", "n.i"});
}

// The number of tiles of steps in a block of k, at most `most` if possible.
// Blocks of columns that were packed at compile time have equal sizes.
int64_t StepsOfBlock(const OpInstance& op, const MatmulSizes& s,
                     const MatrixTile& tile, int64_t most) {
  const int64_t steps = CeilDiv(s.k, tile.depth);
  most = std::clamp<int64_t>(most, 1, steps);
  if (!IsPacked(op)) return CeilDiv(steps, CeilDiv(steps, most));
  const int64_t packed = s.panel_k / tile.depth;
  const int64_t divisor = LargestDivisor(packed, most);
  // A number without a suitable divisor is not divided.
  return 2 * divisor >= most ? divisor : packed;
}

// Bytes of packed values per element of an operand.
int64_t PackedBytes(const MatrixTile& tile) { return tile.splits() ? 4 : 1; }

}  // namespace

bool SplitMatmulApplies(const OpInstance& op, const target::Target& target) {
  if (op.output.dtype != DType::Float32()) return false;
  const auto tile = FindTile(op, target);
  if (!tile.has_value() || !tile->splits()) return false;
  const MatmulSizes s = SizesOf(op);
  if (IsPacked(op) && op.inputs[1].dtype != DType::BFloat16()) return false;
  return s.m >= kMinTiledRows && s.n >= kRows && s.k >= kRows &&
         TilesFitIndices(s, DefaultTiledMatmulConfig(op, target));
}

bool TiledIntegerMatmulApplies(const OpInstance& op,
                               const target::Target& target) {
  if (op.output.dtype != DType::Int32()) return false;
  const auto tile = FindTile(op, target);
  if (!tile.has_value() || tile->splits()) return false;
  const MatmulSizes s = SizesOf(op);
  if (IsPacked(op) && (s.panel != kRows || s.panel_k % tile->depth != 0 ||
                       op.inputs[1].rank() != 4)) {
    return false;
  }
  return s.m >= kMinTiledRows && s.n >= kRows && s.k >= kRows &&
         TilesFitIndices(s, DefaultTiledMatmulConfig(op, target));
}

std::optional<graph::DensePanels> TilePanelsFor(
    const target::Target& target, const graph::DenseProduct& product,
    bool split) {
  const auto tile = FindMatrixTile(target, product.data, product.weights);
  if (!tile.has_value() || (tile->splits() && !split) ||
      product.rows < kMinTiledRows || product.units < kRows ||
      product.depth < kRows) {
    return std::nullopt;
  }
  graph::DensePanels panels;
  panels.width = kRows;
  panels.depth = CeilDiv(product.depth, tile->depth) * tile->depth;
  if (tile->splits()) {
    panels.bfloat16_parts = tile->parts();
  } else {
    panels.factors = tile->factors();
    panels.weight_type = tile->b;
  }
  return panels;
}

Config DefaultTiledMatmulConfig(const OpInstance& op,
                                const target::Target& target) {
  const MatrixTile tile = TileOf(op, target);
  const MatmulSizes s = SizesOf(op);
  const int64_t bytes = PackedBytes(tile);
  // Packed columns whose tiles do not come in pairs are used one by one.
  const int64_t column_tiles = CeilDiv(s.n, kRows);
  const bool pairs = IsPacked(op) ? column_tiles % 2 == 0 : column_tiles > 1;
  const int64_t nr = pairs ? 2 * kRows : kRows;
  const int64_t mr =
      std::min(pairs ? 2 : 4, AsInt(CeilDiv(s.m, kRows))) * kRows;
  // A panel of columns stays in the L1 cache, and the rows come from the L2
  // cache.
  const int64_t room = target.l1_bytes() * 3 / 4;
  const int64_t kc =
      StepsOfBlock(op, s, tile, room / (nr * tile.depth * bytes)) * tile.depth;
  const int64_t threads = std::max(1, target.num_cores());
  const int64_t rows = CeilDiv(s.m, mr), columns = CeilDiv(s.n, nr);
  int64_t mc = std::clamp<int64_t>(
      target.l2_bytes() * 3 / 8 / (mr * kc * bytes), 1, rows);
  mc = std::min(mc, CeilDiv(rows, threads));
  mc = CeilDiv(rows, CeilDiv(rows, mc));
  return Config()
      .SetKnob("mr", mr)
      .SetKnob("nr", nr)
      .SetKnob("mc", mc)
      .SetKnob("kc", kc)
      .SetKnob("nc", columns)
      .SetKnob("parallel", s.count >= 2 * threads ? kOverMatrices : kOverRows);
}

ConfigSpace TiledMatmulSpace(const OpInstance& op,
                             const target::Target& target) {
  const MatrixTile tile = TileOf(op, target);
  const MatmulSizes s = SizesOf(op);
  const Config base = DefaultTiledMatmulConfig(op, target);
  const int64_t steps = CeilDiv(s.k, tile.depth);
  std::set<int64_t> kc = {base.Knob("kc")}, mc = {base.Knob("mc")},
                    nc = {base.Knob("nc")};
  for (const int64_t parts : {1, 2, 3, 4, 6, 8, 12, 16}) {
    kc.insert(StepsOfBlock(op, s, tile, CeilDiv(steps, parts)) * tile.depth);
    mc.insert(CeilDiv(CeilDiv(s.m, base.Knob("mr")), parts));
    nc.insert(CeilDiv(CeilDiv(s.n, base.Knob("nr")), parts));
  }
  ConfigSpace space;
  const std::set<int64_t> mr = {kRows, 2 * kRows, base.Knob("mr")};
  const std::set<int64_t> nr = {kRows, base.Knob("nr")};
  space.DefineKnob("mr", {mr.begin(), mr.end()});
  space.DefineKnob("nr", {nr.begin(), nr.end()});
  space.DefineKnob("mc", {mc.begin(), mc.end()});
  space.DefineKnob("kc", {kc.begin(), kc.end()});
  space.DefineKnob("nc", {nc.begin(), nc.end()});
  std::vector<int64_t> parallel = {kOverRows, kOverColumns};
  if (s.count > 1) parallel.push_back(kOverMatrices);
  space.DefineKnob("parallel", parallel);
  return space;
}

double TiledMatmulSeconds(const OpInstance& op, const target::Target& target,
                          const Config& config) {
  const MatrixTile tile = TileOf(op, target);
  const MatmulSizes s = SizesOf(op);
  const Extents e = ExtentsOf(s, tile, config);
  const auto tiles =
      static_cast<double>(s.count * e.rows * e.m_tiles * e.columns * e.n_tiles *
                          e.blocks * e.steps);
  // Splitting a vector takes about ten instructions.
  const double split = tile.splits() ? 10.0 / 2 / 16 : 2.0 / 64;
  double packed = static_cast<double>(s.m * s.k);
  if (!IsPacked(op)) packed += static_cast<double>(s.n * s.k);
  const double cycles = tiles * tile.terms() * kTileProductCycles * 1.25 +
                        packed * static_cast<double>(s.count) * split;
  return std::max(Seconds(target, cycles), static_cast<double>(Bytes(op)) /
                                               Bandwidth(target, Bytes(op)));
}

double SplitMatmulErrorBound(const OpInstance&) { return kSplitErrorBound; }

te::Tensor TiledMatmul(const OpInstance& op, const Operands& in,
                       const target::Target& target, const Config& config) {
  const MatrixTile tile = TileOf(op, target);
  const Shape& shape = op.output.shape;
  const Extents e = ExtentsOf(SizesOf(op), tile, config);
  const te::Tensor rows = RowTiles(MatricesOf(in[0], shape), e.rows * e.m_tiles,
                                   e.blocks * e.steps, tile);
  te::Tensor tiles;
  if (!IsPacked(op)) {
    const te::Tensor columns =
        ColumnTiles(MatricesOf(in[1], shape), e.columns * e.n_tiles,
                    e.blocks * e.steps, tile);
    tiles = Sums(
        rows,
        [&](const Expr& matrix, const Expr& t, const Expr& s, const Expr& part,
            const Expr& k, const Expr& n,
            const Expr&) { return columns({matrix, t, s, part, k, n}); },
        /*packed=*/true, e, tile);
  } else {
    tiles = Sums(
        rows,
        [&](const Expr&, const Expr& t, const Expr& s, const Expr& part,
            const Expr& k, const Expr& n, const Expr& f) {
          if (tile.splits()) return in[1]({t, s, part, k, n, f});
          return in[1](t, s * AsInt(kRows) + k, n, f);
        },
        /*packed=*/false, e, tile);
  }
  const expr::ReduceAxis block = te::MakeReduceAxis(e.blocks, "k.o");
  const size_t rank = shape.size();
  std::vector<std::string> axes(rank - 2, "matrix");
  axes.insert(axes.end(), {"m", "n"});
  return te::Compute(
      shape, "matmul",
      [&](const std::vector<Expr>& i) {
        Expr matrix = 0;
        for (size_t d = 0; d + 2 < rank; ++d) {
          matrix = matrix * AsInt(shape[d]) + i[d];
        }
        const Expr &m = i[rank - 2], &n = i[rank - 1];
        const int mr = AsInt(e.m_tiles * kRows), nr = AsInt(e.n_tiles * kRows);
        const int width = AsInt(kRows);
        const Expr sum = tiles(
            {matrix, e.blocks == 1 ? Expr(0) : Expr(block.var), m / mr, n / nr,
             m % mr / width, n % nr / width, m % width, n % width});
        return e.blocks == 1 ? sum : te::Sum(sum, {block});
      },
      "matmul", axes);
}

void ScheduleTiledMatmul(schedule::Schedule& s, const OpInstance& op,
                         const te::Tensor& matmul, const te::Tensor& output,
                         const target::Target& target, const Config& config) {
  const MatrixTile tile = TileOf(op, target);
  const bool sums = s[matmul].state().is_reduction();
  InlineOthers(s, output, [&](const te::Tensor& tensor) {
    if (tensor.same_as(matmul)) return sums;
    return absl::StartsWith(tensor->tag, "matmul.");
  });
  if (sums && !matmul.same_as(output)) ParallelizeRows(s, output, target);
  const te::Tensor result = sums ? matmul : output;
  const int rank = result.ndim();
  schedule::Stage& product = s[result];
  const te::Tensor tiles = FindTagged(result, "matmul.tile");
  const te::Tensor accumulators = s.CacheWrite(tiles, expr::Scope::kLocal);

  const int64_t mr = config.Knob("mr"), nr = config.Knob("nr");
  const auto [mc, m] =
      product.Split(product.axis(rank - 2), config.Knob("mc") * mr);
  const auto [nc, n] =
      product.Split(product.axis(rank - 1), config.Knob("nc") * nr);
  const auto [mo, mi] = product.Split(m, mr);
  const auto [no, ni] = product.Split(n, nr);
  const auto [nt, lane] = product.Split(ni, kRows);
  std::vector<Axis> matrices;
  for (int d = 0; d + 2 < rank; ++d) matrices.push_back(product.axis(d));
  const int64_t parallel = config.Knob("parallel");
  std::vector<Axis> order = matrices;
  order.insert(parallel == kOverColumns ? order.begin() : order.end(), nc);
  if (sums) order.push_back(product.reduce_axis(0));
  order.insert(order.end(), {mc, no, mo, mi, nt, lane});
  product.Reorder(order);
  if (parallel == kOverMatrices) {
    product.Parallel(matrices.size() > 1 ? product.Fuse(matrices)
                                         : matrices[0]);
  } else {
    product.Parallel(parallel == kOverColumns ? nc : mc);
  }
  product.Unroll(nt).Vectorize(lane);

  schedule::Stage& copy = s[tiles];
  copy.SetScope(expr::Scope::kLocal).ComputeAt(product, mo);
  copy.Unroll(copy.axis(4)).Unroll(copy.axis(5));
  copy.Tensorize(copy.axis(6), CopyTileIntrin(tile));
  schedule::Stage& sum = s[accumulators];
  sum.ComputeAt(product, mo);
  sum.Reorder({sum.reduce_axis(0), sum.reduce_axis(1), sum.axis(4), sum.axis(5),
               sum.axis(6), sum.axis(7), sum.reduce_axis(2),
               sum.reduce_axis(3)});
  sum.Unroll(sum.reduce_axis(1)).Unroll(sum.axis(4)).Unroll(sum.axis(5));
  const te::Tensor packed = FindTagged(result, "matmul.b");
  sum.Tensorize(sum.axis(6), MatrixTileIntrin(tile, packed.defined()));

  schedule::Stage& rows = s[FindTagged(result, "matmul.a")];
  rows.ComputeAt(product, mc);
  rows.Reorder(
      {rows.axis(1), rows.axis(4), rows.axis(2), rows.axis(3), rows.axis(5)});
  rows.Unroll(rows.axis(3)).Vectorize(rows.axis(5));
  if (!packed.defined()) return;
  schedule::Stage& columns = s[packed];
  columns.ComputeAt(product, sums ? product.reduce_axis(0) : nc);
  columns.Reorder({columns.axis(1), columns.axis(2), columns.axis(4),
                   columns.axis(3), columns.axis(5)});
  if (parallel == kOverRows) columns.Parallel(columns.axis(1));
  columns.Unroll(columns.axis(3)).Vectorize(columns.axis(5));
}

}  // namespace assay::ops
