// Analysis of the lanes of vector expressions.
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

// Decomposes `e`, an int32 vector, into a ramp: handles sums of ramps and
// broadcasts, and their products with constants.
std::optional<IndexRamp> AsRamp(const expr::Expr& e);

// The scalar that all lanes of `e` are equal to: handles broadcasts and
// arithmetic on them.
std::optional<expr::Expr> AsUniform(const expr::Expr& e);

// The value of `lane` of `e`, an int32 vector, as a scalar expression; nullopt
// if `e` contains a vector load or the like.
std::optional<expr::Expr> LaneOf(const expr::Expr& e, int lane);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_VECTOR_INDEX_H_
