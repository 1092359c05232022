// The kernels of softmax, log_softmax and layer_norm.
#include "compiler/ops/kernel_rule.h"
#include "compiler/ops/normalization/normalization.h"
#include "compiler/ops/reduction/row_reduce.h"
#include "compiler/ops/reduction/templates.h"
#include "compiler/ops/stages.h"

namespace assay::ops {
namespace {

using graph::OpKind;
using schedule::Schedule;
using target::Target;
using te::Tensor;

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

constexpr Implementation kSoftmax[] = {
    {"softmax.rows", IsLastAxis, RowTemplateSpace, RowTemplateConfig,
     ReductionSeconds, ComputeSoftmax, ScheduleLastAxisRows},
    {"softmax.columns", IsOtherAxis, NoSpace, NoConfig, ReductionSeconds,
     ComputeSoftmax, ScheduleReductionColumns}};
constexpr Implementation kLogSoftmax[] = {
    {"log_softmax.rows", IsLastAxis, RowTemplateSpace, RowTemplateConfig,
     ReductionSeconds, ComputeLogSoftmax, ScheduleLastAxisRows},
    {"log_softmax.columns", IsOtherAxis, NoSpace, NoConfig, ReductionSeconds,
     ComputeLogSoftmax, ScheduleReductionColumns}};
constexpr Implementation kLayerNorm[] = {
    {"layer_norm.rows", AlwaysApplies, RowTemplateSpace, RowTemplateConfig,
     ReductionSeconds, ComputeLayerNorm, ScheduleLayerNorm}};

}  // namespace

// A graph pass decomposes batch_norm into element-wise operators.
KernelRule BatchNormKernel(OpKind) { return {}; }

KernelRule SoftmaxKernel(OpKind op) {
  return {op == OpKind::kSoftmax ? kSoftmax : kLogSoftmax};
}

KernelRule LayerNormKernel(OpKind) { return {kLayerNorm}; }

}  // namespace assay::ops
