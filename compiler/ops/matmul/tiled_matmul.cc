#include "compiler/ops/matmul/tiled_matmul.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/ops/cost_model.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/matmul/packing.h"
#include "compiler/ops/matrix_tile.h"
#include "compiler/ops/stages.h"
#include "runtime/base/check.h"

namespace assay::ops {
namespace {

using expr::Expr;
using schedule::Axis;

constexpr int64_t kRows = expr::kTileRows;

// Cycles to pack a byte of an operand. Float32 values take kSplitCycles.
constexpr double kCopyCycles = 0.05;
// Tiles of columns that are packed together.
constexpr int64_t kColumnTilesAtOnce = 16;
// The measured best number of register tiles in a block of rows, and in a block
// of columns that leaves most of the L2 cache free, or does not.
constexpr int64_t kMostRowTiles = 4;
constexpr int64_t kMostColumnTiles = 16, kMostFarColumnTiles = 8;
// With fewer rows, threads get columns: packing all columns would take too
// long.
constexpr int64_t kMinRowsPerThread = 256;
// Measured share of the time in which the unit multiplies.
constexpr double kBusy = 0.7;

std::optional<MatrixTile> FindTile(const OpInstance& op,
                                   const target::Target& target) {
  const DType a = op.stored[0].dtype, b = op.stored[1].dtype;
  // Constant weights that are stored split.
  const auto* panels = op.encoding<graph::Panels>(1);
  return FindMatrixTile(target, a, panels != nullptr && panels->split ? a : b);
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
  const int factors = AsInt(tile.factors());
  return te::Compute(
      {x.count, tiles, steps, tile.parts(), kRows, kRows}, "b.packed",
      [&](const std::vector<Expr>& i) {
        const Expr column = i[1] * AsInt(kRows) + i[5];
        const auto in_columns =
            AndInside(std::nullopt, column, x.columns, tiles * kRows);
        std::vector<Expr> neighbours;
        for (int f = 0; f < factors; ++f) {
          const Expr k = i[2] * AsInt(tile.depth) + i[4] * factors + f;
          const auto inside =
              AndInside(in_columns, k, x.rows, steps * tile.depth);
          neighbours.push_back(OrZero(inside, x.at(i[0], k, column)));
        }
        return PackedElementsOfB(tile, neighbours, i[3]);
      },
      "matmul.b", {"matrix", "n.t", "k.t", "part", "k", "n"});
}

// An element of factor a by matrix, tile of rows, tile of steps, part, row of
// the tile, and column of the tile.
using RowElement = std::function<Expr(const Expr& matrix, const Expr& row_tile,
                                      const Expr& step, const Expr& part,
                                      const Expr& m, const Expr& k)>;

// An element of factor b by matrix, tile of columns, tile of steps, part, row
// of the tile, column of the tile, and factor of an int32.
using ColumnElement = std::function<Expr(
    const Expr& matrix, const Expr& column_tile, const Expr& step,
    const Expr& part, const Expr& k, const Expr& n, const Expr& factor)>;

struct Extents {
  int64_t m_tiles, n_tiles;  // tiles of a register tile
  int64_t rows, columns;     // register tiles
  int64_t steps;             // tiles of the reduction
};

Extents ExtentsOf(const MatmulSizes& s, const MatrixTile& tile,
                  const Config& config) {
  const int64_t mr = config.Knob("mr"), nr = config.Knob("nr");
  Extents e;
  e.m_tiles = mr / kRows;
  e.n_tiles = nr / kRows;
  e.rows = CeilDiv(s.m, mr);
  e.columns = CeilDiv(s.n, nr);
  e.steps = CeilDiv(s.k, tile.depth);
  return e;
}

// The sums of all register tiles.
te::Tensor Sums(int64_t count, const RowElement& rows,
                const ColumnElement& columns, bool packed, const Extents& e,
                const MatrixTile& tile) {
  const te::ReduceAxis step = te::MakeReduceAxis(e.steps, "k.s");
  const te::ReduceAxis term = te::MakeReduceAxis(tile.terms(), "term");
  const te::ReduceAxis k = te::MakeReduceAxis(kRows, "k");
  const te::ReduceAxis f = te::MakeReduceAxis(tile.factors(), "f");
  return te::Compute(
      {count, e.rows, e.columns, e.m_tiles, e.n_tiles, kRows, kRows}, "tile",
      [&](const std::vector<Expr>& i) {
        const Expr a = rows(i[0], i[1] * AsInt(e.m_tiles) + i[3], step.var,
                            PartOfA(tile, term.var), i[5],
                            k.var * AsInt(tile.factors()) + f.var);
        const Expr b = columns(i[0], i[2] * AsInt(e.n_tiles) + i[4], step.var,
                               PartOfB(tile, term.var), k.var, i[6], f.var);
        return te::Sum(TileFactorProduct(tile, a, b, packed, f.var),
                       {step, term, k, f});
      },
      "matmul.tile", {"matrix", "m.o", "n.o", "m.t", "n.t", "m.i", "n.i"});
}

// Returns true if tiles of the rows of `a` can be read where they are.
bool ReadsRowsInPlace(const te::Tensor& a, const MatmulSizes& s,
                      const MatrixTile& tile, int64_t mr) {
  return !tile.splits() && a.is_placeholder() && s.m % mr == 0 &&
         s.k % tile.depth == 0;
}

// Returns true if the accumulators can be stored where the result is.
bool StoresTiles(const OpInstance& op, const te::Tensor& output,
                 const te::Tensor& matmul, const Config& config) {
  const MatmulSizes s = SizesOf(op);
  return output.same_as(matmul) &&
         s.m % (config.Knob("mr") * config.Knob("mc") * config.Knob("mg")) ==
             0 &&
         s.n % (config.Knob("nr") * config.Knob("nc")) == 0;
}

// Bytes of packed values per element of an operand.
int64_t PackedBytes(const MatrixTile& tile) { return tile.splits() ? 4 : 1; }

// Returns true if 32-bit indices suffice for the packed operands and the sums.
bool FitsIndices(const MatmulSizes& s, const MatrixTile& tile) {
  const auto padded = [](int64_t extent) {
    return static_cast<double>(extent + 4 * kRows);
  };
  const double m = padded(s.m), n = padded(s.n);
  const double k = padded(s.k) * static_cast<double>(tile.parts());
  return static_cast<double>(s.count) * std::max({m * n, m * k, n * k}) <
         std::numeric_limits<int32_t>::max();
}

bool FillsTiles(const MatmulSizes& s) {
  return s.m >= kMinTiledRows && s.n >= kRows && s.k >= kRows;
}

// Divides `count` items into parts of equal or about equal size of at most
// `most` items. Returns the items per part.
int64_t EvenPart(int64_t count, int64_t most) {
  most = std::clamp<int64_t>(most, 1, count);
  for (int64_t part = most; part > most / 2; --part) {
    if (count % part == 0) return part;
  }
  return CeilDiv(count, CeilDiv(count, most));
}

// Schedules `output`, whose tiles of accumulators are `tiles`. Returns the
// parallel loop and the loop over register tiles.
std::pair<Axis, Axis> ScheduleBlocks(schedule::Schedule& s,
                                     const te::Tensor& output,
                                     const te::Tensor& tiles, bool stores,
                                     const MatrixTile& tile,
                                     const Config& config) {
  schedule::Stage& product = s[output];
  const int rank = output.ndim();
  const int64_t mr = config.Knob("mr"), nr = config.Knob("nr");
  const auto [group, rows_of_group] = product.Split(
      product.axis(rank - 2), config.Knob("mg") * config.Knob("mc") * mr);
  const auto [mc, m] = product.Split(rows_of_group, config.Knob("mc") * mr);
  const auto [nc, n] =
      product.Split(product.axis(rank - 1), config.Knob("nc") * nr);
  const auto [mo, mi] = product.Split(m, mr);
  const auto [no, ni] = product.Split(n, nr);
  const auto [mt, row] = product.Split(mi, kRows);
  const auto [nt, lane] = product.Split(ni, kRows);
  std::vector<Axis> parallel;
  for (int d = 0; d + 2 < rank; ++d) parallel.push_back(product.axis(d));
  parallel.insert(parallel.end(), {group, nc});
  std::vector<Axis> order = parallel;
  order.insert(order.end(), {mc, no, mo, mt});
  if (stores) {
    order.insert(order.end(), {nt, row, lane});
    product.Reorder(order);
    product.Unroll(mt).Unroll(nt).Tensorize(row, CopyTileIntrin(tile));
  } else {
    order.insert(order.end(), {row, nt, lane});
    product.Reorder(order);
    product.Unroll(nt).Vectorize(lane);
    schedule::Stage& copy = s[tiles];
    copy.SetScope(expr::Scope::kLocal).ComputeAt(product, mo);
    copy.Unroll(copy.axis(3)).Unroll(copy.axis(4));
    copy.Tensorize(copy.axis(5), CopyTileIntrin(tile));
  }
  const Axis task = product.Fuse(parallel);
  product.Parallel(task);
  return {task, mo};
}

// A tile of rows is written at once.
void SchedulePackedRows(schedule::Stage& rows) {
  rows.Reorder({rows.axis(4), rows.axis(3)});
  rows.Parallel(rows.Fuse(rows.axis(0), rows.axis(1)));
  rows.Unroll(rows.axis(3)).Vectorize(rows.axis(5));
}

// Several tiles of columns are written at once, because the rows of the operand
// are in different pages. Returns the loop over groups of tiles.
Axis SchedulePackedColumns(schedule::Stage& columns) {
  const auto [group, tile_of_group] =
      columns.Split(columns.axis(1), kColumnTilesAtOnce);
  columns.Reorder({group, columns.axis(2), columns.axis(4), tile_of_group,
                   columns.axis(3), columns.axis(5)});
  columns.Unroll(columns.axis(3)).Vectorize(columns.axis(5));
  return group;
}

// Returns the tile for a product of matrices whose second operand should be
// stored in panels.
std::optional<MatrixTile> TileForPanels(const OpInstance& op,
                                        const target::Target& target) {
  const auto tile =
      FindMatrixTile(target, op.inputs[0].dtype, op.inputs[1].dtype);
  const MatmulSizes sizes = SizesOf(op);
  if (!IsMatrixProduct(op) || !tile.has_value() || !FillsTiles(sizes) ||
      !FitsIndices(sizes, *tile)) {
    return std::nullopt;
  }
  return tile;
}

graph::Panels PanelsOfTiles(const OpInstance& op, const MatrixTile& tile) {
  graph::Panels panels;
  panels.width = kRows;
  panels.depth = CeilDiv(SizesOf(op).k, tile.depth) * tile.depth;
  panels.transposed = op.kind == graph::OpKind::kDense;
  return panels;
}

}  // namespace

bool SplitMatmulApplies(const OpInstance& op, const target::Target& target) {
  if (op.output.dtype != DType::Float32() || !HasColumns(op)) return false;
  const auto tile = FindTile(op, target);
  if (!tile.has_value() || !tile->splits()) return false;
  const MatmulSizes s = SizesOf(op);
  const auto* panels = op.encoding<graph::Panels>(1);
  if (panels != nullptr && (!panels->split || s.panel != kRows)) return false;
  return FillsTiles(s) && FitsIndices(s, *tile);
}

bool TiledIntegerMatmulApplies(const OpInstance& op,
                               const target::Target& target) {
  if (op.output.dtype != DType::Int32() || !HasColumns(op)) return false;
  const auto tile = FindTile(op, target);
  if (!tile.has_value() || tile->splits()) return false;
  const MatmulSizes s = SizesOf(op);
  if (HasPanels(op) && (s.panel != kRows || s.panel_k % tile->depth != 0)) {
    return false;
  }
  return FillsTiles(s) && FitsIndices(s, *tile);
}

std::vector<graph::Encoding> SplitPanels(const OpInstance& op,
                                         const target::Target& target) {
  const auto tile = TileForPanels(op, target);
  if (!tile.has_value() || !tile->splits()) return {};
  graph::Panels panels = PanelsOfTiles(op, *tile);
  panels.split = true;
  return {panels};
}

std::vector<graph::Encoding> TiledIntegerPanels(const OpInstance& op,
                                                const target::Target& target) {
  const auto tile = TileForPanels(op, target);
  if (!tile.has_value() || tile->splits() || !IsProductOfBytes(op)) {
    return {};
  }
  graph::Panels panels = PanelsOfTiles(op, *tile);
  panels.factors = tile->factors();
  if (tile->b != op.inputs[1].dtype) panels.dtype = tile->b;
  return {panels};
}

Config DefaultTiledMatmulConfig(const OpInstance& op,
                                const target::Target& target) {
  const MatrixTile tile = TileOf(op, target);
  const MatmulSizes s = SizesOf(op);
  // Packed columns whose tiles do not come in pairs are used one by one.
  const int64_t column_tiles = CeilDiv(s.n, kRows);
  const bool pairs = HasPanels(op) ? column_tiles % 2 == 0 : column_tiles > 1;
  const int64_t nr = pairs ? 2 * kRows : kRows;
  const int64_t mr = std::min<int64_t>(2, CeilDiv(s.m, kRows)) * kRows;
  const int64_t rows = CeilDiv(s.m, mr), columns = CeilDiv(s.n, nr);
  const int64_t panel =
      CeilDiv(s.k, tile.depth) * tile.depth * PackedBytes(tile);
  const int64_t most_columns =
      std::min(std::clamp(target.l2_bytes() / 4 / (nr * panel),
                          kMostFarColumnTiles, kMostColumnTiles),
               target.l2_bytes() / (nr * panel));
  // All threads get the same number of groups, or many of them: each thread
  // gets rows of its own, or columns if there are few rows.
  const int64_t threads = std::max(1, target.num_cores());
  const bool by_rows = s.m >= threads * kMinRowsPerThread;
  const int64_t group = CeilDiv(rows, by_rows ? threads : 1);
  const int64_t group_bytes = group * mr * panel;
  const int64_t mc =
      group_bytes <= target.l2_bytes() / 4
          ? group
          : EvenPart(group, std::min(kMostRowTiles,
                                     target.l2_bytes() / 2 / (mr * panel)));
  int64_t nc = EvenPart(columns, most_columns);
  const int64_t parts = CeilDiv(columns, nc);
  const int64_t groups = s.count * CeilDiv(rows, group) * parts;
  if (groups % threads != 0 && groups < 4 * threads) {
    const int64_t even = CeilDiv(parts, threads) * threads;
    nc = CeilDiv(columns, std::min(even, columns));
  }
  return Config()
      .SetKnob("mr", mr)
      .SetKnob("nr", nr)
      .SetKnob("mc", mc)
      .SetKnob("nc", nc)
      .SetKnob("mg", CeilDiv(group, mc))
      .SetKnob("share_columns", 0);
}

ConfigSpace TiledMatmulSpace(const OpInstance& op,
                             const target::Target& target) {
  const MatmulSizes s = SizesOf(op);
  const Config base = DefaultTiledMatmulConfig(op, target);
  const int64_t rows = CeilDiv(s.m, base.Knob("mr"));
  std::set<int64_t> mc = {base.Knob("mc")}, nc = {base.Knob("nc")};
  std::set<int64_t> mg = {base.Knob("mg"), 1, std::min<int64_t>(2, rows)};
  for (const int64_t tiles : {1, 2, 4, 8, 16}) {
    mc.insert(std::min(tiles, rows));
    nc.insert(std::min(tiles, CeilDiv(s.n, base.Knob("nr"))));
  }
  for (const int64_t groups : {1, 2, 4}) {
    mg.insert(CeilDiv(rows, groups * base.Knob("mc")));
  }
  const std::set<int64_t> mr = {kRows, base.Knob("mr")};
  const std::set<int64_t> nr = {kRows, base.Knob("nr")};
  ConfigSpace space;
  space.DefineKnob("mr", {mr.begin(), mr.end()});
  space.DefineKnob("nr", {nr.begin(), nr.end()});
  space.DefineKnob("mc", {mc.begin(), mc.end()});
  space.DefineKnob("nc", {nc.begin(), nc.end()});
  space.DefineKnob("mg", {mg.begin(), mg.end()});
  space.DefineKnob("share_columns", HasPanels(op) ? std::vector<int64_t>{0}
                                                  : std::vector<int64_t>{0, 1});
  return space;
}

double TiledMatmulSeconds(const OpInstance& op, const target::Target& target,
                          const Config& config) {
  const MatrixTile tile = TileOf(op, target);
  const MatmulSizes s = SizesOf(op);
  const Extents e = ExtentsOf(s, tile, config);
  const auto products =
      static_cast<double>(s.count * e.rows * e.m_tiles * e.columns * e.n_tiles *
                          e.steps * tile.terms());
  const int64_t groups =
      config.Knob("share_columns") != 0
          ? 1
          : CeilDiv(e.rows, config.Knob("mc") * config.Knob("mg"));
  const int64_t packed = s.m * s.k + (HasPanels(op) ? 0 : groups * s.n * s.k);
  const double cycles = products * kTileProductCycles / kBusy +
                        static_cast<double>(s.count * packed) *
                            (tile.splits() ? kSplitCycles : kCopyCycles);
  return std::max(Seconds(target, cycles), static_cast<double>(Bytes(op)) /
                                               Bandwidth(target, Bytes(op)));
}

te::Tensor TiledMatmul(const OpInstance& op, const Operands& in,
                       const target::Target& target, const Config& config) {
  const MatrixTile tile = TileOf(op, target);
  const Shape& shape = op.stored_output.shape;
  const MatmulSizes s = SizesOf(op);
  const Extents e = ExtentsOf(s, tile, config);
  const MatrixStack a = MatricesOf(in[0], shape);
  RowElement rows;
  if (ReadsRowsInPlace(in[0], s, tile, config.Knob("mr"))) {
    rows = [&](const Expr& matrix, const Expr& t, const Expr& step, const Expr&,
               const Expr& m, const Expr& k) {
      return a.at(matrix, t * AsInt(kRows) + m, step * AsInt(tile.depth) + k);
    };
  } else {
    const te::Tensor tiles = RowTiles(a, e.rows * e.m_tiles, e.steps, tile);
    rows = [=](const Expr& matrix, const Expr& t, const Expr& step,
               const Expr& part, const Expr& m,
               const Expr& k) { return tiles({matrix, t, step, part, m, k}); };
  }
  const bool packed = HasPanels(op);
  const te::Tensor columns =
      packed ? in[1]
             : ColumnTiles(MatricesOf(in[1], shape), e.columns * e.n_tiles,
                           e.steps, tile);
  const auto element = [&](const Expr& matrix, const Expr& t, const Expr& s,
                           const Expr& part, const Expr& k, const Expr& n,
                           const Expr& f) {
    if (!packed) return columns({matrix, t, s, part, k, n});
    if (tile.splits()) return columns({t, s, part, k, n, f});
    return columns(t, s * AsInt(kRows) + k, n, f);
  };
  const te::Tensor tiles = Sums(a.count, rows, element, !packed, e, tile);
  const size_t rank = shape.size();
  std::vector<std::string> axes(rank - 2, "matrix");
  axes.insert(axes.end(), {"m", "n"});
  return te::Compute(
      shape, "matmul",
      [&](const std::vector<Expr>& i) {
        const Expr matrix = MatrixNumber(shape, i);
        const Expr &m = i[rank - 2], &n = i[rank - 1];
        const int mr = AsInt(e.m_tiles * kRows), nr = AsInt(e.n_tiles * kRows);
        const int width = AsInt(kRows);
        return tiles({matrix, m / mr, n / nr, m % mr / width, n % nr / width,
                      m % width, n % width});
      },
      "matmul", axes);
}

void ScheduleTiledMatmul(schedule::Schedule& s, const OpInstance& op,
                         const te::Tensor& matmul, const te::Tensor& output,
                         const target::Target& target, const Config& config) {
  const MatrixTile tile = TileOf(op, target);
  InlineOthers(s, output, target, [&](const te::Tensor& tensor) {
    return absl::StartsWith(tensor->tag, "matmul.");
  });
  const te::Tensor tiles = FindTagged(output, "matmul.tile");
  const bool stores = StoresTiles(op, output, matmul, config);
  const te::Tensor accumulators =
      stores ? tiles : s.CacheWrite(tiles, expr::Scope::kLocal);
  const auto [task, mo] =
      ScheduleBlocks(s, output, tiles, stores, tile, config);

  schedule::Stage& sum = s[accumulators];
  sum.SetScope(expr::Scope::kLocal).ComputeAt(s[output], mo);
  sum.Reorder({sum.reduce_axis(0), sum.reduce_axis(1), sum.axis(3), sum.axis(4),
               sum.axis(5), sum.axis(6), sum.reduce_axis(2),
               sum.reduce_axis(3)});
  sum.Unroll(sum.reduce_axis(1)).Unroll(sum.axis(3)).Unroll(sum.axis(4));
  const te::Tensor b = FindTagged(output, "matmul.b");
  sum.Tensorize(sum.axis(5), MatrixTileIntrin(tile, b.defined()));

  const te::Tensor a = FindTagged(output, "matmul.a");
  if (a.defined()) SchedulePackedRows(s[a]);
  if (!b.defined()) return;
  schedule::Stage& columns = s[b];
  const Axis group = SchedulePackedColumns(columns);
  if (config.Knob("share_columns") != 0) {
    columns.Parallel(columns.Fuse(columns.axis(0), group));
  } else {
    columns.ComputeAt(s[output], task);
  }
}

}  // namespace assay::ops
