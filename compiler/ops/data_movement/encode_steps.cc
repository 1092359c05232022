#include "compiler/ops/data_movement/encode_steps.h"

#include <variant>

#include "compiler/expr/expr_ops.h"
#include "compiler/graph/encoding/winograd.h"
#include "compiler/ops/data_movement/data_movement.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/schedule_generic.h"
#include "compiler/ops/stages.h"
#include "runtime/base/check.h"

namespace assay::ops {
namespace {

using expr::Expr;

constexpr char kRows[] = "filter.rows", kTiles[] = "filter.tiles";

te::Tensor Apply(const graph::PadStep& step, const te::Tensor& x) {
  graph::PadAttrs attrs;
  for (int d = 0; d < x.ndim(); ++d) {
    attrs.before.push_back(0);
    attrs.after.push_back(step.shape[d] - x.shape()[d]);
  }
  return PadConstant(x, attrs, step.shape);
}

te::Tensor Apply(const graph::CastStep& step, const te::Tensor& x) {
  return te::Compute(x.shape(), "cast", [&](const std::vector<Expr>& i) {
    return CastTo(step.dtype, x(i));
  });
}

te::Tensor Apply(const graph::ReshapeStep& step, const te::Tensor& x) {
  return Reshape(x, step.shape);
}

te::Tensor Apply(const graph::TransposeStep& step, const te::Tensor& x) {
  return Transpose(x, step.perm);
}

te::Tensor Apply(const graph::SplitStep&, const te::Tensor& x) {
  Shape shape = x.shape();
  shape.insert(shape.begin(), 2);
  return te::Compute(shape, "parts", [&](const std::vector<Expr>& i) {
    const Expr value = x(std::vector<Expr>(i.begin() + 1, i.end()));
    const Expr high = CastTo(DType::BFloat16(), value);
    const Expr low =
        CastTo(DType::BFloat16(), value - CastTo(DType::Float32(), high));
    return expr::SelectOf(expr::Eq(i[0], AsInt(0)), high, low);
  });
}

// Row `row` of the product of `matrix` with a vector. The schedule unrolls the
// loop over the rows, so that one case remains.
template <typename Vector>
Expr RowOf(const graph::Matrix& matrix, const Expr& row, const Vector& x) {
  const auto product = [&](int64_t r) {
    Expr sum;
    for (int64_t k = 0; k < matrix.columns; ++k) {
      if (matrix.at(r, k) == 0) continue;
      const Expr term = expr::Const(DType::Float64(), matrix.at(r, k)) * x(k);
      sum = sum.defined() ? sum + term : term;
    }
    return sum;
  };
  Expr result = product(matrix.rows - 1);
  for (int64_t r = matrix.rows - 2; r >= 0; --r) {
    result = expr::SelectOf(expr::Eq(row, AsInt(r)), product(r), result);
  }
  return result;
}

// G g, then (G g) G^T.
te::Tensor Apply(const graph::WinogradStep& step, const te::Tensor& g) {
  const graph::WinogradMatrices* w = graph::FindWinograd(step.m);
  CHECK(w != nullptr) << step.m;
  const int64_t filters = g.shape()[0], channels = g.shape()[1];
  const te::Tensor rows = te::Compute(
      {w->alpha, 3, channels, filters}, "rows",
      [&](const std::vector<Expr>& i) {
        return RowOf(w->filter, i[0], [&](int64_t k) {
          return CastTo(DType::Float64(), g(i[3], i[2], AsInt(k), i[1]));
        });
      },
      kRows);
  return te::Compute(
      {w->alpha, w->alpha, filters, channels}, "tiles",
      [&](const std::vector<Expr>& i) {
        return CastTo(DType::Float32(), RowOf(w->filter, i[1], [&](int64_t k) {
                        return rows(i[0], AsInt(k), i[3], i[2]);
                      }));
      },
      kTiles);
}

}  // namespace

te::Tensor EncodeTensor(const te::Tensor& plain,
                        const std::vector<graph::EncodingStep>& steps) {
  te::Tensor x = plain;
  for (const graph::EncodingStep& step : steps) {
    x = std::visit([&](const auto& s) { return Apply(s, x); }, step);
  }
  return x;
}

bool ScheduleFilterTiles(schedule::Schedule& s, const te::Tensor& output,
                         const target::Target& target) {
  const te::Tensor rows = FindTagged(output, kRows);
  // [alpha,alpha,filters/block,channels,block].
  if (!rows.defined() || output.ndim() != 5) return false;
  InlineOthers(s, output, target,
               [&](const te::Tensor& tensor) { return tensor.same_as(rows); });
  schedule::Stage& out = s[output];
  const schedule::Axis tile_row = out.axis(0), tile_column = out.axis(1);
  const schedule::Axis filters = out.axis(2), channel = out.axis(3);
  const schedule::Axis filter = out.axis(4);
  out.Reorder({filters, channel, tile_row, tile_column, filter});
  const schedule::Axis task = out.Fuse(filters, channel);
  out.Unroll(tile_row).Unroll(tile_column).Vectorize(filter);
  schedule::Stage& first = s[rows];
  first.SetScope(expr::Scope::kLocal).ComputeAt(out, task);
  first.Unroll(first.axis(0)).Unroll(first.axis(1));
  first.Vectorize(first.axis(3));
  out.Parallel(task);
  return true;
}

}  // namespace assay::ops
