// The two schedule templates of reductions as functions of an Implementation:
// rows (row_reduce.h), where the reduced axes are the last ones, and tiles
// (tiled_reduction.h), where they are not. Families whose operators reduce
// (reduction, pool, normalization, image) share them.
#ifndef ASSAY_COMPILER_OPS_REDUCTION_TEMPLATES_H_
#define ASSAY_COMPILER_OPS_REDUCTION_TEMPLATES_H_

#include "compiler/ops/cost_model.h"
#include "compiler/ops/implementation.h"

namespace assay::ops {

// One load and one combination of a vector at a time: a tenth of the
// multiply-adds that the machine can do.
constexpr auto ReductionSeconds = RooflineAt<10>;

// reduce_* and global pools, which are reductions over the spatial axes. Return
// true if the reduced axes are the last ones, and if they are not.
bool ReduceRowsApply(const OpInstance& op, const target::Target&);
bool ReduceTilesApply(const OpInstance& op, const target::Target& target);
te::Tensor ComputeReduce(const OpInstance& op, const Operands& in,
                         const target::Target&, const Config& config);

// Rows of reductions, softmax and layer_norm.
ConfigSpace RowTemplateSpace(const OpInstance& op,
                             const target::Target& target);
Config RowTemplateConfig(const OpInstance& op, const target::Target& target);
// The result has one element for each row.
void ScheduleReducedRows(schedule::Schedule& s, const OpInstance&,
                         const te::Tensor&, const te::Tensor& output,
                         const target::Target& target, const Config&);
// The result has the rows of the operand, whose last axis is reduced.
void ScheduleLastAxisRows(schedule::Schedule& s, const OpInstance&,
                          const te::Tensor&, const te::Tensor& output,
                          const target::Target& target, const Config&);

// Tiles. The reduction is the stage tagged "reduction".
ConfigSpace TileTemplateSpace(const OpInstance& op,
                              const target::Target& target);
Config TileTemplateConfig(const OpInstance& op, const target::Target& target);
void ScheduleTileTemplate(schedule::Schedule& s, const OpInstance&,
                          const te::Tensor& anchor, const te::Tensor& output,
                          const target::Target& target, const Config& config);

// Vectors lie along the last axis, which is not reduced.
void ScheduleReductionColumns(schedule::Schedule& s, const OpInstance&,
                              const te::Tensor&, const te::Tensor& output,
                              const target::Target& target, const Config&);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_REDUCTION_TEMPLATES_H_
