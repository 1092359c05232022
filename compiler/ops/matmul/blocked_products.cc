#include "compiler/ops/matmul/blocked_products.h"

#include <functional>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/matmul/block_sizes.h"
#include "compiler/ops/register_tile.h"
#include "compiler/ops/schedule_generic.h"
#include "compiler/ops/stages.h"

namespace assay::ops {
namespace {

using expr::Expr;
using schedule::Axis;

constexpr int64_t kPanelsAtOnce = 4;

// An element of packed columns by matrix, panel, step and lane.
using PanelValue = std::function<Expr(const Expr& matrix, const Expr& panel,
                                      const Expr& k, const Expr& lane)>;

// The partial sums of all tiles for each block of k, over whole panels that may
// extend beyond the result, and the products computed from them.
te::Tensor Products(const Shape& shape, DType type, const MatrixStack& a,
                    int64_t panels, const PanelValue& columns,
                    const Config& config, const std::string& tag) {
  const int64_t mr = config.Knob("mr"), nr = config.Knob("nr");
  const int64_t kc = config.Knob("kc"), blocks = CeilDiv(a.columns, kc);
  const te::Tensor rows = PackRows(a, mr, blocks * kc, type);
  const expr::ReduceAxis ki = te::MakeReduceAxis(kc, "k.i");
  const te::Tensor tiles = te::Compute(
      {a.count, blocks, rows.shape()[1], panels, mr, nr}, "tile",
      [&](const std::vector<Expr>& i) {
        const Expr k = i[1] * AsInt(kc) + ki.var;
        return te::Sum(rows(i[0], i[2], i[4], k) * columns(i[0], i[3], k, i[5]),
                       {ki});
      },
      "matmul.tile", {"matrix", "k.o", "m.o", "n.o", "m.i", "n.i"});
  const expr::ReduceAxis ko = te::MakeReduceAxis(blocks, "k.o");
  const bool one_block = blocks == 1 && a.rows < kMinRows;
  const size_t rank = shape.size();
  std::vector<std::string> axes(rank - 2, "matrix");
  axes.insert(axes.end(), {"m", "n"});
  return te::Compute(
      shape, "matmul",
      [&](const std::vector<Expr>& i) {
        const Expr matrix = MatrixNumber(shape, i);
        const Expr &m = i[rank - 2], &n = i[rank - 1];
        const Expr sum =
            tiles(matrix, one_block ? Expr(0) : Expr(ko.var), m / AsInt(mr),
                  n / AsInt(nr), m % AsInt(mr), n % AsInt(nr));
        return one_block ? sum : te::Sum(sum, {ko});
      },
      tag, axes);
}

}  // namespace

te::Tensor BlockedProducts(const Shape& shape, DType type, const MatrixStack& a,
                           const MatrixStack& b, const Config& config,
                           const std::string& tag) {
  const int64_t kc = config.Knob("kc");
  const te::Tensor columns =
      PackColumns(b, config.Knob("nr"), CeilDiv(a.columns, kc) * kc, type);
  return Products(
      shape, type, a, columns.shape()[1],
      [&](const Expr& matrix, const Expr& panel, const Expr& k,
          const Expr& lane) { return columns(matrix, panel, k, lane); },
      config, tag);
}

te::Tensor BlockedProduct(const Shape& shape, DType type, const MatrixStack& a,
                          const te::Tensor& panels, const Config& config,
                          const std::string& tag) {
  return Products(
      shape, type, a, panels.shape()[0],
      [&](const Expr&, const Expr& panel, const Expr& k, const Expr& lane) {
        return panels(panel, k, lane);
      },
      config, tag);
}

void ScheduleBlockedProducts(schedule::Schedule& s, const te::Tensor& products,
                             const target::Target& target,
                             const Config& config) {
  const int64_t mr = config.Knob("mr"), nr = config.Knob("nr");
  const int rank = products.ndim();
  schedule::Stage& product = s[products];
  const auto [mc, m] =
      product.Split(product.axis(rank - 2), config.Knob("mc") * mr);
  const auto [nc, n] =
      product.Split(product.axis(rank - 1), config.Knob("nc") * nr);
  const auto [mo, mi] = product.Split(m, mr);
  const auto [no, ni] = product.Split(n, nr);
  std::vector<Axis> matrices;
  for (int d = 0; d + 2 < rank; ++d) matrices.push_back(product.axis(d));
  const int64_t parallel = config.Knob("parallel");
  // Threads with their own columns process all matrices without waiting for
  // each other.
  std::vector<Axis> order = matrices;
  order.insert(parallel == kOverColumns ? order.begin() : order.end(), nc);
  if (product.state().is_reduction()) order.push_back(product.reduce_axis(0));
  order.insert(order.end(), {mc, no, mo, mi, ni});
  product.Reorder(order);
  if (parallel == kOverMatrices) {
    product.Parallel(matrices.size() > 1 ? product.Fuse(matrices)
                                         : matrices[0]);
  } else {
    product.Parallel(parallel == kOverColumns ? nc : mc);
  }
  product.Unroll(mi).Vectorize(ni);

  schedule::Stage& tile = s[FindTagged(products, "matmul.tile")];
  tile.SetScope(expr::Scope::kLocal).ComputeAt(product, mo);
  ScheduleTile(tile, {tile.axis(4)}, tile.axis(5), mr * VectorsOf(target, nr),
               target);

  schedule::Stage& rows = s[FindTagged(products, "matmul.a")];
  rows.ComputeAt(product, mc);
  const auto [steps, lanes] = rows.Split(rows.axis(3), FloatLanes(target),
                                         schedule::Tail::kShiftInwards);
  rows.Vectorize(lanes);
  const te::Tensor packed = FindTagged(products, "matmul.b");
  if (!packed.defined()) return;
  schedule::Stage& columns = s[packed];
  columns.ComputeAt(product, product.reduce_axis(0));
  // Neighbouring panels are packed together, for longer contiguous reads of the
  // rows of b, which are a page or more apart.
  const auto [panels, panel] = columns.Split(columns.axis(1), kPanelsAtOnce,
                                             schedule::Tail::kShiftInwards);
  columns.Reorder({panels, columns.axis(2), panel, columns.axis(3)});
  if (parallel == kOverRows) columns.Parallel(panels);
  columns.Unroll(panel).Vectorize(columns.axis(3));
}

}  // namespace assay::ops
