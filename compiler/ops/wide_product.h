// WideProduct: the product of two values of possibly narrow types, computed in
// the type of the accumulator. Graph type inference determines that type.
#ifndef ASSAY_COMPILER_OPS_WIDE_PRODUCT_H_
#define ASSAY_COMPILER_OPS_WIDE_PRODUCT_H_

#include "compiler/expr/expr_ops.h"

namespace assay::ops {

inline expr::Expr WideProduct(DType type, const expr::Expr& a,
                              const expr::Expr& b) {
  return expr::CastTo(type, a) * expr::CastTo(type, b);
}

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_WIDE_PRODUCT_H_
