// Functions that find the values of the lanes of vector expressions, and the
// memory that a vector is loaded from.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_VECTOR_INDEX_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_VECTOR_INDEX_H_

#include <cstdint>
#include <optional>

#include "compiler/expr/expr.h"

namespace assay::codegen {

// A vector whose lane k is base + k * stride.
struct IndexRamp {
  expr::Expr base;
  int64_t stride = 0;
};

// Returns the ramp that is equal to `e`, an int32 vector. Supports vectors for
// which AsUniform returns a value, ramps with constant strides, sums and
// differences of supported vectors, and products of a supported vector and a
// constant. Returns nullopt for other expressions.
std::optional<IndexRamp> AsRamp(const expr::Expr& e);

// Returns the scalar expression that is equal to every lane of `e`. Supports
// scalars, broadcasts, and unary and binary operators of these. Returns nullopt
// for other expressions.
std::optional<expr::Expr> AsUniform(const expr::Expr& e);

// Returns lane number `lane` of `e`, an int32 vector, as a scalar expression.
// Returns nullopt if `e` contains a vector Load, Cast or Call.
std::optional<expr::Expr> LaneOf(const expr::Expr& e, int lane);

// Consecutive elements of `buffer`, from `index` on.
struct ContiguousLoad {
  expr::Buffer buffer;
  expr::Expr index;
};

// Returns the elements that `e` consists of if it is a load of consecutive
// elements with one index, possibly reinterpreted. Returns nullopt for other
// expressions.
std::optional<ContiguousLoad> AsContiguousLoad(const expr::Expr& e);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_VECTOR_INDEX_H_
