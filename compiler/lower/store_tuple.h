// Stores of several values at once: what a stage with several outputs does at
// each point of its loops.
#ifndef ASSAY_COMPILER_LOWER_STORE_TUPLE_H_
#define ASSAY_COMPILER_LOWER_STORE_TUPLE_H_

#include <vector>

#include "compiler/expr/expr.h"
#include "compiler/tir/stmt.h"

namespace assay::lower {

// Where a value is kept.
struct Element {
  expr::Buffer buffer;
  std::vector<expr::Expr> indices;
};

// One value into each element. The values do not load the elements.
tir::Stmt StoreEach(const std::vector<Element>& elements,
                    const std::vector<expr::Expr>& values);

// Replaces the tuple in `elements` by what it and `next` combine to. A result
// is stored as soon as no other one still needs the old value that it replaces;
// where results need one another's, all are computed into local memory first.
tir::Stmt StoreCombined(const expr::Reducer& reducer,
                        const std::vector<Element>& elements,
                        const std::vector<expr::Expr>& next);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_STORE_TUPLE_H_
