// The list of expression kinds, the handle Expr and the base class of its
// nodes. The nodes are defined in expr.h, which is the header to include.
#ifndef ASSAY_COMPILER_EXPR_EXPR_BASE_H_
#define ASSAY_COMPILER_EXPR_EXPR_BASE_H_

#include <cstdint>
#include <ostream>

#include "compiler/expr/ref.h"
#include "runtime/base/dtype.h"

namespace assay::expr {

// The single list of expression kinds; enum, visitor, mutator and printer are
// generated from it.
#define ASSAY_EXPR_BINARY_KINDS(X) \
  X(Add)                           \
  X(Sub)                           \
  X(Mul)                           \
  X(Div)                           \
  X(Mod)                           \
  X(Min)                           \
  X(Max)                           \
  X(EQ)                            \
  X(NE)                            \
  X(LT)                            \
  X(LE)                            \
  X(And)                           \
  X(Or)

#define ASSAY_EXPR_KINDS(X)  \
  X(IntImm)                  \
  X(FloatImm)                \
  X(Var)                     \
  X(Cast)                    \
  ASSAY_EXPR_BINARY_KINDS(X) \
  X(Not)                     \
  X(Select)                  \
  X(Call)                    \
  X(Ramp)                    \
  X(Broadcast)               \
  X(Load)                    \
  X(Read)                    \
  X(Reduce)

enum class ExprKind : uint8_t {
#define ASSAY_DECLARE(Kind) k##Kind,
  ASSAY_EXPR_KINDS(ASSAY_DECLARE)
#undef ASSAY_DECLARE
};

#define ASSAY_DECLARE(Kind) struct Kind;
ASSAY_EXPR_KINDS(ASSAY_DECLARE)
#undef ASSAY_DECLARE

struct ExprNode : Counted {
  ExprNode(ExprKind k, DType t) : kind(k), dtype(t) {}
  const ExprKind kind;
  const DType dtype;
};

// A handle to an expression; undefined if default-constructed.
class Expr : public Ref<ExprNode> {
 public:
  using Ref<ExprNode>::Ref;
  Expr() = default;
  // An int32 (index type) constant, so that `i + 1` can be written directly.
  Expr(int value);  // NOLINT: implicit on purpose

  ExprKind kind() const { return get()->kind; }
  DType dtype() const { return get()->dtype; }
  // The node as a T, or nullptr if it is of another kind.
  template <typename T>
  const T* As() const {
    return defined() && get()->kind == T::kKind ? static_cast<const T*>(get())
                                                : nullptr;
  }
};

template <typename T, ExprKind K>
struct ExprBase : ExprNode {
  static constexpr ExprKind kKind = K;
  explicit ExprBase(DType t) : ExprNode(K, t) {}
};

std::ostream& operator<<(std::ostream& os, const Expr& e);

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_EXPR_BASE_H_
