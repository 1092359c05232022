// Stores of several values at once, for stages with several outputs.
#ifndef ASSAY_COMPILER_LOWER_STORE_TUPLE_H_
#define ASSAY_COMPILER_LOWER_STORE_TUPLE_H_

#include <vector>

#include "compiler/expr/expr.h"
#include "compiler/tir/stmt.h"

namespace assay::lower {

// The location of a value.
struct Element {
  expr::Buffer buffer;
  std::vector<expr::Expr> indices;
};

// Stores one value to each element. The values must not load the elements.
tir::Stmt StoreEach(const std::vector<Element>& elements,
                    const std::vector<expr::Expr>& values);

// Replaces the tuple in `elements` by its combination with `next`. A result is
// stored as soon as no other result needs the old value it overwrites; if there
// is no such order, all results are computed into local memory first.
tir::Stmt StoreCombined(const expr::Reducer& reducer,
                        const std::vector<Element>& elements,
                        const std::vector<expr::Expr>& next);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_STORE_TUPLE_H_
