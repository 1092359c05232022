#include "compiler/ops/matmul/blocked_matmul.h"

#include <algorithm>
#include <vector>

#include "absl/strings/match.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/matmul/block_sizes.h"
#include "compiler/ops/matmul/packing.h"
#include "compiler/ops/register_tile.h"
#include "compiler/ops/schedule_generic.h"
#include "compiler/ops/stages.h"

namespace assay::ops {
namespace {

using expr::Expr;

constexpr int64_t kPanelsAtOnce = 4;

}  // namespace

bool BlockedMatmulApplies(const OpInstance& op, const target::Target& target) {
  if (!op.output.dtype.is_float()) return false;
  const int64_t lanes = FloatLanes(target);
  if (op.kind == graph::OpKind::kPackedDense) {
    const int64_t width = op.inputs[1].shape[2];
    return width == lanes || width == 2 * lanes || width == 4 * lanes;
  }
  if (!IsMatrixProduct(op)) return false;
  const MatmulSizes s = SizesOf(op);
  return s.m >= kMinRows && s.n >= lanes && s.k >= kMinSteps;
}

ConfigSpace BlockedMatmulSpace(const OpInstance& op,
                               const target::Target& target) {
  return BlockSpace(SizesOf(op), target, DefaultBlockedMatmulConfig(op, target),
                    /*depth=*/1);
}

Config DefaultBlockedMatmulConfig(const OpInstance& op,
                                  const target::Target& target) {
  return DefaultBlocks(SizesOf(op), target, op.output.dtype.bytes(),
                       /*depth=*/1);
}

te::Tensor BlockedMatmul(const OpInstance& op, const Operands& in,
                         const target::Target&, const Config& config) {
  const te::Tensor &a = in[0], &b = in[1];
  const int64_t mr = config.Knob("mr"), nr = config.Knob("nr");
  const bool packed = op.kind == graph::OpKind::kPackedDense;
  const int64_t kc = config.Knob("kc");
  const int64_t blocks = CeilDiv(packed ? b.shape()[1] : a.shape()[1], kc);
  const te::Tensor rows = PackRows(a, mr, blocks * kc, op.output.dtype);
  const te::Tensor columns =
      packed ? b : PackColumns(b, nr, blocks * kc, op.output.dtype);
  const expr::ReduceAxis ki = te::MakeReduceAxis(kc, "k.i");
  // Over whole panels, which the result may end inside of.
  const te::Tensor tiles = te::Compute(
      {blocks, rows.shape()[0], columns.shape()[0], mr, nr}, "tile",
      [&](const std::vector<Expr>& i) {
        const Expr k = i[0] * AsInt(kc) + ki.var;
        return te::Sum(rows(i[1], i[3], k) * columns(i[2], k, i[4]), {ki});
      },
      "matmul.tile", {"k.o", "m.o", "n.o", "m.i", "n.i"});
  const expr::ReduceAxis ko = te::MakeReduceAxis(blocks, "k.o");
  return te::Compute(op.output.shape, "matmul",
                     [&](const std::vector<Expr>& i) {
                       return te::Sum(
                           tiles(ko.var, i[0] / AsInt(mr), i[1] / AsInt(nr),
                                 i[0] % AsInt(mr), i[1] % AsInt(nr)),
                           {ko});
                     },
                     "matmul", {"m", "n"});
}

void ScheduleBlockedMatmul(schedule::Schedule& s, const OpInstance&,
                           const te::Tensor& matmul, const te::Tensor& output,
                           const target::Target& target, const Config& config) {
  InlineOthers(s, output, [&](const te::Tensor& tensor) {
    return absl::StartsWith(tensor->tag, "matmul");
  });
  if (!matmul.same_as(output)) ParallelizeRows(s, output, target);

  const int64_t mr = config.Knob("mr"), nr = config.Knob("nr");
  schedule::Stage& product = s[matmul];
  const auto [mc, m] = product.Split(product.axis(0), config.Knob("mc") * mr);
  const auto [nc, n] = product.Split(product.axis(1), config.Knob("nc") * nr);
  const auto [mo, mi] = product.Split(m, mr);
  const auto [no, ni] = product.Split(n, nr);
  const schedule::Axis k = product.reduce_axis(0);
  product.Reorder({nc, k, mc, no, mo, mi, ni});
  const bool apart = config.Knob("apart") != 0;
  product.Parallel(apart ? nc : mc).Unroll(mi).Vectorize(ni);

  schedule::Stage& tile = s[FindTagged(output, "matmul.tile")];
  tile.SetScope(expr::Scope::kLocal).ComputeAt(product, mo);
  ScheduleTile(tile, {tile.axis(3)}, tile.axis(4), mr * VectorsOf(target, nr),
               target);

  schedule::Stage& rows = s[FindTagged(output, "matmul.a")];
  rows.ComputeAt(product, mc);
  const auto [steps, lanes] =
      rows.Split(rows.axis(2), FloatLanes(target), schedule::Tail::kShift);
  rows.Vectorize(lanes);
  const te::Tensor packed = FindTagged(output, "matmul.b");
  if (!packed.defined()) return;
  schedule::Stage& columns = s[packed];
  columns.ComputeAt(product, k);
  // Neighbouring panels together: longer runs of each of B's rows, which lie a
  // page or more apart.
  const auto [panels, panel] =
      columns.Split(columns.axis(0), kPanelsAtOnce, schedule::Tail::kShift);
  columns.Reorder({panels, columns.axis(1), panel, columns.axis(2)});
  if (!apart) columns.Parallel(panels);
  columns.Unroll(panel).Vectorize(columns.axis(2));
}

}  // namespace assay::ops
