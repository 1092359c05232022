// CellFunctions: the activation functions of one direction of a `recurrent`, as
// expressions.
#ifndef ASSAY_COMPILER_OPS_RECURRENT_CELL_FUNCTIONS_H_
#define ASSAY_COMPILER_OPS_RECURRENT_CELL_FUNCTIONS_H_

#include <cstdint>

#include "compiler/expr/expr.h"
#include "compiler/graph/op/attrs.h"

namespace assay::ops {

class CellFunctions {
 public:
  // `direction` is an index that is known only at run time if the two
  // directions have different functions. `attrs` must outlive this object.
  CellFunctions(const graph::RecurrentAttrs& attrs, expr::Expr direction)
      : attrs_(attrs), direction_(std::move(direction)) {}

  // Function `i` of the cell.
  expr::Expr Call(int64_t i, const expr::Expr& x) const;
  // The same, after `x` has been clamped as the attribute `clip` says.
  expr::Expr Gate(int64_t i, const expr::Expr& x) const;

 private:
  const graph::RecurrentAttrs& attrs_;
  const expr::Expr direction_;
};

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_RECURRENT_CELL_FUNCTIONS_H_
