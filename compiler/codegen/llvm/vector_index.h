// What is known of a vector expression's lanes without evaluating it.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_VECTOR_INDEX_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_VECTOR_INDEX_H_

#include <cstdint>
#include <optional>

#include "compiler/expr/expr.h"

namespace assay::codegen {

// Lane k is base + k * stride.
struct IndexRamp {
  expr::Expr base;
  int64_t stride = 0;
};

// `e`, an int32 vector, as a ramp: sums of ramps and broadcasts, and their
// products with constants.
std::optional<IndexRamp> AsRamp(const expr::Expr& e);

// The scalar that is in every lane of `e`: broadcasts, and what arithmetic
// makes of them.
std::optional<expr::Expr> AsUniform(const expr::Expr& e);

// The value of `lane` of `e`, an int32 vector, as a scalar expression; nothing
// where it takes a vector load or the like to know it.
std::optional<expr::Expr> LaneOf(const expr::Expr& e, int lane);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_VECTOR_INDEX_H_
