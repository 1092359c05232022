// RowReduce: reductions over contiguous rows, and the schedule of kernels that
// contain such reductions.
//
// A row reduction is vectorized along the row. It accumulates `lanes` partial
// results in one or more registers. At the end it combines the registers, then
// the lanes of the combined register one after the other, and then the
// remaining elements of the row. A kernel may have several reductions
// of the same rows, and elementwise stages between them. Softmax, for example,
// computes a maximum, exponentials and a sum. All stages process a row before
// the next row starts, so that the row stays in the cache. Rows are distributed
// over the threads.
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

// Returns the expression for element `k` of the row with indices `row`.
using RowValue = std::function<expr::Expr(const std::vector<expr::Expr>& row,
                                          const expr::Expr& k)>;

struct RowShape {
  Shape rows;          // extents of the axes that enumerate the rows
  int64_t length = 1;  // number of elements of a row
};

// Combines the elements of each row by `reducer`, which must be reorderable and
// have one component. The result has shape `shape.rows`.
// `config` has two knobs: `vector` is the number of lanes of a register, and
// `lanes` is 1 or a multiple of `vector`.
te::Tensor RowReduce(const std::string& name, const expr::Reducer& reducer,
                     const RowShape& shape, const RowValue& value,
                     const Config& config);

// Returns a stage of shape [rows..., length] that computes each element of each
// row and stores it.
te::Tensor RowMap(const std::string& name, const RowShape& shape,
                  const RowValue& value);

// Returns a stage with one scalar per row, which is computed from the results
// of row reductions.
te::Tensor RowScalar(
    const std::string& name, const Shape& rows,
    const std::function<expr::Expr(const std::vector<expr::Expr>& row)>& value);

// Returns the space for rows of `length` elements. The knob `lanes`, the number
// of partial results per row, is 1 (not vectorized) or the number of values
// that 1, 2 or 4 vector registers hold.
ConfigSpace RowSpace(int64_t length, const target::Target& target);
// Returns the default configuration for rows of `length` elements. If a row
// does not fill one vector register, it is not vectorized. Otherwise, let n be
// the number of elements of a row divided by the number of lanes of a register.
// The configuration uses 4 registers if n >= 8, 2 registers if 4 <= n < 8, and
// 1 register if n < 4. Several registers hide the latency of the combining
// operation.
Config DefaultRowConfig(int64_t length, const target::Target& target);

// Schedules a kernel that consists of stages of RowReduce, RowMap and RowScalar
// and of injective stages. The first `row_axes` axes of `output` must enumerate
// the rows.
void ScheduleRows(schedule::Schedule& s, const te::Tensor& output, int row_axes,
                  const target::Target& target);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_REDUCTION_ROW_REDUCE_H_
