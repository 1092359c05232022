// FunctionEmitter: expressions, except for indices, memory accesses and
// intrinsics.
#include <numeric>

#include "compiler/codegen/llvm/emitter.h"
#include "compiler/codegen/llvm/float16.h"
#include "compiler/codegen/llvm/types.h"
#include "compiler/codegen/llvm/vector_index.h"
#include "compiler/codegen/llvm/wide_integers.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/expr/printer.h"
#include "compiler/expr/visitor.h"
#include "compiler/tir/simplify/exact.h"
#include "llvm/IR/Constants.h"
#include "runtime/base/check.h"

namespace assay::codegen {
namespace {

using expr::ExprKind;

// Returns true for arithmetic on variables and constants only, as in loop
// bounds and conditions. It is emitted as index arithmetic, so that it shares
// values with other indices. `bounds` tells which variables are data.
bool IsIndexArithmetic(const Expr& e, const tir::VarBounds& bounds) {
  if (e.dtype() != DType::Int32()) return false;
  switch (e.kind()) {
    case ExprKind::kIntImm:
      return true;
    case ExprKind::kVar:
      return !tir::IsData(e, bounds);
#define ASSAY_CASE(Kind)                                              \
  case ExprKind::k##Kind:                                             \
    return IsIndexArithmetic(e.As<struct expr::Kind>()->a, bounds) && \
           IsIndexArithmetic(e.As<struct expr::Kind>()->b, bounds);
      ASSAY_CASE(Add)
      ASSAY_CASE(Sub)
      ASSAY_CASE(Mul)
      ASSAY_CASE(Div)
      ASSAY_CASE(Mod)
      ASSAY_CASE(Min)
      ASSAY_CASE(Max)
#undef ASSAY_CASE
    default:
      return false;
  }
}

// Finds subexpressions that must not be evaluated speculatively.
class HazardFinder : public expr::ExprVisitor {
 public:
  explicit HazardFinder(const tir::VarBounds& bounds) : bounds_(bounds) {}
  bool found() const { return found_; }

 private:
  void VisitLoad(const expr::Load* load) override {
    const int64_t size = NumElements(load->buffer->shape);
    if (!tir::ConstBounds(load->indices[0], bounds_).Within(0, size - 1)) {
      found_ = true;
    }
    ExprVisitor::VisitLoad(load);
  }
  void VisitDiv(const expr::Div* div) override {
    CheckDivisor(div->b);
    ExprVisitor::VisitDiv(div);
  }
  void VisitMod(const expr::Mod* mod) override {
    CheckDivisor(mod->b);
    ExprVisitor::VisitMod(mod);
  }
  // A variable divisor could be 0 where the quotient is not used.
  void CheckDivisor(const Expr& divisor) {
    if (divisor.dtype().is_float()) return;
    const std::optional<int64_t> value = expr::AsConstInt(divisor);
    if (!value.has_value() || *value == 0) found_ = true;
  }

