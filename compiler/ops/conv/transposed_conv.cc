#include "compiler/ops/conv/transposed_conv.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/ops/apply_config.h"
#include "compiler/ops/conv/conv_tile.h"
#include "compiler/ops/conv/pad.h"
#include "compiler/ops/cost_model.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/schedule_generic.h"
#include "compiler/ops/stages.h"

namespace assay::ops {
namespace {

using expr::Expr;
using expr::ReduceAxis;
using graph::Conv2dTransposeAttrs;

// Each phase has its own code.
constexpr int64_t kMostPhases = 16;

// The taps of one phase of an axis: first, first + step, … The r-th of them
// reads element q + offset - r * back of the data for the q-th result.
struct PhaseAxis {
  int64_t taps = 0;
  int64_t first = 0, step = 1;
  int64_t offset = 0, back = 1;
};

// Phase `phase` of axis `d` (0: rows, 1: columns) of a kernel of `extent` taps.
PhaseAxis PhaseOf(const Conv2dTransposeAttrs& attrs, int d, int64_t phase,
                  int64_t extent) {
  const int64_t stride = attrs.strides[d], dilation = attrs.dilations[d];
  const int64_t common = std::gcd(stride, dilation);
  PhaseAxis axis;
  axis.step = stride / common;
  axis.back = dilation / common;
  for (int64_t k = 0; k < extent; ++k) {
    const int64_t distance = phase + attrs.padding[d] - k * dilation;
    if (distance % stride != 0) continue;
    if (axis.taps++ > 0) continue;
    axis.first = k;
    axis.offset = distance / stride;
  }
  return axis;
}

// All phases of both axes.
struct Phases {
  std::vector<PhaseAxis> axes[2];
  int64_t results[2] = {0, 0};  // results of the longest phase
  // Elements of padding before the data, and elements that are read.
  int64_t before[2] = {0, 0}, extent[2] = {0, 0};

