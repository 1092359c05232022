// Interpolation operators: resample and grid_sample.
//
// Both are weighted sums over taps, in one stage tagged "reduction". The taps
// of resample are given as tables. The taps of grid_sample are computed first,
// once for all channels, into tables; these stages are tagged "pad" so that the
// generic schedule does not inline them.
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/intrinsics.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/kernel_rule.h"
#include "compiler/ops/reduction/templates.h"

namespace assay::ops {
namespace {

using expr::Expr;

Expr Inside(const Expr& index, int64_t extent) {
  return expr::Min(expr::Max(index, 0), AsInt(extent - 1));
}

Expr Number(double x) { return expr::Const(DType::Float32(), x); }

// Maps a normalized coordinate in [-1, 1] to an axis of `extent` elements.
Expr Coordinate(const Expr& g, int64_t extent, bool align_corners) {
  const auto n = static_cast<double>(extent);
  const Expr x = align_corners
                     ? (g + Number(1)) * Number((n - 1) / 2)
                     : ((g + Number(1)) * Number(n) - Number(1)) * Number(0.5);
  // Clamped to fit an int32; all positions far outside are equivalent.
  const Expr most = Number(1 << 24);
  return expr::Max(-most, expr::Min(most, x));
}

// Keys' cubic convolution kernel with a = -0.75, for distances d < 1 (Near) and
// 1 <= d < 2 (Far).
Expr CubicNear(const Expr& d) {
  return ((Number(1.25) * d - Number(2.25)) * d) * d + Number(1);
}
Expr CubicFar(const Expr& d) {
  return ((Number(-0.75) * d + Number(3.75)) * d - Number(6)) * d + Number(3);
}

// The element and the weight of tap `tap` at coordinate x.
struct Tap {
  Expr index, weight;
};

Tap TapAt(const Expr& x, const Expr& tap, int64_t taps) {
  const auto whole = [](const Expr& v) {
    return expr::Cast::Make(DType::Int32(), v);
  };
  if (taps == 1)
    return {whole(expr::CallOf(expr::Intrinsic::kRound, {x})), Number(1)};
  const Expr base = expr::CallOf(expr::Intrinsic::kFloor, {x});
  const Expr f = x - base;
  if (taps == 2) {
    return {whole(base) + tap,
            expr::SelectOf(expr::Eq(tap, 0), Number(1) - f, f)};
  }
  const Expr weight = expr::SelectOf(
      tap < 2,
      expr::SelectOf(expr::Eq(tap, 0), CubicFar(f + Number(1)), CubicNear(f)),
      expr::SelectOf(expr::Eq(tap, 2), CubicNear(Number(1) - f),
                     CubicFar(Number(2) - f)));
  return {whole(base) + tap - 1, weight};
}

// Reflects index i, which may be out of range, into the axis.
Expr Mirrored(const Expr& i, int64_t extent, bool align_corners) {
  if (extent == 1) return 0;
  const int n = AsInt(extent);
  const int period = align_corners ? 2 * (n - 1) : 2 * n;
  const Expr place = i % period;  // not negative
  const int last = align_corners ? period : period - 1;
  return expr::SelectOf(place < n, place, expr::Expr(last) - place);
}

// Element i along the axis is the sum over k of weights[i, k] * x[indices[i,
// k]]; indices are clamped to the axis.
te::Tensor Resample(const te::Tensor& x, const te::Tensor& indices,
                    const te::Tensor& weights, int64_t axis) {
  const te::ReduceAxis tap = te::MakeReduceAxis(indices.shape()[1], "tap");
  Shape output = x.shape();
  output[axis] = indices.shape()[0];
  return te::Compute(
      output, "resample",
      [&](const std::vector<Expr>& i) {
        std::vector<Expr> source = i;
        source[axis] = Inside(indices(i[axis], tap.var), x.shape()[axis]);
        return te::Sum(weights(i[axis], tap.var) * x(source), {tap});
      },
      "reduction");
}

// `x` is [N,C,spatial…]; `grid` is [N,output…,axes], last spatial axis first.
te::Tensor GridSample(const te::Tensor& x, const te::Tensor& grid,
                      const graph::GridSampleAttrs& attrs) {
  const int axes = x.ndim() - 2;
  const Shape spatial(x.shape().begin() + 2, x.shape().end());
  int64_t taps = 1;
  for (int d = 0; d < axes; ++d) taps *= attrs.taps;
  Shape points(grid.shape().begin(), grid.shape().end() - 1);
  Shape table = points;
  table.push_back(taps);
  // The taps of axis d at a point; `i` is an index of the table.
  const auto tap_of = [&](const std::vector<Expr>& i, int d) {
    int64_t inner = 1;
    for (int later = d + 1; later < axes; ++later) inner *= attrs.taps;
    std::vector<Expr> at(i.begin(), i.end() - 1);
    at.push_back(axes - 1 - d);
    const Expr tap = i.back() / AsInt(inner) % AsInt(attrs.taps);
    return TapAt(Coordinate(grid(at), spatial[d], attrs.align_corners), tap,
                 attrs.taps);
  };
  const te::Tensor indices = te::Compute(
      table, "indices",
      [&](const std::vector<Expr>& i) {
        Expr flat = 0;
        for (int d = 0; d < axes; ++d) {
          Expr index = tap_of(i, d).index;
          if (attrs.reflect) {
            index = Mirrored(index, spatial[d], attrs.align_corners);
          }
          flat = flat * AsInt(spatial[d]) + Inside(index, spatial[d]);
        }
        return flat;
      },
      "pad");
  const te::Tensor weights = te::Compute(
      table, "weights",
      [&](const std::vector<Expr>& i) {
        Expr weight = Number(1);
        for (int d = 0; d < axes; ++d) {
          const Tap tap = tap_of(i, d);
          Expr factor = tap.weight;
          if (!attrs.border && !attrs.reflect) {
            factor =
                expr::SelectOf(tap.index >= 0 && tap.index < AsInt(spatial[d]),
                               factor, Number(0));
          }
          weight = d == 0 ? factor : weight * factor;
        }
        return weight;
      },
      "pad");
  Shape output = {x.shape()[0], x.shape()[1]};
  output.insert(output.end(), points.begin() + 1, points.end());
  const te::ReduceAxis tap = te::MakeReduceAxis(taps, "tap");
  return te::Compute(
      output, "grid_sample",
      [&](const std::vector<Expr>& i) {
        std::vector<Expr> at = {i[0]};
        at.insert(at.end(), i.begin() + 2, i.end());
        at.push_back(tap.var);
        Expr flat = indices(at);
        std::vector<Expr> source(axes);
        for (int d = axes - 1; d >= 0; --d) {
          source[d] = d == 0 ? flat : flat % AsInt(spatial[d]);
          flat = flat / AsInt(spatial[d]);
        }
        source.insert(source.begin(), {i[0], i[1]});
        return te::Sum(weights(at) * x(source), {tap});
      },
      "reduction");
}

te::Tensor ComputeResample(const OpInstance& op, const Operands& in,
                           const target::Target&, const Config&) {
  return Resample(in[0], in[1], in[2],
                  op.attrs_as<graph::ResampleAttrs>().axis);
}

te::Tensor ComputeGridSample(const OpInstance& op, const Operands& in,
                             const target::Target&, const Config&) {
  return GridSample(in[0], in[1], op.attrs_as<graph::GridSampleAttrs>());
}

constexpr Implementation kResample[] = {
    {"resample.tiles", AlwaysApplies, TileTemplateSpace, TileTemplateConfig,
     ReductionSeconds, ComputeResample, ScheduleTileTemplate}};
constexpr Implementation kGridSample[] = {
    {"grid_sample.taps", AlwaysApplies, NoSpace, NoConfig, ReductionSeconds,
     ComputeGridSample, ScheduleReductionColumns}};

}  // namespace

KernelRule ResampleKernel(graph::OpKind) { return {kResample}; }

KernelRule GridSampleKernel(graph::OpKind) { return {kGridSample}; }

}  // namespace assay::ops
