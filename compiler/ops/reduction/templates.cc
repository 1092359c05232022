#include "compiler/ops/reduction/templates.h"

#include "compiler/ops/reduction/reduce.h"
#include "compiler/ops/reduction/row_reduce.h"
#include "compiler/ops/reduction/tiled_reduction.h"
#include "compiler/ops/schedule_generic.h"
#include "compiler/ops/stages.h"

namespace assay::ops {

using graph::OpKind;
using schedule::Schedule;
using target::Target;
using te::Tensor;

namespace {

// The global pools reduce the spatial axes.
graph::ReduceAttrs ReduceAttrsOf(const OpInstance& op) {
  if (graph::IsReduce(op.kind)) return op.attrs_as<graph::ReduceAttrs>();
  graph::ReduceAttrs attrs;
  attrs.axes = {2, 3};
  attrs.keepdims = true;
  return attrs;
}

OpKind ReduceKindOf(OpKind kind) {
  return kind == OpKind::kGlobalAvgPool2d ? OpKind::kReduceMean : kind;
}

// The number of elements of a row.
int64_t RowLength(const OpInstance& op) {
  const Shape& shape = op.stored[0].shape;
  switch (op.kind) {
    case OpKind::kSoftmax:
    case OpKind::kLogSoftmax:
      return shape[op.attrs_as<graph::SoftmaxAttrs>().axis];
    case OpKind::kLayerNorm:
      return NumElements(op.stored[1].shape);
    default:
      return ReducedElements(shape, ReduceAttrsOf(op).axes);
  }
}

}  // namespace

bool ReduceRowsApply(const OpInstance& op, const Target&) {
  return ReducesRows(op.stored[0].shape, ReduceAttrsOf(op).axes);
}

bool ReduceTilesApply(const OpInstance& op, const Target& target) {
  return !ReduceRowsApply(op, target);
}

ConfigSpace RowTemplateSpace(const OpInstance& op, const Target& target) {
  return RowSpace(RowLength(op), target);
}

Config RowTemplateConfig(const OpInstance& op, const Target& target) {
  return DefaultRowConfig(RowLength(op), target);
}

ConfigSpace TileTemplateSpace(const OpInstance& op, const Target& target) {
  return TileSpace(op.stored_output.shape, target);
}

Config TileTemplateConfig(const OpInstance& op, const Target& target) {
  return DefaultTileConfig(op.stored_output.shape, target);
}

void ScheduleTileTemplate(Schedule& s, const OpInstance&, const Tensor& anchor,
                          const Tensor& output, const Target& target,
                          const Config& config) {
  ScheduleTiledReduction(s, FindTagged(anchor, "reduction"), output, target,
                         config);
}

void ScheduleReducedRows(Schedule& s, const OpInstance&, const Tensor&,
                         const Tensor& output, const Target& target,
                         const Config&) {
  ScheduleRows(s, output, output.ndim(), target);
}

void ScheduleLastAxisRows(Schedule& s, const OpInstance&, const Tensor&,
                          const Tensor& output, const Target& target,
                          const Config&) {
  ScheduleRows(s, output, output.ndim() - 1, target);
}

void ScheduleReductionColumns(Schedule& s, const OpInstance&, const Tensor&,
                              const Tensor& output, const Target& target,
                              const Config&) {
  ScheduleReduction(s, output, target);
}

Tensor ComputeReduce(const OpInstance& op, const Operands& in, const Target&,
                     const Config& config) {
  return Reduce(ReduceKindOf(op.kind), ReduceAttrsOf(op), in[0],
                op.stored_output.shape, config);
}

}  // namespace assay::ops
