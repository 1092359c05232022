// Expr: the expression language shared by tensor expressions (compiler/te) and
// loop programs (compiler/tir). Expressions are scalar, and may be vectors
// after vectorization.
//
// Semantics
// - Every expression has a DType, and the operands of a binary node have equal
//   types. The builders in expr_ops.h insert no conversions; a type mismatch is
//   a bug and CHECK-fails. Comparisons and logical operators yield bool with
//   the same number of lanes.
// - Integer arithmetic must not overflow: index arithmetic is int32, and
//   lowering proves that it fits. Integer Div and Mod round towards minus
//   infinity (floor division); a divisor is never 0. Div on floats is IEEE
//   division; Mod on floats is not allowed.
// - Evaluation has no side effects. A Select evaluates both arms, except that a
//   Load in the arm not taken is not executed and may be out of bounds. Vector
//   operations act lane by lane; the condition of a vector Select is either a
//   scalar or has the same number of lanes.
// - min(a, b) is `b < a ? b : a` and max(a, b) is `a < b ? b : a`: a NaN in `a`
//   propagates, a NaN in `b` is dropped.
// - Floating point: contraction to fused multiply-add is allowed; no other
//   reassociation is. Reductions are evaluated in loop order.
//
// Read and Reduce occur only in te; Load, Ramp and Broadcast only in tir. All
// nodes print, parse back, compare structurally and are immutable.
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

// Identity is the node, not the name: two Vars may share a name, and printers
// then add a suffix. `id` numbers Vars in creation order; ordering by it makes
// output deterministic.
struct Var : ExprBase<Var, ExprKind::kVar> {
  using ExprBase::ExprBase;
  std::string name;
  int64_t id = 0;
  static Expr Make(std::string name, DType type = DType::Int32());
};

// Value conversion, lane by lane; float to int truncates towards zero.
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

// The vector base, base + stride, … of `lanes` values. base and stride are
// scalars.
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
// kernel; local memory is private to one thread and small (registers or stack).
enum class Scope : uint8_t { kGlobal, kLocal };

// A dense row-major memory region in tir. Identity is the node, not the name.
struct BufferNode : Counted {
  std::string name;
  DType dtype;
  Shape shape;
  Scope scope = Scope::kGlobal;
};
using Buffer = Ref<BufferNode>;
Buffer MakeBuffer(std::string name, DType dtype, Shape shape,
                  Scope scope = Scope::kGlobal);

// The element at `indices`, one index per dimension (a single index after
// flattening). After vectorization the last index may be a vector; the result
// then has as many lanes.
struct Load : ExprBase<Load, ExprKind::kLoad> {
  using ExprBase::ExprBase;
  Buffer buffer;
  std::vector<Expr> indices;
  static Expr Make(Buffer buffer, std::vector<Expr> indices);
};

// The part of te::Tensor that expressions need: a tensor that can be read. te
// derives its operations from it.
struct TensorNode : Counted {
  std::string name;
  DType dtype;
  Shape shape;
  // The node that owns this one (the first output of the same operation) and
  // holds the reference count for both; nullptr if this node owns itself.
  const Counted* owner = nullptr;
  const Counted& Holder() const { return owner != nullptr ? *owner : *this; }
};
using TensorRef = Ref<TensorNode>;

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

// Component `value` of the reduction of the tuple `sources` over all points of
// `axes`. Allowed only as the whole body of a te::Compute.
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