  int64_t taps() const {
    int64_t rows = 0, columns = 0;
    for (const PhaseAxis& axis : axes[0]) rows += axis.taps;
    for (const PhaseAxis& axis : axes[1]) columns += axis.taps;
    return rows * columns;
  }
};

Phases PhasesOf(const OpInstance& op) {
  const auto& attrs = op.attrs_as<Conv2dTransposeAttrs>();
  Phases phases;
  for (int d = 0; d < 2; ++d) {
    phases.results[d] =
        CeilDiv(op.stored_output.shape[d + 2], attrs.strides[d]);
    int64_t first = 0, last = 0;
    for (int64_t phase = 0; phase < attrs.strides[d]; ++phase) {
      const PhaseAxis axis =
          PhaseOf(attrs, d, phase, op.stored[1].shape[d + 2]);
      phases.axes[d].push_back(axis);
      if (axis.taps == 0) continue;
      first = std::min(first, axis.offset - (axis.taps - 1) * axis.back);
      last = std::max(last, axis.offset + phases.results[d] - 1);
    }
    phases.before[d] = -first;
    phases.extent[d] = last - first + 1;
  }
  return phases;
}

// Sum of the lengths of the reductions of all phases.
int64_t Steps(const OpInstance& op) {
  const Shape& weights = op.stored[1].shape;
  return weights[1] * weights[4] * PhasesOf(op).taps();
}

// The convolution of phase (a, b).
te::Tensor Phase(const te::Tensor& padded, const te::Tensor& weights,
                 const ChannelGroups& groups, const Phases& phases, int64_t a,
                 int64_t b) {
  const PhaseAxis &y = phases.axes[0][a], &x = phases.axes[1][b];
  const Shape& w = weights.shape();
  const ReduceAxis ic_o = te::MakeReduceAxis(w[1], "ic.o");
  const ReduceAxis kh = te::MakeReduceAxis(y.taps, "kh");
  const ReduceAxis kw = te::MakeReduceAxis(x.taps, "kw");
  const ReduceAxis ic_i = te::MakeReduceAxis(w[4], "ic.i");
  const auto element = [](const Expr& q, const PhaseAxis& axis,
                          const ReduceAxis& tap, int64_t before) {
    return q + AsInt(axis.offset + before) - tap.var * AsInt(axis.back);
  };
  const auto tap_of = [](const PhaseAxis& axis, const ReduceAxis& tap) {
    return tap.var * AsInt(axis.step) + AsInt(axis.first);
  };
  return te::Compute(
      {padded.shape()[0], w[0], phases.results[0], phases.results[1], w[5]},
      absl::StrCat("phase.", a, ".", b),
      [&](const std::vector<Expr>& i) {
        const auto [block, channel] =
            groups.Channel(i[1], i[4], ic_o.var, ic_i.var);
        const Expr pixel =
            padded(i[0], block, element(i[2], y, kh, phases.before[0]),
                   element(i[3], x, kw, phases.before[1]), channel);
        const Expr weight = weights(i[1], ic_o.var, tap_of(y, kh),
                                    tap_of(x, kw), ic_i.var, i[4]);
        return te::Sum(pixel * weight, {ic_o, kh, kw, ic_i});
      },
      "phase", {"n", "oc.o", "q", "p", "oc.i"});
}

// Average length of the reduction of a phase.
int64_t PhaseSteps(const OpInstance& op, const Phases& phases) {
  const auto count =
      static_cast<int64_t>(phases.axes[0].size() * phases.axes[1].size());
  return std::max<int64_t>(1, Steps(op) / count);
}

}  // namespace

std::optional<BlockSizes> ChooseTransposedBlocks(
    const target::Target& target, const Conv2dTransposeAttrs& attrs,
    const graph::TensorType& data, const graph::TensorType& weights) {
  if (attrs.strides[0] * attrs.strides[1] > kMostPhases) return std::nullopt;
  return ChooseChannelBlocks(target, data.shape[1],
                             weights.shape[1] * attrs.groups, attrs.groups);
}

bool TransposedPhasesApply(const OpInstance& op, const target::Target&) {
  return op.encoding<graph::FilterBlocks>(1) != nullptr;
}

te::Tensor TransposedPhases(const OpInstance& op, const Operands& in,
                            const target::Target&, const Config&) {
  const auto& attrs = op.attrs_as<Conv2dTransposeAttrs>();
  const ChannelGroups groups = ChannelGroupsOf(op);
  const Phases phases = PhasesOf(op);
  const Expr zero = expr::Const(in[0].dtype(), 0);
  PadWindow window;
  window.top = phases.before[0];
  window.left = phases.before[1];
  window.height = phases.extent[0];
  window.width = phases.extent[1];
  const te::Tensor padded = Pad(in[0], window, zero);
  const int64_t height = attrs.strides[0], width = attrs.strides[1];
  // Indexed by row and column of the phase; undefined if the phase has no taps.
  std::vector<te::Tensor> results;
  for (int64_t a = 0; a < height; ++a) {
    for (int64_t b = 0; b < width; ++b) {
      const bool met = phases.axes[0][a].taps > 0 && phases.axes[1][b].taps > 0;
      results.push_back(met ? Phase(padded, in[1], groups, phases, a, b)
                            : te::Tensor());
    }
  }
  return te::Compute(
      op.stored_output.shape, "conv2d_transpose",
      [&](const std::vector<Expr>& i) {
        const Expr q = i[2] / AsInt(height), p = i[3] / AsInt(width);
        Expr value;
        for (size_t k = results.size(); k-- > 0;) {
          const Expr here =
              results[k].defined() ? results[k](i[0], i[1], q, p, i[4]) : zero;
          const int a = AsInt(k / width), b = AsInt(k % width);
          value = value.defined()
                      ? expr::SelectOf(expr::Eq(i[2] % AsInt(height), a) &&
                                           expr::Eq(i[3] % AsInt(width), b),
                                       here, value)
                      : here;
        }
        return value;
      },
      "conv2d_transpose", {"n", "oc.o", "oh", "ow", "oc.i"});
}

ConfigSpace TransposedPhasesSpace(const OpInstance& op,
                                  const target::Target& target) {
  return ConvTileSpace(ChannelGroupsOf(op), PhasesOf(op).results[1], target);
}

Config DefaultTransposedPhasesConfig(const OpInstance& op,
                                     const target::Target& target) {
  const Phases phases = PhasesOf(op);
  return DefaultConvTile(ChannelGroupsOf(op), phases.results[1],
                         WorkOf(op, PhaseSteps(op, phases)), target);
}

double TransposedPhasesSeconds(const OpInstance& op,
                               const target::Target& target,
                               const Config& config) {
  const Phases phases = PhasesOf(op);
  const Shape& output = op.stored_output.shape;
  const auto rows = static_cast<double>(output[0] * phases.results[0] *
                                        output[1] / config.Knob("tile_oc"));
  const double cycles = ConvTileCycles(ChannelGroupsOf(op), phases.results[1],
                                       PhaseSteps(op, phases), target, config) *
                        rows * static_cast<double>(Steps(op));
  return std::max(Seconds(target, cycles), static_cast<double>(Bytes(op)) /
                                               Bandwidth(target, Bytes(op)));
}

void ScheduleTransposedPhases(schedule::Schedule& s, const OpInstance& op,
                              const te::Tensor&, const te::Tensor& output,
                              const target::Target& target,
                              const Config& config) {
  using schedule::Axis;
  const auto& attrs = op.attrs_as<Conv2dTransposeAttrs>();
  std::vector<te::Tensor> phases;
  const auto is_phase = [&](const te::Tensor& tensor) {
    if (tensor->tag != "phase") return false;
    phases.push_back(tensor);
    return true;
  };
  InlineOrWritePad(s, output, is_phase, target, config);

  schedule::Stage& out = s[output];
  const ChannelGroups groups = ChannelGroupsOf(op);
  const FilterLoops filters = SplitFilters(out, groups, config);
  const auto [q, a] = out.Split(out.axis(2), attrs.strides[0]);
  const auto [p, b] = out.Split(out.axis(3), attrs.strides[1]);
  std::vector<Axis> rows = {out.axis(0)};
  rows.insert(rows.end(), filters.parts.begin(), filters.parts.end());
  rows.push_back(q);
  std::vector<Axis> order = rows;
  order.insert(order.end(), filters.groups.begin(), filters.groups.end());
  order.insert(order.end(), {a, filters.block, p, b, filters.lane});
  out.Reorder(order);
  const Axis shared = out.Fuse(rows);
  out.Parallel(shared).Unroll(a).Unroll(b).Vectorize(filters.lane);
  const Axis at = filters.groups.empty() ? shared : filters.groups.back();
  // Each phase writes a whole row to memory. Accumulators that stayed in
  // registers until they are interleaved would take those of the next phase.
  for (const te::Tensor& phase : phases) {
    schedule::Stage& sums = s[s.CacheWrite(phase, expr::Scope::kLocal)];
    schedule::Stage& row = s[phase];
    row.ComputeAt(out, at);
    const auto columns = ApplySplit(row, row.axis(3), config.Split("tile_ow"),
                                    schedule::Tail::kShiftInwards);
    row.Reorder(
        {row.axis(2), columns[0], row.axis(1), columns[1], row.axis(4)});
    row.Unroll(row.axis(1)).Unroll(columns[1]).Vectorize(row.axis(4));
    sums.ComputeAt(row, columns[0]);
    ScheduleSums(sums, groups, target, config);
  }
}

}  // namespace assay::ops
