// Expr: the expression language of tensor expressions (compiler/te) and loop
// programs (compiler/tir). An expression is a scalar; after vectorization, it
// may also be a vector.
//
// Semantics
// - Types: every expression has a DType. The operands of a binary node must
//   have equal types; a mismatch is a bug and CHECK-fails. The only implicit
//   conversions are those that expr_ops.h lists. The result of a comparison or
//   logical operator is bool with the operands' number of lanes.
// - Integers: sums and products wrap around. Index arithmetic, which is int32
//   arithmetic on variables and constants, must not overflow; lowering proves
//   that all indices fit. Arithmetic on loaded elements may overflow. Div and
//   Mod are floor division and its remainder: the quotient is rounded towards
//   minus infinity. A divisor must not be 0, and must not be -1 if the dividend
//   is the lowest number.
// - Floating point: Div is IEEE division, and Mod is not allowed. A
//   multiplication and an addition may be contracted to a fused multiply-add;
//   reassociation is not allowed. Reductions are evaluated in loop order.
// - Minimum and maximum: min(a, b) is `b < a ? b : a`, and max(a, b) is
//   `a < b ? b : a`. If `a` is NaN, the result is NaN; if only `b` is NaN, the
//   result is `a`.
// - Evaluation has no side effects. A Select may evaluate both arms, but the
//   Loads in the arm that is not taken are not executed, so they may be out of
//   bounds.
// - Vectors: operations are applied lane by lane. The condition of a vector
//   Select is either a scalar or has the same number of lanes as the arms.
//
// Read and Reduce occur only in te. Load, Ramp and Broadcast occur only in tir.
// All nodes are immutable. They can be printed (printer.h) and compared
// structurally (structural_equal.h). The text of expressions without Read and
// Reduce can be parsed (tir/parser.h).
#ifndef ASSAY_COMPILER_EXPR_EXPR_H_
#define ASSAY_COMPILER_EXPR_EXPR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/expr/expr_base.h"
#include "compiler/expr/intrinsics.h"
#include "compiler/expr/reducer.h"
#include "compiler/expr/ref.h"
#include "runtime/base/dtype.h"
#include "runtime/base/shape.h"

namespace assay::expr {

// A scalar integer or bool (0 or 1) constant.
struct IntImm : ExprBase<IntImm, ExprKind::kIntImm> {
  using ExprBase::ExprBase;
  int64_t value = 0;
  static Expr Make(DType type, int64_t value);
};

struct FloatImm : ExprBase<FloatImm, ExprKind::kFloatImm> {
  using ExprBase::ExprBase;
  double value = 0;
  static Expr Make(DType type, double value);
};

// A variable. Vars are compared by address, not by name: distinct Vars may have
// the same name; printers then add a suffix. `id` is the sequence number of the
// Var in the order of creation; sets of Vars are ordered by `id`, so that the
// compiler's output is deterministic.
struct Var : ExprBase<Var, ExprKind::kVar> {
  using ExprBase::ExprBase;
  std::string name;
  int64_t id = 0;
  static Expr Make(std::string name, DType type = DType::Int32());
};

// Converts each lane to another element type. A conversion from float to
// integer truncates towards zero.
struct Cast : ExprBase<Cast, ExprKind::kCast> {
  using ExprBase::ExprBase;
  Expr value;
  static Expr Make(DType type, Expr value);
};

#define ASSAY_DECLARE(Kind)                         \
  struct Kind : ExprBase<Kind, ExprKind::k##Kind> { \
    using ExprBase::ExprBase;                       \
    Expr a, b;                                      \
    static Expr Make(Expr a, Expr b);               \
  };
ASSAY_EXPR_BINARY_KINDS(ASSAY_DECLARE)
#undef ASSAY_DECLARE

struct Not : ExprBase<Not, ExprKind::kNot> {
  using ExprBase::ExprBase;
  Expr a;
  static Expr Make(Expr a);
};

