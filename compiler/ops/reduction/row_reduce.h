// RowReduce: reductions over contiguous rows, and the schedule shared by the
// kernels that contain them.
//
// A row reduction is vectorized along the row: it accumulates `lanes` partial
// results and combines them at the end with the remaining elements of the row,
// one at a time. A kernel may have several reductions of the same rows (softmax
// has a maximum and a sum) and maps between them (the exponentials). All stages
// process one row before the next, so that the row stays in the cache; rows are
// distributed over the threads.
#ifndef ASSAY_COMPILER_OPS_REDUCTION_ROW_REDUCE_H_
#define ASSAY_COMPILER_OPS_REDUCTION_ROW_REDUCE_H_

#include <functional>
#include <string>
#include <vector>

#include "compiler/ops/config_space.h"
#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// Computes element `k` of the row with index `row`.
using RowValue = std::function<expr::Expr(const std::vector<expr::Expr>& row,
                                          const expr::Expr& k)>;

struct RowShape {
  Shape rows;
  int64_t length = 1;
};

// Combines the `length` elements of each row; the result has shape `rows`. Knob
// `lanes` is 1 or a multiple of knob `vector`, the lanes of one register.
te::Tensor RowReduce(const std::string& name, expr::Combiner combiner,
                     const RowShape& shape, const RowValue& value,
                     const Config& config);

// An element-wise map of rows that is materialized, of shape [rows..., length].
te::Tensor RowMap(const std::string& name, const RowShape& shape,
                  const RowValue& value);

// One scalar per row, computed from reductions of the row.
te::Tensor RowScalar(
    const std::string& name, const Shape& rows,
    const std::function<expr::Expr(const std::vector<expr::Expr>& row)>& value);

// Knob `lanes`: partial results per row, one or those of 1, 2 or 4 registers.
ConfigSpace RowSpace(int64_t length, const target::Target& target);
// Uses as many registers as the row fills twice, to hide the latency of an
// addition, or a single one if the row fills it only once.
Config DefaultRowConfig(int64_t length, const target::Target& target);

// Schedules a kernel of RowReduce, RowMap, RowScalar and injective stages. The
// first `row_axes` axes of `output` are the row axes.
void ScheduleRows(schedule::Schedule& s, const te::Tensor& output, int row_axes,
                  const target::Target& target);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_REDUCTION_ROW_REDUCE_H_
