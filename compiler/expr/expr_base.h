// The list of expression kinds, the handle Expr and the base class of
// expression nodes. Include expr.h, which defines the nodes, instead of this
// header.
#ifndef ASSAY_COMPILER_EXPR_EXPR_BASE_H_
#define ASSAY_COMPILER_EXPR_EXPR_BASE_H_

#include <cstdint>
#include <ostream>

#include "compiler/expr/ref.h"
#include "runtime/base/dtype.h"

namespace assay::expr {

// The list of expression kinds. The enum ExprKind and the methods of the
// visitor and the mutator (visitor.h) are generated from this list.
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

// A reference-counted handle to an immutable expression. A default-constructed
// handle refers to no expression: defined() returns false.
class Expr : public Ref<ExprNode> {
 public:
  using Ref<ExprNode>::Ref;
  Expr() = default;
  // Creates an int32 constant. int32 is the type of indices. The constructor is
  // implicit so that `i + 1` can be written.
  Expr(int value);  // NOLINT: implicit on purpose

  ExprKind kind() const { return get()->kind; }
  DType dtype() const { return get()->dtype; }
  // Returns the node as a T; nullptr if the handle is undefined or the node is
  // of another kind.
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
