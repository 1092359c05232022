// Creates statements that store several values, one per output of a stage.
#ifndef ASSAY_COMPILER_LOWER_STORE_TUPLE_H_
#define ASSAY_COMPILER_LOWER_STORE_TUPLE_H_

#include <vector>

#include "compiler/expr/expr.h"
#include "compiler/tir/stmt.h"

namespace assay::lower {

// A buffer element that holds a value.
struct Element {
  expr::Buffer buffer;
  std::vector<expr::Expr> indices;
};

// Returns a statement that stores values[i] to elements[i]. `values` must not
// load any of `elements`.
tir::Stmt StoreEach(const std::vector<Element>& elements,
                    const std::vector<expr::Expr>& values);

// Returns a statement that combines the tuple in `elements` with the tuple
// `next` by `reducer`, and stores the results in `elements`. The results are
// stored in an order in which no store overwrites a value that a later store
// still needs. If no such order exists, all results are first computed into
// local memory.
tir::Stmt StoreCombined(const expr::Reducer& reducer,
                        const std::vector<Element>& elements,
                        const std::vector<expr::Expr>& next);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_STORE_TUPLE_H_