  const tir::VarBounds& bounds_;
  bool found_ = false;
};

}  // namespace

bool FunctionEmitter::IsSpeculatable(const Expr& e) const {
  HazardFinder finder(bounds_);
  finder.Visit(e);
  return !finder.found();
}

llvm::Value* FunctionEmitter::Emit(const Expr& e) {
  llvm::LLVMContext& context = kernel_.context();
  switch (e.kind()) {
    case ExprKind::kIntImm:
      return IntConstant(context, e.dtype(), e.As<expr::IntImm>()->value);
    case ExprKind::kFloatImm:
      return FloatConstant(context, e.dtype(), e.As<expr::FloatImm>()->value);
    case ExprKind::kVar:
      return EmitNarrowedIndex(e);
    case ExprKind::kCast:
      return Convert(e.As<expr::Cast>()->value.dtype(), e.dtype(),
                     Emit(e.As<expr::Cast>()->value));
    case ExprKind::kNot:
      return builder_.CreateNot(Emit(e.As<expr::Not>()->a));
    case ExprKind::kSelect:
      return EmitSelect(*e.As<expr::Select>());
    case ExprKind::kCall:
      return EmitCall(*e.As<expr::Call>());
    case ExprKind::kRamp:
      return EmitRamp(*e.As<expr::Ramp>());
    case ExprKind::kBroadcast:
      return EmitBroadcast(*e.As<expr::Broadcast>());
    case ExprKind::kLoad:
      if (mask_ != nullptr && e.dtype().is_scalar()) return EmitUnmasked(e);
      return EmitLoad(*e.As<expr::Load>());
#define ASSAY_CASE(Kind)                               \
  case ExprKind::k##Kind:                              \
    return EmitBinary(e, e.As<struct expr::Kind>()->a, \
                      e.As<struct expr::Kind>()->b);
      ASSAY_EXPR_BINARY_KINDS(ASSAY_CASE)
#undef ASSAY_CASE
    case ExprKind::kRead:
    case ExprKind::kReduce:
      break;
  }
  CHECK(false) << "`" << expr::ToString(e) << "` is not a tir expression";
  return nullptr;
}

llvm::Value* FunctionEmitter::EmitBinary(const Expr& e, const Expr& a,
                                         const Expr& b) {
  switch (e.kind()) {
    case ExprKind::kEQ:
    case ExprKind::kNE:
    case ExprKind::kLT:
    case ExprKind::kLE:
      return EmitCompare(e.kind(), a, b);
    case ExprKind::kAnd:
      return builder_.CreateAnd(Emit(a), Emit(b));
    case ExprKind::kOr:
      return builder_.CreateOr(Emit(a), Emit(b));
    default:
      break;
  }
  if (IsIndexArithmetic(e, bounds_)) return EmitNarrowedIndex(e);
  llvm::Value* x = Emit(a);
  llvm::Value* y = Emit(b);
  const bool is_div = e.kind() == ExprKind::kDiv;
  if ((is_div || e.kind() == ExprKind::kMod) && !e.dtype().is_float()) {
    return EmitDivMod(e, x, y);
  }
  return EmitArithmetic(e.kind(), e.dtype(), x, y);
}

llvm::Value* FunctionEmitter::EmitCompare(ExprKind kind, const Expr& a,
                                          const Expr& b) {
  const DType type = a.dtype();
  const bool on_indices =
      IsIndexArithmetic(a, bounds_) && IsIndexArithmetic(b, bounds_);
  llvm::Value* x = on_indices ? EmitIndex(a) : Emit(a);
  llvm::Value* y = on_indices ? EmitIndex(b) : Emit(b);
  switch (kind) {
    case ExprKind::kEQ:
      return type.is_float() ? builder_.CreateFCmpOEQ(x, y)
                             : builder_.CreateICmpEQ(x, y);
    case ExprKind::kNE:
      return type.is_float() ? builder_.CreateFCmpUNE(x, y)
                             : builder_.CreateICmpNE(x, y);
    case ExprKind::kLT:
      if (type.is_float()) return builder_.CreateFCmpOLT(x, y);
      return type.is_int() ? builder_.CreateICmpSLT(x, y)
                           : builder_.CreateICmpULT(x, y);
    default:
      if (type.is_float()) return builder_.CreateFCmpOLE(x, y);
      return type.is_int() ? builder_.CreateICmpSLE(x, y)
                           : builder_.CreateICmpULE(x, y);
  }
}

llvm::Value* FunctionEmitter::EmitArithmetic(ExprKind kind, DType type,
                                             llvm::Value* a, llvm::Value* b) {
  const bool is_float = type.is_float();
  switch (kind) {
    case ExprKind::kAdd:
      return is_float ? builder_.CreateFAdd(a, b) : builder_.CreateAdd(a, b);
    case ExprKind::kSub:
      return is_float ? builder_.CreateFSub(a, b) : builder_.CreateSub(a, b);
    case ExprKind::kMul:
      return is_float ? builder_.CreateFMul(a, b) : builder_.CreateMul(a, b);
    case ExprKind::kDiv:
      return builder_.CreateFDiv(a, b);
    case ExprKind::kMin:
    case ExprKind::kMax: {
      // min: b < a ? b : a; max: a < b ? b : a. This defines the results for
      // NaN and -0.
      llvm::Value* lesser = kind == ExprKind::kMin ? b : a;
      llvm::Value* greater = kind == ExprKind::kMin ? a : b;
      llvm::Value* take_b = is_float ? builder_.CreateFCmpOLT(lesser, greater)
                            : type.is_int()
                                ? builder_.CreateICmpSLT(lesser, greater)
                                : builder_.CreateICmpULT(lesser, greater);
      return builder_.CreateSelect(take_b, b, a);
    }
    default:
      CHECK(false) << "not arithmetic: " << static_cast<int>(kind);
      return nullptr;
  }
}

llvm::Value* FunctionEmitter::Convert(DType from, DType to, llvm::Value* x) {
  if (from == to) return x;
  if (from.is_float() && from.bits() == 16) {
    const DType wide = DType::Float32().WithLanes(from.lanes());
    x = EmitFromFloat16(builder_, kernel_.target, from, x);
    return Convert(wide, to, x);
  }
  if (to.is_float() && to.bits() == 16) {
    // Convert via a type that represents every integer exactly, or its highest
    // bits and a sticky bit, to round only once.
    if (!from.is_float()) {
      if (from.bits() == 64) x = EmitStickyBits(builder_, x, from.is_int());
      const DType exact =
          from.bits() > 16 ? DType::Float64() : DType::Float32();
      x = Convert(from, exact.WithLanes(to.lanes()), x);
    }
    return EmitToFloat16(builder_, kernel_.target, to, x);
  }
  llvm::Type* type = RegisterType(kernel_.context(), to);
  if (to.is_bool()) {
    llvm::Value* zero = llvm::Constant::getNullValue(x->getType());
    return from.is_float() ? builder_.CreateFCmpUNE(x, zero)
                           : builder_.CreateICmpNE(x, zero);
  }
  if (from.is_float()) {
    if (to.is_float()) return builder_.CreateFPCast(x, type);
    return to.is_int() ? builder_.CreateFPToSI(x, type)
                       : builder_.CreateFPToUI(x, type);
  }
  if (to.is_float()) {
    return from.is_int() ? builder_.CreateSIToFP(x, type)
                         : builder_.CreateUIToFP(x, type);
  }
  return builder_.CreateIntCast(x, type, from.is_int());
}

llvm::Value* FunctionEmitter::EmitBranch(llvm::Value* condition,
                                         const Arm& then_arm,
                                         const Arm& else_arm) {
  llvm::BasicBlock* then_block = NewBlock("then");
  llvm::BasicBlock* else_block = NewBlock("else");
  llvm::BasicBlock* join = NewBlock("join");
  builder_.CreateCondBr(condition, then_block, else_block);

  builder_.SetInsertPoint(then_block);
  llvm::Value* then_value = then_arm();
  llvm::BasicBlock* then_end = builder_.GetInsertBlock();
  builder_.CreateBr(join);

  builder_.SetInsertPoint(else_block);
  llvm::Value* else_value = else_arm();
  llvm::BasicBlock* else_end = builder_.GetInsertBlock();
  builder_.CreateBr(join);

  builder_.SetInsertPoint(join);
  llvm::PHINode* phi = builder_.CreatePHI(then_value->getType(), 2);
  phi->addIncoming(then_value, then_end);
  phi->addIncoming(else_value, else_end);
  return phi;
}

llvm::Value* FunctionEmitter::EmitSelect(const expr::Select& select) {
  const Expr& then_expr = select.true_value;
  const Expr& else_expr = select.false_value;
  const bool safe = IsSpeculatable(then_expr) && IsSpeculatable(else_expr);
  const std::optional<Expr> uniform = AsUniform(select.condition);
  if (uniform.has_value()) {
    // The condition may contain loads that the current mask must guard.
    llvm::Value* condition = EmitUnmasked(*uniform);
    if (safe) {
      llvm::Value* then_value = Emit(then_expr);
      return builder_.CreateSelect(condition, then_value, Emit(else_expr));
    }
    return EmitBranch(
        condition, [&] { return Emit(then_expr); },
        [&] { return Emit(else_expr); });
  }
  llvm::Value* condition = Emit(select.condition);
  if (safe) {
    llvm::Value* then_value = Emit(then_expr);
    return builder_.CreateSelect(condition, then_value, Emit(else_expr));
  }
  llvm::Value* outer = mask_;
  const auto with_mask = [&](llvm::Value* mask, const Expr& e) {
    mask_ = outer != nullptr ? builder_.CreateAnd(outer, mask) : mask;
    llvm::Value* value = Emit(e);
    mask_ = outer;
    return value;
  };
  llvm::Value* then_value = with_mask(condition, then_expr);
  llvm::Value* else_value = with_mask(builder_.CreateNot(condition), else_expr);
  return builder_.CreateSelect(condition, then_value, else_value);
}

llvm::Value* FunctionEmitter::EmitUnmasked(const Expr& scalar) {
  if (mask_ == nullptr) return Emit(scalar);
  llvm::Value* mask = std::exchange(mask_, nullptr);
  llvm::Value* value;
  if (IsSpeculatable(scalar)) {
    value = Emit(scalar);
  } else {
    value = EmitBranch(
        builder_.CreateOrReduce(mask), [&] { return Emit(scalar); },
        [&]() -> llvm::Value* {
          return llvm::Constant::getNullValue(
              RegisterType(kernel_.context(), scalar.dtype()));
        });
  }
  mask_ = mask;
  return value;
}

llvm::Value* FunctionEmitter::EmitRamp(const expr::Ramp& ramp) {
  const int lanes = ramp.dtype.lanes();
  llvm::Value* base = EmitUnmasked(ramp.base);
  llvm::Value* stride = EmitUnmasked(ramp.stride);
  std::vector<llvm::Constant*> steps;
  for (int lane = 0; lane < lanes; ++lane) {
    steps.push_back(llvm::ConstantInt::get(base->getType(), lane));
  }
  llvm::Value* offsets =
      builder_.CreateMul(builder_.CreateVectorSplat(lanes, stride),
                         llvm::ConstantVector::get(steps));
  return builder_.CreateAdd(builder_.CreateVectorSplat(lanes, base), offsets);
}

llvm::Value* FunctionEmitter::EmitBroadcast(const expr::Broadcast& broadcast) {
  return builder_.CreateVectorSplat(broadcast.dtype.lanes(),
                                    EmitUnmasked(broadcast.value));
}

}  // namespace assay::codegen
