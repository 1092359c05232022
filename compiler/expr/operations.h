// The number of operations of an expression, as a measure of the size of the
// code and of the work, and the number of its levels.
#ifndef ASSAY_COMPILER_EXPR_OPERATIONS_H_
#define ASSAY_COMPILER_EXPR_OPERATIONS_H_

#include <cstdint>
#include <vector>

#include "compiler/expr/expr.h"

namespace assay::expr {

// Counts of operations are at most this number, which stands for all larger
// ones. The sum of a million such counts still fits an int64_t.
inline constexpr int64_t kMaxOperations = int64_t{1} << 40;

// Returns the operations of a node without its operands. An elementary function
// (IsElementary) counts as the arithmetic to which it expands. Constants and
// variables count 0.
int64_t OwnOperations(const Expr& e);

// Returns the operations of all nodes of `e`. A node that occurs several times
// is counted each time, as if it were copied.
int64_t CountOperations(const Expr& e);

// Returns the number of levels of `e`. It is 0 for constants and variables, and
// for other nodes 1 more than for their operands. Recursive functions use the
// stack in proportion to it.
int CountLevels(const Expr& e);

// Returns true for an integer quotient or remainder whose divisor may be 0.
bool MayDivideByZero(const Expr& e);

// Returns the operands of a node, in order.
std::vector<Expr> OperandsOf(const Expr& e);

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_OPERATIONS_H_
