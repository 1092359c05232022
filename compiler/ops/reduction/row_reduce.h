// RowReduce: reductions over contiguous rows, and the schedule that kernels
// made of them share.
//
// The vector of a row reduction lies along the row: `lanes` partial results,
// combined at the end, with what the lanes do not divide added one by one. A
// kernel may have several such reductions of the same rows (softmax has a
// maximum and a sum) and maps between them (the exponentials); all of them are
// computed for one row before the next is begun, so that the row stays in the
// cache and rows are shared out over the threads.
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

// Element `k` of the row at `row`.
using RowValue = std::function<expr::Expr(const std::vector<expr::Expr>& row,
                                          const expr::Expr& k)>;

struct RowShape {
  Shape rows;
  int64_t length = 1;
};

// The combination of the `length` elements of each row, of shape `rows`.
// `lanes` is 1 or a multiple of `vector`, the lanes of one register.
te::Tensor RowReduce(const std::string& name, expr::Combiner combiner,
                     const RowShape& shape, const RowValue& value,
                     const Config& config);

// A map of rows that is stored, of shape `rows` and `length`.
te::Tensor RowMap(const std::string& name, const RowShape& shape,
                  const RowValue& value);

// One number of each row, made of reductions of it.
te::Tensor RowScalar(
    const std::string& name, const Shape& rows,
    const std::function<expr::Expr(const std::vector<expr::Expr>& row)>& value);

// `lanes`: how many partial results a row has, 1 or 1, 2 or 4 registers.
ConfigSpace RowSpace(int64_t length, const target::Target& target);
// As many registers as hide the latency of an addition, where the row is long
// enough to fill them twice.
Config DefaultRowConfig(int64_t length, const target::Target& target);

// Schedules a kernel made of RowReduce, RowMap, RowScalar and injective stages.
// The first `row_axes` axes of `output` are those of the rows.
void ScheduleRows(schedule::Schedule& s, const te::Tensor& output, int row_axes,
                  const target::Target& target);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_REDUCTION_ROW_REDUCE_H_
