// The text form of expressions.
//
//   i.o * 8 + i.i        index arithmetic; `/` and `%` floor on integers
//   max(%a[i, 0], 0f)    a Load; buffer names start with `%`
//   select(i < 4, x, 1f) conditional value; `&& || !` on bool
//   ramp(i * 8, 1, 8)    base, stride, lanes
//   broadcast(x, 8)      cast(int32, x)      reinterpret(float32, x)
//   -3  3i64  3u8  true  0.5f  1e-07f64  inff  nanf16  2bf16
//   a[i, r]  sum(a[r], r < 16)               te only: Read and Reduce
//
// A literal without suffix is int32; float literals are the shortest that read
// back as the same value. Parentheses are printed only where a left-associative
// parser needs them, so that text and tree correspond one to one.
#ifndef ASSAY_COMPILER_EXPR_PRINTER_H_
#define ASSAY_COMPILER_EXPR_PRINTER_H_

#include <map>
#include <set>
#include <string>

#include "absl/strings/string_view.h"
#include "compiler/expr/expr.h"

namespace assay::expr {

// The binary operators; higher precedence binds tighter. Comparisons do not
// chain; all others are left-associative.
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

// Assigns unique names to nodes whose identity is their address. A node keeps
// its own name unless another node in scope has it; then it gets a suffix `_1`,
// `_2`, … Characters outside [A-Za-z0-9_.] become `_`.
class NameTable {
 public:
  // Returns the name of `node`; assigns one at the first call.
  const std::string& NameOf(const Counted* node, absl::string_view hint);
  // Ends the scope of `node`; its name can be used again.
  void Release(const Counted* node);

 private:
  std::map<const Counted*, std::string> names_;
  std::set<std::string> taken_;
};

struct ExprNames {
  NameTable vars, buffers;
};

// Appends the text of `e`; variables and buffers are named by `names`.
void PrintExpr(const Expr& e, ExprNames& names, std::string* out);

std::string ToString(const Expr& e);

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_PRINTER_H_
