// Schedule templates of reductions, as functions for an Implementation:
//   - the row template (row_reduce.h), for reductions of the innermost axes;
//   - the tile template (tiled_reduction.h), for other reductions;
//   - ScheduleReductionColumns, which vectorizes along the last axis.
// Operators of the families reduction, pool, normalization and image use these
// functions.
#ifndef ASSAY_COMPILER_OPS_REDUCTION_TEMPLATES_H_
#define ASSAY_COMPILER_OPS_REDUCTION_TEMPLATES_H_

#include "compiler/ops/cost_model.h"
#include "compiler/ops/implementation.h"

namespace assay::ops {

// The modelled time of reductions. Each loaded vector is used by a single
// operation, so a reduction reaches about a tenth of the peak throughput of
// multiply-adds.
constexpr auto ReductionSeconds = RooflineAt<10>;

// The next three functions are for the reduce_* operators and for global pools,
// which are reductions of the spatial axes. ReduceRowsApply returns true if the
// reduced axes are the innermost ones (ReducesRows in reduce.h).
// ReduceTilesApply returns true if they are not.
bool ReduceRowsApply(const OpInstance& op, const target::Target&);
bool ReduceTilesApply(const OpInstance& op, const target::Target& target);
te::Tensor ComputeReduce(const OpInstance& op, const Operands& in,
                         const target::Target&, const Config& config);

// The row template, for reductions, softmax, log_softmax and layer_norm.
ConfigSpace RowTemplateSpace(const OpInstance& op,
                             const target::Target& target);
Config RowTemplateConfig(const OpInstance& op, const target::Target& target);
// Schedules a kernel whose result has one element per row.
void ScheduleReducedRows(schedule::Schedule& s, const OpInstance&,
                         const te::Tensor&, const te::Tensor& output,
                         const target::Target& target, const Config&);
// Schedules a kernel whose result has the shape of the operand and whose rows
// lie along the last axis.
void ScheduleLastAxisRows(schedule::Schedule& s, const OpInstance&,
                          const te::Tensor&, const te::Tensor& output,
                          const target::Target& target, const Config&);

// The tile template. The reduction must be the stage with tag "reduction".
ConfigSpace TileTemplateSpace(const OpInstance& op,
                              const target::Target& target);
Config TileTemplateConfig(const OpInstance& op, const target::Target& target);
void ScheduleTileTemplate(schedule::Schedule& s, const OpInstance&,
                          const te::Tensor& anchor, const te::Tensor& output,
                          const target::Target& target, const Config& config);

// Schedules a kernel whose reductions are small and do not include the last
// axis. Calls ScheduleReduction (schedule_generic.h).
void ScheduleReductionColumns(schedule::Schedule& s, const OpInstance&,
                              const te::Tensor&, const te::Tensor& output,
                              const target::Target& target, const Config&);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_REDUCTION_TEMPLATES_H_
