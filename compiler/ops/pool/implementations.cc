// The kernels of the pooling operators.
#include "compiler/ops/conv/pad.h"
#include "compiler/ops/kernel_rule.h"
#include "compiler/ops/pool/pool2d.h"
#include "compiler/ops/reduction/templates.h"

namespace assay::ops {
namespace {

using graph::OpKind;
using target::Target;
using te::Tensor;

Tensor ComputeMaxPool(const OpInstance& op, const Operands& in, const Target&,
                      const Config&) {
  return MaxPool2d(in[0], op.attrs_as<graph::Pool2dAttrs>(),
                   op.stored_output.shape);
}
Tensor ComputeAvgPool(const OpInstance& op, const Operands& in, const Target&,
                      const Config&) {
  return AvgPool2d(in[0], op.attrs_as<graph::Pool2dAttrs>(),
                   op.stored_output.shape);
}

Config PoolConfig(const OpInstance& op, const Target& target) {
  const auto& window = op.attrs_as<graph::Pool2dAttrs>().kernel;
  Config config = TileTemplateConfig(op, target);
  if (NumElements(window) <= kStepsToInlinePad) {
    config.SetKnob("inline_pad", 1);
  }
  return config;
}

constexpr Implementation kMaxPool2d[] = {
    {"max_pool2d.tiles", AlwaysApplies, TileTemplateSpace, PoolConfig,
     ReductionSeconds, ComputeMaxPool, ScheduleTileTemplate}};
constexpr Implementation kAvgPool2d[] = {
    {"avg_pool2d.tiles", AlwaysApplies, TileTemplateSpace, PoolConfig,
     ReductionSeconds, ComputeAvgPool, ScheduleTileTemplate}};

constexpr Implementation kGlobalAvgPool2d[] = {
    {"global_avg_pool2d.rows", ReduceRowsApply, RowTemplateSpace,
     RowTemplateConfig, ReductionSeconds, ComputeReduce, ScheduleReducedRows},
    {"global_avg_pool2d.tiles", ReduceTilesApply, TileTemplateSpace,
     TileTemplateConfig, ReductionSeconds, ComputeReduce,
     ScheduleTileTemplate}};
constexpr Implementation kGlobalMaxPool2d[] = {
    {"global_max_pool2d.rows", ReduceRowsApply, RowTemplateSpace,
     RowTemplateConfig, ReductionSeconds, ComputeReduce, ScheduleReducedRows},
    {"global_max_pool2d.tiles", ReduceTilesApply, TileTemplateSpace,
     TileTemplateConfig, ReductionSeconds, ComputeReduce,
     ScheduleTileTemplate}};

}  // namespace

KernelRule Pool2dKernel(OpKind op) {
  return {op == OpKind::kMaxPool2d ? kMaxPool2d : kAvgPool2d};
}

KernelRule GlobalPool2dKernel(OpKind op) {
  return {op == OpKind::kGlobalMaxPool2d ? kGlobalMaxPool2d : kGlobalAvgPool2d};
}

}  // namespace assay::ops
