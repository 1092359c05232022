// The two schedule templates of reductions, as functions for an Implementation:
// rows (row_reduce.h) if the reduced axes are the innermost ones, and tiles
// (tiled_reduction.h) otherwise. The operators of reduction, pool,
// normalization and image share them.
#ifndef ASSAY_COMPILER_OPS_REDUCTION_TEMPLATES_H_
#define ASSAY_COMPILER_OPS_REDUCTION_TEMPLATES_H_

#include "compiler/ops/cost_model.h"
#include "compiler/ops/implementation.h"

namespace assay::ops {

// Each vector load feeds a single operation, so a reduction reaches about a
// tenth of the peak multiply-add throughput.
constexpr auto ReductionSeconds = RooflineAt<10>;

// reduce_* and the global pools, which reduce the spatial axes. The predicates
// return true if the reduced axes are (Rows) or are not (Tiles) the innermost.
bool ReduceRowsApply(const OpInstance& op, const target::Target&);
bool ReduceTilesApply(const OpInstance& op, const target::Target& target);
te::Tensor ComputeReduce(const OpInstance& op, const Operands& in,
                         const target::Target&, const Config& config);

// Row template of reductions, softmax and layer_norm.
ConfigSpace RowTemplateSpace(const OpInstance& op,
                             const target::Target& target);
Config RowTemplateConfig(const OpInstance& op, const target::Target& target);
// For results with one element per row.
void ScheduleReducedRows(schedule::Schedule& s, const OpInstance&,
                         const te::Tensor&, const te::Tensor& output,
                         const target::Target& target, const Config&);
// For results of the operand's shape; each row is its last axis.
void ScheduleLastAxisRows(schedule::Schedule& s, const OpInstance&,
                          const te::Tensor&, const te::Tensor& output,
                          const target::Target& target, const Config&);

// Tile template. The reduction is the stage tagged "reduction".
ConfigSpace TileTemplateSpace(const OpInstance& op,
                              const target::Target& target);
Config TileTemplateConfig(const OpInstance& op, const target::Target& target);
void ScheduleTileTemplate(schedule::Schedule& s, const OpInstance&,
                          const te::Tensor& anchor, const te::Tensor& output,
                          const target::Target& target, const Config& config);

// Vectorizes along the last axis, which is not reduced.
void ScheduleReductionColumns(schedule::Schedule& s, const OpInstance&,
                              const te::Tensor&, const te::Tensor& output,
                              const target::Target& target, const Config&);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_REDUCTION_TEMPLATES_H_
