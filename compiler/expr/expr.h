// Expr: the scalar (and, late in lowering, vector) expression language that
// tensor expressions (compiler/te) and loop programs (compiler/tir) share.
//
// Semantics
// - Every expression has a DType; operands of a binary node have equal types
//   (the builders in expr_ops.h insert nothing silently: a mismatch is a bug
//   and CHECK-fails). Comparisons and logic give bool with as many lanes.
// - Integers wrap nowhere: index arithmetic is int32 and lowering proves that
//   it fits. Div and Mod on integers round towards minus infinity (floor);
//   a divisor is never 0. On floats Div is IEEE division, Mod is not allowed.
// - Evaluation has no side effects; a Select evaluates both arms, except that
//   a Load in the arm not taken may be out of bounds and is then not done.
//   Vector operations act lane by lane; the condition of a Select of vectors
//   is either one scalar or as many lanes.
// - min(a, b) is `b < a ? b : a`, max(a, b) is `a < b ? b : a`: a NaN in `a`
//   stays, one in `b` is dropped.
// - Floating point: contraction to fused multiply-add is allowed, nothing else
//   is reassociated. Reductions are evaluated in the order the loops say.
//
// Read and Reduce occur only in te; Load, Ramp and Broadcast only in tir. All
// print, parse back, compare structurally and are immutable.
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

// Integers and bool (0 or 1); one lane.
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
// tell them apart with a suffix. `id` counts Vars in the order they are made,
// so that ordering by it gives the same program in every run.
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

// A pure function (intrinsics.h).
struct Call : ExprBase<Call, ExprKind::kCall> {
  using ExprBase::ExprBase;
  Intrinsic intrinsic = Intrinsic::kExp;
  std::vector<Expr> args;
  static Expr Make(DType type, Intrinsic intrinsic, std::vector<Expr> args);
};

// base, base + stride, … : `lanes` values. base and stride are scalars.
struct Ramp : ExprBase<Ramp, ExprKind::kRamp> {
  using ExprBase::ExprBase;
  Expr base, stride;
  static Expr Make(Expr base, Expr stride, int lanes);
};

// A scalar in every lane.
struct Broadcast : ExprBase<Broadcast, ExprKind::kBroadcast> {
  using ExprBase::ExprBase;
  Expr value;
  static Expr Make(Expr value, int lanes);
};

// Where a buffer lives. Global memory is visible to all threads of the kernel;
// local memory belongs to one and is small (registers or stack).
enum class Scope : uint8_t { kGlobal, kLocal };

// A dense row-major block of memory of tir. Identity is the node, not the name.
struct BufferNode : Counted {
  std::string name;
  DType dtype;
  Shape shape;
  Scope scope = Scope::kGlobal;
};
using Buffer = Ref<BufferNode>;
Buffer MakeBuffer(std::string name, DType dtype, Shape shape,
                  Scope scope = Scope::kGlobal);

// The element at `indices`, one per dimension (one in all after flattening).
// After vectorisation the last index may be a vector; so is the result then.
struct Load : ExprBase<Load, ExprKind::kLoad> {
  using ExprBase::ExprBase;
  Buffer buffer;
  std::vector<Expr> indices;
  static Expr Make(Buffer buffer, std::vector<Expr> indices);
};

// What te::Tensor is to an expression: something that can be read. te derives
// its operations from it.
struct TensorNode : Counted {
  std::string name;
  DType dtype;
  Shape shape;
  // The tensor of the same operation that owns this one and counts for both.
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

// A reduction variable and its extent; it runs over [0, extent).
struct ReduceAxis {
  Expr var;  // a Var
  int64_t extent = 0;
};

// One value of the combination of the tuple `sources` over all values of
// `axes`. Only as the whole body of a te::Compute.
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
