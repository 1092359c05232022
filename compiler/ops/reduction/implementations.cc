// The kernels of reduce_*, arg_max and arg_min.
#include "compiler/ops/kernel_rule.h"
#include "compiler/ops/reduction/arg_reduce.h"
#include "compiler/ops/reduction/reduce.h"
#include "compiler/ops/reduction/templates.h"

namespace assay::ops {
namespace {

using graph::OpKind;
using schedule::Schedule;
using target::Target;
using te::Tensor;

bool IsArgOfRows(const OpInstance& op, const Target&) {
  return ReducesRows(op.stored[0].shape,
                     {op.attrs_as<graph::ArgReduceAttrs>().axis});
}
bool IsArgOfTiles(const OpInstance& op, const Target& target) {
  return !IsArgOfRows(op, target);
}
Tensor ComputeArg(const OpInstance& op, const Operands& in, const Target&,
                  const Config&) {
  return ArgReduce(op.kind, op.attrs_as<graph::ArgReduceAttrs>(), in[0],
                   op.stored_output.shape);
}
void ScheduleArg(Schedule& s, const OpInstance&, const Tensor&,
                 const Tensor& output, const Target& target, const Config&) {
  ScheduleArgRows(s, output, target);
}

#define ASSAY_REDUCE_ROWS(kind, name, pattern, attrs, rule)                    \
  constexpr Implementation kind[] = {                                          \
      {name ".rows", ReduceRowsApply, RowTemplateSpace, RowTemplateConfig,     \
       ReductionSeconds, ComputeReduce, ScheduleReducedRows},                  \
      {name ".tiles", ReduceTilesApply, TileTemplateSpace, TileTemplateConfig, \
       ReductionSeconds, ComputeReduce, ScheduleTileTemplate}};
ASSAY_FOR_EACH_REDUCE_OP(ASSAY_REDUCE_ROWS)
#undef ASSAY_REDUCE_ROWS

constexpr Implementation kArgMax[] = {
    {"arg_max.rows", IsArgOfRows, NoSpace, NoConfig, ReductionSeconds,
     ComputeArg, ScheduleArg},
    {"arg_max.tiles", IsArgOfTiles, TileTemplateSpace, TileTemplateConfig,
     ReductionSeconds, ComputeArg, ScheduleTileTemplate}};
constexpr Implementation kArgMin[] = {
    {"arg_min.rows", IsArgOfRows, NoSpace, NoConfig, ReductionSeconds,
     ComputeArg, ScheduleArg},
    {"arg_min.tiles", IsArgOfTiles, TileTemplateSpace, TileTemplateConfig,
     ReductionSeconds, ComputeArg, ScheduleTileTemplate}};

}  // namespace

KernelRule ReduceKernel(OpKind op) {
#define ASSAY_REDUCE_CASE(kind, name, pattern, attrs, rule) \
  if (op == OpKind::kind) return {kind};
  ASSAY_FOR_EACH_REDUCE_OP(ASSAY_REDUCE_CASE)
#undef ASSAY_REDUCE_CASE
  return {};
}

KernelRule ArgReduceKernel(OpKind op) {
  return {op == OpKind::kArgMax ? kArgMax : kArgMin};
}

}  // namespace assay::ops
