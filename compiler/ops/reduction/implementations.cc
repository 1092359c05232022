#include "compiler/ops/reduction/implementations.h"

#include "compiler/ops/cost_model.h"
#include "compiler/ops/reduction/arg_reduce.h"
#include "compiler/ops/reduction/normalization.h"
#include "compiler/ops/reduction/pool2d.h"
#include "compiler/ops/reduction/reduce.h"
#include "compiler/ops/reduction/resample.h"
#include "compiler/ops/reduction/row_reduce.h"
#include "compiler/ops/reduction/tiled_reduction.h"
#include "compiler/ops/schedule_generic.h"
#include "compiler/ops/stages.h"

namespace assay::ops {
namespace {

using graph::OpKind;
using schedule::Schedule;
using target::Target;
using te::Tensor;

// Loads and combinations of a vector at a time: a tenth of the multiply-adds
// that the machine can do.
constexpr auto Seconds = RooflineAt<10>;

// The global pools are reductions over the spatial axes.
graph::ReduceAttrs ReduceAttrsOf(const OpInstance& op) {
  if (graph::IsReduce(op.kind)) return op.attrs_as<graph::ReduceAttrs>();
  graph::ReduceAttrs attrs;
  attrs.axes = {2, 3};
  attrs.keepdims = true;
  return attrs;
}

OpKind ReduceKindOf(OpKind kind) {
  if (kind == OpKind::kGlobalAvgPool2d) return OpKind::kReduceMean;
  if (kind == OpKind::kGlobalMaxPool2d) return OpKind::kReduceMax;
  return kind;
}

bool IsRows(const OpInstance& op, const Target&) {
  return ReducesRows(op.inputs[0].shape, ReduceAttrsOf(op).axes);
}
bool IsTiles(const OpInstance& op, const Target& target) {
  return !IsRows(op, target);
}

// How long a row is.
int64_t RowLength(const OpInstance& op) {
  const Shape& shape = op.inputs[0].shape;
  switch (op.kind) {
    case OpKind::kSoftmax:
    case OpKind::kLogSoftmax:
      return shape[op.attrs_as<graph::SoftmaxAttrs>().axis];
    case OpKind::kLayerNorm:
      return op.inputs[1].num_elements();
    default:
      return ReducedElements(shape, ReduceAttrsOf(op).axes);
  }
}

ConfigSpace RowsSpace(const OpInstance& op, const Target& target) {
  return RowSpace(RowLength(op), target);
}
Config RowsConfig(const OpInstance& op, const Target& target) {
  return DefaultRowConfig(RowLength(op), target);
}
ConfigSpace TilesSpace(const OpInstance& op, const Target& target) {
  return TileSpace(op.output.shape, target);
}
Config TilesConfig(const OpInstance& op, const Target& target) {
  return DefaultTileConfig(op.output.shape, target);
}

void ScheduleTiles(Schedule& s, const OpInstance&, const Tensor& anchor,
                   const Tensor& output, const Target& target,
                   const Config& config) {
  ScheduleTiledReduction(s, FindTagged(anchor, "reduction"), output, target,
                         config);
}

// The result has one element for each row.
void ScheduleReduced(Schedule& s, const OpInstance&, const Tensor&,
                     const Tensor& output, const Target& target,
                     const Config&) {
  ScheduleRows(s, output, output.ndim(), target);
}

// The result has the rows of the operand, whose last axis is reduced.
void ScheduleLastAxis(Schedule& s, const OpInstance&, const Tensor&,
                      const Tensor& output, const Target& target,
                      const Config&) {
  ScheduleRows(s, output, output.ndim() - 1, target);
}

void ScheduleColumns(Schedule& s, const OpInstance&, const Tensor&,
                     const Tensor& output, const Target& target,
                     const Config&) {
  ScheduleReduction(s, output, target);
}

Tensor ComputeMaxPool(const OpInstance& op, const Operands& in, const Target&,
                      const Config&) {
  return MaxPool2d(in[0], op.attrs_as<graph::Pool2dAttrs>(), op.output.shape);
}
Tensor ComputeAvgPool(const OpInstance& op, const Operands& in, const Target&,
                      const Config&) {
  return AvgPool2d(in[0], op.attrs_as<graph::Pool2dAttrs>(), op.output.shape);
}
Tensor ComputeReduce(const OpInstance& op, const Operands& in, const Target&,
                     const Config& config) {
  return Reduce(ReduceKindOf(op.kind), ReduceAttrsOf(op), in[0],
                op.output.shape, config);
}

bool IsArgOfRows(const OpInstance& op, const Target&) {
  return ReducesRows(op.inputs[0].shape,
                     {op.attrs_as<graph::ArgReduceAttrs>().axis});
}
bool IsArgOfTiles(const OpInstance& op, const Target& target) {
  return !IsArgOfRows(op, target);
}
Tensor ComputeArg(const OpInstance& op, const Operands& in, const Target&,
                  const Config&) {
  return ArgReduce(op.kind, op.attrs_as<graph::ArgReduceAttrs>(), in[0],
                   op.output.shape);
}
void ScheduleArg(Schedule& s, const OpInstance&, const Tensor&,
                 const Tensor& output, const Target& target, const Config&) {
  ScheduleArgRows(s, output, target);
}

Tensor ComputeResample(const OpInstance& op, const Operands& in, const Target&,
                       const Config&) {
  return Resample(in[0], in[1], in[2],
                  op.attrs_as<graph::ResampleAttrs>().axis);
}
Tensor ComputeGridSample(const OpInstance& op, const Operands& in,
                         const Target&, const Config&) {
  return GridSample(in[0], in[1], op.attrs_as<graph::GridSampleAttrs>());
}

bool IsLastAxis(const OpInstance& op, const Target&) {
  return op.attrs_as<graph::SoftmaxAttrs>().axis + 1 == op.output.rank();
}
bool IsOtherAxis(const OpInstance& op, const Target& target) {
  return !IsLastAxis(op, target);
}
Tensor ComputeSoftmax(const OpInstance& op, const Operands& in, const Target&,
                      const Config& config) {
  return Softmax(in[0], op.attrs_as<graph::SoftmaxAttrs>().axis, config);
}
Tensor ComputeLogSoftmax(const OpInstance& op, const Operands& in,
                         const Target&, const Config& config) {
  return LogSoftmax(in[0], op.attrs_as<graph::SoftmaxAttrs>().axis, config);
}
Tensor ComputeLayerNorm(const OpInstance& op, const Operands& in, const Target&,
                        const Config& config) {
  const auto& attrs = op.attrs_as<graph::LayerNormAttrs>();
  return LayerNorm(in[0], in[1], in[2], attrs.axis, attrs.epsilon, config);
}
void ScheduleLayerNorm(Schedule& s, const OpInstance&, const Tensor& anchor,
                       const Tensor& output, const Target& target,
                       const Config&) {
  const int row_axes = FindTagged(anchor, "row.final").ndim();
  ScheduleRows(s, output, row_axes, target);
}

constexpr Implementation kMaxPool2d[] = {
    {"max_pool2d.tiles", true, AlwaysApplies, TilesSpace, TilesConfig, Seconds,
     ComputeMaxPool, ScheduleTiles}};
constexpr Implementation kAvgPool2d[] = {
    {"avg_pool2d.tiles", true, AlwaysApplies, TilesSpace, TilesConfig, Seconds,
     ComputeAvgPool, ScheduleTiles}};

#define ASSAY_REDUCE_ROWS(kind, name, pattern, attrs, rule)            \
  constexpr Implementation kind[] = {                                  \
      {name ".rows", true, IsRows, RowsSpace, RowsConfig, Seconds,     \
       ComputeReduce, ScheduleReduced},                                \
      {name ".tiles", true, IsTiles, TilesSpace, TilesConfig, Seconds, \
       ComputeReduce, ScheduleTiles}};
ASSAY_FOR_EACH_REDUCE_OP(ASSAY_REDUCE_ROWS)
ASSAY_REDUCE_ROWS(kGlobalAvgPool2d, "global_avg_pool2d", , , )
ASSAY_REDUCE_ROWS(kGlobalMaxPool2d, "global_max_pool2d", , , )
#undef ASSAY_REDUCE_ROWS

constexpr Implementation kArgMax[] = {
    {"arg_max.rows", true, IsArgOfRows, NoSpace, NoConfig, Seconds, ComputeArg,
     ScheduleArg},
    {"arg_max.tiles", true, IsArgOfTiles, TilesSpace, TilesConfig, Seconds,
     ComputeArg, ScheduleTiles}};
constexpr Implementation kArgMin[] = {
    {"arg_min.rows", true, IsArgOfRows, NoSpace, NoConfig, Seconds, ComputeArg,
     ScheduleArg},
    {"arg_min.tiles", true, IsArgOfTiles, TilesSpace, TilesConfig, Seconds,
     ComputeArg, ScheduleTiles}};

constexpr Implementation kResample[] = {{"resample.tiles", true, AlwaysApplies,
                                         TilesSpace, TilesConfig, Seconds,
                                         ComputeResample, ScheduleTiles}};
constexpr Implementation kGridSample[] = {
    {"grid_sample.taps", true, AlwaysApplies, NoSpace, NoConfig, Seconds,
     ComputeGridSample, ScheduleColumns}};

constexpr Implementation kSoftmax[] = {
    {"softmax.rows", true, IsLastAxis, RowsSpace, RowsConfig, Seconds,
     ComputeSoftmax, ScheduleLastAxis},
    {"softmax.columns", true, IsOtherAxis, NoSpace, NoConfig, Seconds,
     ComputeSoftmax, ScheduleColumns}};
constexpr Implementation kLogSoftmax[] = {
    {"log_softmax.rows", true, IsLastAxis, RowsSpace, RowsConfig, Seconds,
     ComputeLogSoftmax, ScheduleLastAxis},
    {"log_softmax.columns", true, IsOtherAxis, NoSpace, NoConfig, Seconds,
     ComputeLogSoftmax, ScheduleColumns}};
constexpr Implementation kLayerNorm[] = {
    {"layer_norm.rows", true, AlwaysApplies, RowsSpace, RowsConfig, Seconds,
     ComputeLayerNorm, ScheduleLayerNorm}};

}  // namespace

absl::Span<const Implementation> ReductionImplementations(OpKind kind) {
  switch (kind) {
#define ASSAY_REDUCE_CASE(kind, name, pattern, attrs, rule) \
  case OpKind::kind:                                        \
    return kind;
    ASSAY_FOR_EACH_REDUCE_OP(ASSAY_REDUCE_CASE)
    ASSAY_REDUCE_CASE(kMaxPool2d, , , , )
    ASSAY_REDUCE_CASE(kAvgPool2d, , , , )
    ASSAY_REDUCE_CASE(kGlobalAvgPool2d, , , , )
    ASSAY_REDUCE_CASE(kGlobalMaxPool2d, , , , )
    ASSAY_REDUCE_CASE(kArgMax, , , , )
    ASSAY_REDUCE_CASE(kArgMin, , , , )
    ASSAY_REDUCE_CASE(kResample, , , , )
    ASSAY_REDUCE_CASE(kGridSample, , , , )
    ASSAY_REDUCE_CASE(kSoftmax, , , , )
    ASSAY_REDUCE_CASE(kLogSoftmax, , , , )
    ASSAY_REDUCE_CASE(kLayerNorm, , , , )
#undef ASSAY_REDUCE_CASE
    default:
      return {};
  }
}

}  // namespace assay::ops
