#include "compiler/expr/expr.h"

#include <atomic>
#include <utility>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/numeric.h"
#include "runtime/base/check.h"

namespace assay::expr {
namespace {

// Type of a binary node whose operands have type `operand`.
DType ResultType(ExprKind kind, DType operand) {
  switch (kind) {
    case ExprKind::kEQ:
    case ExprKind::kNE:
    case ExprKind::kLT:
    case ExprKind::kLE:
    case ExprKind::kAnd:
    case ExprKind::kOr:
      return DType::Bool().WithLanes(operand.lanes());
    default:
      return operand;
  }
}

void CheckOperandType(ExprKind kind, DType type) {
  const bool logical = kind == ExprKind::kAnd || kind == ExprKind::kOr;
  const bool equality = kind == ExprKind::kEQ || kind == ExprKind::kNE;
  if (!equality) {
    CHECK_EQ(type.is_bool(), logical) << "operands of type " << type;
  }
  if (kind == ExprKind::kMod) CHECK(!type.is_float()) << type;
}

template <typename T>
Expr MakeBinary(Expr a, Expr b) {
  CHECK(a.defined() && b.defined());
  CHECK_EQ(a.dtype(), b.dtype()) << "in " << a << " and " << b;
  CheckOperandType(T::kKind, a.dtype());
  auto* node = new T(ResultType(T::kKind, a.dtype()));
  node->a = std::move(a);
  node->b = std::move(b);
  return Expr(node);
}

Expr MakeCall(DType type, Intrinsic intrinsic, std::vector<Expr> args) {
  auto* node = new Call(type);
  node->intrinsic = intrinsic;
  node->args = std::move(args);
  return Expr(node);
}

}  // namespace

Expr::Expr(int value) : Expr(IntImm::Make(DType::Int32(), value)) {}

#define ASSAY_DEFINE(Kind)                               \
  Expr Kind::Make(Expr a, Expr b) {                      \
    return MakeBinary<Kind>(std::move(a), std::move(b)); \
  }
ASSAY_EXPR_BINARY_KINDS(ASSAY_DEFINE)
#undef ASSAY_DEFINE

Expr IntImm::Make(DType type, int64_t value) {
  CHECK(type.is_scalar() && !type.is_float()) << type;
  CHECK_EQ(WrapInt(type, value), value) << "does not fit " << type;
  auto* node = new IntImm(type);
  node->value = value;
  return Expr(node);
}

Expr FloatImm::Make(DType type, double value) {
  CHECK(type.is_scalar() && type.is_float()) << type;
  auto* node = new FloatImm(type);
  node->value = RoundFloat(type, value);
  return Expr(node);
}

Expr Var::Make(std::string name, DType type) {
  CHECK(!name.empty());
  static std::atomic<int64_t> next_id{0};
  auto* node = new Var(type);
  node->name = std::move(name);
  node->id = next_id.fetch_add(1, std::memory_order_relaxed);
  return Expr(node);
}

Expr Cast::Make(DType type, Expr value) {
  CHECK_EQ(type.lanes(), value.dtype().lanes()) << value;
  auto* node = new Cast(type);
  node->value = std::move(value);
  return Expr(node);
}

Expr Not::Make(Expr a) {
  CHECK(a.dtype().is_bool()) << a;
  auto* node = new Not(a.dtype());
  node->a = std::move(a);
  return Expr(node);
}

Expr Select::Make(Expr condition, Expr true_value, Expr false_value) {
  CHECK(condition.dtype().is_bool()) << condition;
  const DType type = true_value.dtype();
  CHECK_EQ(type, false_value.dtype());
  CHECK(condition.dtype().is_scalar() ||
        condition.dtype().lanes() == type.lanes())
      << condition;
  auto* node = new Select(type);
  node->condition = std::move(condition);
  node->true_value = std::move(true_value);
  node->false_value = std::move(false_value);
  return Expr(node);
}

Expr Call::Make(DType type, Intrinsic intrinsic, std::vector<Expr> args) {
  CHECK_EQ(args.size(), IntrinsicArity(intrinsic));
  if (const TileFactors* tile = FindTileFactors(intrinsic)) {
    constexpr int kLanes = kTileRows * kTileRows;
    CHECK_EQ(type, tile->sum.WithLanes(kLanes));
    CHECK_EQ(args[0].dtype(), type);
    CHECK_EQ(args[1].dtype(), DType::Int32().WithLanes(kLanes));
    CHECK_EQ(args[2].dtype(), DType::Int32().WithLanes(kLanes));
    return MakeCall(type, intrinsic, std::move(args));
  }
  for (const Expr& arg : args) {
    if (intrinsic == Intrinsic::kReinterpret) {
      CHECK_EQ(arg.dtype().bits() * arg.dtype().lanes(),
               type.bits() * type.lanes())
          << arg;
    } else {
      CHECK_EQ(arg.dtype(), type) << arg;
    }
  }
  if (intrinsic == Intrinsic::kRoundBFloat16) {
    CHECK(type.Element() == DType::Float32()) << type;
  }
  if (FindDotFactors(intrinsic) != nullptr) {
    CHECK(type.Element() == DType::Int32()) << type;
  }
  return MakeCall(type, intrinsic, std::move(args));
}

Expr Ramp::Make(Expr base, Expr stride, int lanes) {
  CHECK_GT(lanes, 1);
  CHECK(base.dtype().is_scalar()) << base;
  CHECK_EQ(base.dtype(), stride.dtype());
  auto* node = new Ramp(base.dtype().WithLanes(lanes));
  node->base = std::move(base);
  node->stride = std::move(stride);
  return Expr(node);
}

Expr Broadcast::Make(Expr value, int lanes) {
  CHECK_GT(lanes, 1);
  CHECK(value.dtype().is_scalar()) << value;
  auto* node = new Broadcast(value.dtype().WithLanes(lanes));
  node->value = std::move(value);
  return Expr(node);
}

Buffer MakeBuffer(std::string name, DType dtype, Shape shape, Scope scope) {
  CHECK(dtype.is_scalar()) << dtype;
  auto* node = new BufferNode;
  node->name = std::move(name);
  node->dtype = dtype;
  node->shape = std::move(shape);
  node->scope = scope;
  return Buffer(node);
}

Expr Load::Make(Buffer buffer, std::vector<Expr> indices) {
  const int lanes = indices.empty() ? 1 : indices.back().dtype().lanes();
  auto* node = new Load(buffer->dtype.WithLanes(lanes));
  node->buffer = std::move(buffer);
  node->indices = std::move(indices);
  return Expr(node);
}

Expr Read::Make(TensorRef tensor, std::vector<Expr> indices) {
  CHECK_EQ(indices.size(), tensor->shape.size()) << "of " << tensor->name;
  auto* node = new Read(tensor->dtype);
  node->tensor = std::move(tensor);
  node->indices = std::move(indices);
  return Expr(node);
}

Expr Reduce::Make(Reducer reducer, std::vector<Expr> sources,
                  std::vector<ReduceAxis> axes, int value) {
  CHECK_EQ(static_cast<int>(sources.size()), reducer.size())
      << "number of sources of `" << reducer->name << "`";
  for (size_t i = 0; i < sources.size(); ++i) {
    CHECK_EQ(sources[i].dtype(), reducer->results[i].dtype())
        << "type of source " << i << " of `" << reducer->name << "`";
  }
  for (const ReduceAxis& axis : axes) {
    CHECK(axis.var.As<Var>() != nullptr);
    CHECK_GE(axis.extent, 0);
  }
  CHECK(value >= 0 && value < reducer.size()) << "value " << value;
  auto* node = new Reduce(sources[value].dtype());
  node->reducer = std::move(reducer);
  node->sources = std::move(sources);
  node->axes = std::move(axes);
  node->value = value;
  return Expr(node);
}

Expr Reduce::Make(Combiner combiner, Expr source,
                  std::vector<ReduceAxis> axes) {
  Reducer reducer = ReducerOf(combiner, source.dtype());
  return Make(std::move(reducer), {std::move(source)}, std::move(axes));
}

}  // namespace assay::expr