struct Select : ExprBase<Select, ExprKind::kSelect> {
  using ExprBase::ExprBase;
  Expr condition, true_value, false_value;
  static Expr Make(Expr condition, Expr true_value, Expr false_value);
};

// A call of a pure function (intrinsics.h).
struct Call : ExprBase<Call, ExprKind::kCall> {
  using ExprBase::ExprBase;
  Intrinsic intrinsic = Intrinsic::kExp;
  std::vector<Expr> args;
  static Expr Make(DType type, Intrinsic intrinsic, std::vector<Expr> args);
};

// The vector of `lanes` values `base`, `base + stride`, `base + 2 * stride`, …
// `base` and `stride` must be scalars of the same type.
struct Ramp : ExprBase<Ramp, ExprKind::kRamp> {
  using ExprBase::ExprBase;
  Expr base, stride;
  static Expr Make(Expr base, Expr stride, int lanes);
};

// A vector with the scalar `value` in every lane.
struct Broadcast : ExprBase<Broadcast, ExprKind::kBroadcast> {
  using ExprBase::ExprBase;
  Expr value;
  static Expr Make(Expr value, int lanes);
};

// Memory scope of a buffer. Global memory is visible to all threads of the
// kernel. Local memory is private to one thread and small, so that it can be
// kept in registers or on the stack.
enum class Scope : uint8_t { kGlobal, kLocal };

// A dense row-major memory region in tir. Buffers are compared by address, not
// by name.
struct BufferNode : Counted {
  std::string name;
  DType dtype;
  Shape shape;
  Scope scope = Scope::kGlobal;
};
using Buffer = Ref<BufferNode>;
Buffer MakeBuffer(std::string name, DType dtype, Shape shape,
                  Scope scope = Scope::kGlobal);

// The element of `buffer` at `indices`. There is one index per dimension before
// the flatten pass, and a single index after it. After vectorization the last
// index may be a vector; the result then has the number of lanes of this index.
struct Load : ExprBase<Load, ExprKind::kLoad> {
  using ExprBase::ExprBase;
  Buffer buffer;
  std::vector<Expr> indices;
  static Expr Make(Buffer buffer, std::vector<Expr> indices);
};

// Base class of te::TensorOp, with the fields that a Read needs. It is defined
// here so that expr does not depend on te.
struct TensorNode : Counted {
  std::string name;
  DType dtype;
  Shape shape;
  // The outputs of one operation share a reference count, which the node of the
  // first output holds. `owner` is that node; nullptr if this node is the first
  // output.
  const Counted* owner = nullptr;
  const Counted& Holder() const { return owner != nullptr ? *owner : *this; }
};
using TensorRef = Ref<TensorNode>;

// The element of `tensor` at `indices`, one index per dimension.
struct Read : ExprBase<Read, ExprKind::kRead> {
  using ExprBase::ExprBase;
  TensorRef tensor;
  std::vector<Expr> indices;
  static Expr Make(TensorRef tensor, std::vector<Expr> indices);
};

// A reduction variable that ranges over [0, extent).
struct ReduceAxis {
  Expr var;  // a Var
  int64_t extent = 0;
};

// The reduction of the tuple `sources` over all points of `axes` with
// `reducer`. The result of a reduction is a tuple; the value of this expression
// is the component with index `value`. A Reduce is allowed only as the whole
// body of a te::Compute, not as part of another expression.
struct Reduce : ExprBase<Reduce, ExprKind::kReduce> {
  using ExprBase::ExprBase;
  Reducer reducer;
  std::vector<Expr> sources;
  std::vector<ReduceAxis> axes;
  int value = 0;
  static Expr Make(Reducer reducer, std::vector<Expr> sources,
                   std::vector<ReduceAxis> axes, int value = 0);
  static Expr Make(Combiner combiner, Expr source,
                   std::vector<ReduceAxis> axes);
};

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_EXPR_H_
