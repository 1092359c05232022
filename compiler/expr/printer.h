// The text form of expressions. Examples:
//
//   i.o * 8 + i.i        index arithmetic; on integers, `/` and `%` are floor
//                        division and its remainder
//   max(%a[i, 0], 0f)    Max of a Load; names of buffers begin with `%`
//   select(i < 4, x, 1f) a Select; the operators `&& || !` are defined for bool
//   ramp(i * 8, 1, 8)    base, stride, lanes
//   broadcast(x, 8)      cast(int32, x)      reinterpret(float32, x)
//   -3  3i64  3u8  true  0.5f  1e-07f64  inff  nanf16  2bf16   literals
//   a[i, r]  sum(a[r], r < 16)               Read and Reduce, only in te
//
// An integer literal without suffix is int32. A float literal has as few digits
// as possible such that parsing returns the same value. Parentheses are printed
// only where a parser with the precedences below needs them. Expressions of
// different structure have different texts. The types of variables, buffers and
// tensors are not part of the text.
#ifndef ASSAY_COMPILER_EXPR_PRINTER_H_
#define ASSAY_COMPILER_EXPR_PRINTER_H_

#include <map>
#include <set>
#include <string>

#include "absl/strings/string_view.h"
#include "compiler/expr/expr.h"

namespace assay::expr {

// The binary operators that are printed between their operands. An operator of
// higher precedence binds more tightly. Comparisons are not associative:
// `a < b < c` is invalid. All other operators are left-associative.
struct InfixOperator {
  const char* text;
  int precedence;
  ExprKind kind;
};
inline constexpr int kComparePrecedence = 3, kUnaryPrecedence = 6;
inline constexpr InfixOperator kInfixOperators[] = {
    {"||", 1, ExprKind::kOr}, {"&&", 2, ExprKind::kAnd},
    {"==", 3, ExprKind::kEQ}, {"!=", 3, ExprKind::kNE},
    {"<=", 3, ExprKind::kLE}, {"<", 3, ExprKind::kLT},
    {"+", 4, ExprKind::kAdd}, {"-", 4, ExprKind::kSub},
    {"*", 5, ExprKind::kMul}, {"/", 5, ExprKind::kDiv},
    {"%", 5, ExprKind::kMod},
};

// NameTable: assigns unique names to nodes. Nodes at different addresses are
// different. The caller proposes a name for each node. If another node in scope
// has this name, or if the name is a literal such as `true`, a suffix `_1`,
// `_2`, … is added to it. Characters outside [A-Za-z0-9_.] are replaced by `_`.
class NameTable {
 public:
  // Returns the name of `node`. The first call for a node assigns the name,
  // which is `hint` if possible; later calls ignore `hint`.
  const std::string& NameOf(const Counted* node, absl::string_view hint);
  // Ends the scope of `node`. Afterwards another node can get its name.
  void Release(const Counted* node);

 private:
  std::map<const Counted*, std::string> names_;
  std::set<std::string> taken_;
};

// The names of the variables and buffers of a program.
struct ExprNames {
  NameTable vars, buffers;
};

// Appends the text of `e` to `out`. `names` determines the names of variables
// and buffers.
void PrintExpr(const Expr& e, ExprNames& names, std::string* out);

std::string ToString(const Expr& e);

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_PRINTER_H_
