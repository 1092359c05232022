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

// Rows of consecutive indices. The first row starts at `base`, and each row
// starts `stride` after the one before.
struct IndexRows {
  expr::Expr base;
  int64_t stride = 0;
};

// Returns the rows of `lanes` indices that the int32 vector `e` consists of.
// Besides what AsRamp() supports, supports quotients of ramp(0, 1, …) and
// `lanes`, which are the numbers of the rows (te::IntrinOperand::RowsAt).
// Returns nullopt for other expressions.
std::optional<IndexRows> AsRows(const expr::Expr& e, int lanes);

// A matrix of 16 rows of 64 bytes in memory.
struct TileAccess {
  expr::Buffer buffer;
  IndexRows rows;  // in elements of the buffer
};

// Returns the matrix that `e` loads, possibly reinterpreted. Returns nullopt
// for other expressions.
std::optional<TileAccess> AsTileLoad(const expr::Expr& e);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_VECTOR_INDEX_H_
