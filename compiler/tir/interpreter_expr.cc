#include "compiler/tir/interpreter_expr.h"

#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/expr/numeric.h"
#include "compiler/expr/printer.h"
#include "compiler/tir/interpreter_math.h"
#include "runtime/base/check.h"
#include "runtime/base/round_to_odd.h"
#include "runtime/base/shape.h"

namespace assay::tir {
namespace {

using expr::Expr;
using expr::ExprKind;
using expr::Intrinsic;

Scalar OfInt(int64_t value) {
  Scalar s;
  s.i = value;
  return s;
}

Scalar OfFloat(double value) {
  Scalar s;
  s.f = value;
  return s;
}

double Round(DType type, double value) {
  if (type.bits() == 32) return static_cast<float>(value);
  return expr::RoundFloat(type, value);
}

// An Evaluator that wraps a callable of (Frame&, int lane).
template <typename F>
class Lambda : public Evaluator {
 public:
  explicit Lambda(F f) : f_(std::move(f)) {}
  Scalar Eval(Frame& frame, int lane) const override { return f_(frame, lane); }

 private:
  F f_;
};

template <typename F>
EvaluatorRef MakeEvaluator(F f) {
  return std::make_shared<Lambda<F>>(std::move(f));
}

// op(a, b) on floats, rounded to `type`.
template <typename Op>
EvaluatorRef FloatBinary(DType type, EvaluatorRef a, EvaluatorRef b, Op op) {
  return MakeEvaluator([=](Frame& frame, int lane) {
    return OfFloat(
        Round(type, op(a->Eval(frame, lane).f, b->Eval(frame, lane).f)));
  });
}

template <typename Op>
EvaluatorRef IntBinary(DType type, EvaluatorRef a, EvaluatorRef b, Op op) {
  return MakeEvaluator([=](Frame& frame, int lane) {
    return OfInt(expr::WrapInt(
        type, op(a->Eval(frame, lane).i, b->Eval(frame, lane).i)));
  });
}

template <typename Op>
EvaluatorRef FloatCompare(EvaluatorRef a, EvaluatorRef b, Op op) {
  return MakeEvaluator([=](Frame& frame, int lane) {
    return OfInt(op(a->Eval(frame, lane).f, b->Eval(frame, lane).f));
  });
}

EvaluatorRef CompileFloatBinary(ExprKind kind, DType t, EvaluatorRef a,
                                EvaluatorRef b) {
  switch (kind) {
    case ExprKind::kAdd:
      return FloatBinary(t, a, b, [](double x, double y) { return x + y; });
    case ExprKind::kSub:
      return FloatBinary(t, a, b, [](double x, double y) { return x - y; });
    case ExprKind::kMul:
      return FloatBinary(t, a, b, [](double x, double y) { return x * y; });
    case ExprKind::kDiv:
      return FloatBinary(t, a, b, [](double x, double y) { return x / y; });
    case ExprKind::kMin:
      return FloatBinary(t, a, b,
                         [](double x, double y) { return y < x ? y : x; });
    case ExprKind::kMax:
      return FloatBinary(t, a, b,
                         [](double x, double y) { return x < y ? y : x; });
    case ExprKind::kEQ:
      return FloatCompare(a, b, [](double x, double y) { return x == y; });
    case ExprKind::kNE:
      return FloatCompare(a, b, [](double x, double y) { return x != y; });
    case ExprKind::kLT:
      return FloatCompare(a, b, [](double x, double y) { return x < y; });
    case ExprKind::kLE:
      return FloatCompare(a, b, [](double x, double y) { return x <= y; });
    default:
      CHECK(false) << "not an operator of floats";
      return nullptr;
  }
}

EvaluatorRef CompileDivision(bool quotient, DType type, EvaluatorRef a,
                             EvaluatorRef b) {
  return MakeEvaluator([=](Frame& frame, int lane) {
    const int64_t x = a->Eval(frame, lane).i, y = b->Eval(frame, lane).i;
    if (y == 0) {
      frame.Fail("division by zero");
      return OfInt(0);
    }
    if (type.is_uint()) {
      const auto ux = static_cast<uint64_t>(x), uy = static_cast<uint64_t>(y);
      return OfInt(static_cast<int64_t>(quotient ? ux / uy : ux % uy));
    }
    // The only overflow: the lowest value divided by -1.
    if (y == -1) {
      const auto negated = static_cast<int64_t>(0 - static_cast<uint64_t>(x));
      return OfInt(quotient ? expr::WrapInt(type, negated) : 0);
    }
    return OfInt(quotient ? expr::FloorDiv(x, y) : expr::FloorMod(x, y));
  });
}

// uint64 values are compared as unsigned; all other types fit int64_t.
bool Less(bool is_unsigned, int64_t x, int64_t y) {
  return is_unsigned ? static_cast<uint64_t>(x) < static_cast<uint64_t>(y)
                     : x < y;
}

EvaluatorRef CompileIntBinary(ExprKind kind, DType t, EvaluatorRef a,
                              EvaluatorRef b) {
  const bool u = t.is_uint();
  const DType truth = DType::Bool();
  switch (kind) {
    case ExprKind::kAdd:
      return IntBinary(t, a, b, [](uint64_t x, uint64_t y) { return x + y; });
    case ExprKind::kSub:
      return IntBinary(t, a, b, [](uint64_t x, uint64_t y) { return x - y; });
    case ExprKind::kMul:
      return IntBinary(t, a, b, [](uint64_t x, uint64_t y) { return x * y; });
    case ExprKind::kDiv:
      return CompileDivision(true, t, a, b);
    case ExprKind::kMod:
      return CompileDivision(false, t, a, b);
    case ExprKind::kMin:
      return IntBinary(
          t, a, b, [u](int64_t x, int64_t y) { return Less(u, y, x) ? y : x; });
    case ExprKind::kMax:
      return IntBinary(
          t, a, b, [u](int64_t x, int64_t y) { return Less(u, x, y) ? y : x; });
    case ExprKind::kEQ:
      return IntBinary(truth, a, b,
                       [](int64_t x, int64_t y) { return x == y; });
    case ExprKind::kNE:
      return IntBinary(truth, a, b,
                       [](int64_t x, int64_t y) { return x != y; });
    case ExprKind::kLT:
      return IntBinary(truth, a, b,
                       [u](int64_t x, int64_t y) { return Less(u, x, y); });
    case ExprKind::kLE:
      return IntBinary(truth, a, b,
                       [u](int64_t x, int64_t y) { return !Less(u, y, x); });
    case ExprKind::kAnd:
      return IntBinary(truth, a, b, [](int64_t x, int64_t y) { return x & y; });
    default:
      return IntBinary(truth, a, b, [](int64_t x, int64_t y) { return x | y; });
  }
}

EvaluatorRef CompileCast(DType from, DType to, EvaluatorRef value) {
  if (from.is_float() && to.is_float()) {
    return MakeEvaluator([=](Frame& frame, int lane) {
      return OfFloat(Round(to, value->Eval(frame, lane).f));
    });
  }
  if (from.is_float()) {
    return MakeEvaluator([=](Frame& frame, int lane) {
      const double x = value->Eval(frame, lane).f;
      if (to.is_bool()) return OfInt(x != 0);
      // The conversion of an out-of-range value is undefined; use 0.
      if (!(x > -0x1p63 && x < 0x1p64)) return OfInt(0);
      const bool beyond_signed = to.is_uint() && x >= 0x1p63;
      return OfInt(expr::WrapInt(
          to, beyond_signed ? static_cast<int64_t>(static_cast<uint64_t>(x))
                            : static_cast<int64_t>(x)));
    });
  }
  if (to.is_float()) {
    return MakeEvaluator([=](Frame& frame, int lane) {
      const int64_t x = value->Eval(frame, lane).i;
      const bool is_wide = to.bits() == 64;
      if (from.is_uint()) {
        const auto magnitude = static_cast<uint64_t>(x);
        return OfFloat(is_wide ? static_cast<double>(magnitude)
                               : Round(to, RoundToOdd(magnitude)));
      }
      return OfFloat(is_wide ? static_cast<double>(x)
                             : Round(to, RoundToOdd(x)));
    });
  }
  return MakeEvaluator([=](Frame& frame, int lane) {
    return OfInt(expr::WrapInt(to, value->Eval(frame, lane).i));
  });
}

uint64_t BitsOf(DType type, const Scalar& x) {
  const uint64_t bits = type.is_float() ? expr::FloatToBits(type, x.f)
                                        : static_cast<uint64_t>(x.i);
  return type.bits() == 64 ? bits : bits & ((uint64_t{1} << type.bits()) - 1);
}

Scalar OfBits(DType type, uint64_t bits) {
  if (type.is_float()) return OfFloat(expr::BitsToFloat(type, bits));
  return OfInt(expr::WrapInt(type, static_cast<int64_t>(bits)));
}

// Regroups the bits of lanes of one width into lanes of another, lowest first.
EvaluatorRef CompileReinterpret(DType from, DType to, EvaluatorRef value) {
  if (from.bits() > to.bits()) {
    return MakeEvaluator(
        [=, parts = from.bits() / to.bits()](Frame& frame, int lane) {
          const uint64_t bits = BitsOf(from, value->Eval(frame, lane / parts));
          return OfBits(to, bits >> (lane % parts * to.bits()));
        });
  }
  return MakeEvaluator(
      [=, parts = to.bits() / from.bits()](Frame& frame, int lane) {
        uint64_t bits = 0;
        for (int i = 0; i < parts; ++i) {
          bits |= BitsOf(from, value->Eval(frame, lane * parts + i))
                  << (i * from.bits());
        }
        return OfBits(to, bits);
      });
}

EvaluatorRef CompileDot(const expr::DotFactors& factors,
                        const std::vector<EvaluatorRef>& args) {
  return MakeEvaluator([=](Frame& frame, int lane) {
    return OfInt(expr::EvaluateDot(factors, args[0]->Eval(frame, lane).i,
                                   args[1]->Eval(frame, lane).i,
                                   args[2]->Eval(frame, lane).i));
  });
}

// Adds the products of row lane / 16 of a and column lane % 16 of b to `sum`.
// `field` is the member of Scalar that holds the numbers.
template <typename T>
T AddTileProducts(const expr::TileFactors& factors, const Evaluator& a,
                  const Evaluator& b, T Scalar::* field, Frame& frame, int lane,
                  T sum) {
  constexpr int kRows = expr::kTileRows;
  const int row = lane / kRows, column = lane % kRows;
  for (int k = 0; k < kRows; ++k) {
    const auto x = static_cast<uint64_t>(a.Eval(frame, row * kRows + k).i);
    const auto y = static_cast<uint64_t>(b.Eval(frame, k * kRows + column).i);
    for (int bit = 0; bit < 32; bit += factors.a.bits()) {
      sum += OfBits(factors.a, x >> bit).*field *
             OfBits(factors.b, y >> bit).*field;
    }
  }
  return sum;
}

EvaluatorRef CompileTileProduct(const expr::TileFactors& factors,
                                const std::vector<EvaluatorRef>& args) {
  if (factors.sum.is_float()) {
    return MakeEvaluator([=](Frame& frame, int lane) {
      return OfFloat(
          Round(factors.sum,
                AddTileProducts(factors, *args[1], *args[2], &Scalar::f, frame,
                                lane, args[0]->Eval(frame, lane).f)));
    });
  }
  return MakeEvaluator([=](Frame& frame, int lane) {
    return OfInt(expr::WrapInt(
        factors.sum,
        AddTileProducts(factors, *args[1], *args[2], &Scalar::i, frame, lane,
                        args[0]->Eval(frame, lane).i)));
  });
}

EvaluatorRef CompileFma(DType type, const std::vector<EvaluatorRef>& args) {
  return MakeEvaluator([=](Frame& frame, int lane) {
    const double a = args[0]->Eval(frame, lane).f;
    const double b = args[1]->Eval(frame, lane).f;
    const double c = args[2]->Eval(frame, lane).f;
    // Rounded once in float32; rounding to double and then to float is wrong.
    if (type.bits() == 32) {
      return OfFloat(std::fma(static_cast<float>(a), static_cast<float>(b),
                              static_cast<float>(c)));
    }
    return OfFloat(Round(type, std::fma(a, b, c)));
  });
}

EvaluatorRef CompileCall(const expr::Call& call,
                         const std::vector<EvaluatorRef>& args) {
  const DType type = call.dtype.Element();
  const Intrinsic intrinsic = call.intrinsic;
  if (intrinsic == Intrinsic::kReinterpret) {
    return CompileReinterpret(call.args[0].dtype().Element(), type, args[0]);
  }
  if (const expr::DotFactors* factors = expr::FindDotFactors(intrinsic)) {
    return CompileDot(*factors, args);
  }
  if (const expr::TileFactors* factors = expr::FindTileFactors(intrinsic)) {
    return CompileTileProduct(*factors, args);
  }
  if (intrinsic == Intrinsic::kFma && type.is_float()) {
    return CompileFma(type, args);
  }
  const EvaluatorRef second = args.size() > 1 ? args[1] : args[0];
  if (type.is_float()) {
    return MakeEvaluator([=, first = args[0]](Frame& frame, int lane) {
      const double x = first->Eval(frame, lane).f;
      const double y = second->Eval(frame, lane).f;
      return OfFloat(Round(type, ApplyFloat(intrinsic, x, y)));
    });
  }
  return MakeEvaluator([=, first = args[0]](Frame& frame, int lane) {
    const int64_t x = first->Eval(frame, lane).i;
    const int64_t y = second->Eval(frame, lane).i;
    return OfInt(expr::WrapInt(type, ApplyInt(intrinsic, type, x, y)));
  });
}

EvaluatorRef CompileSelect(const expr::Select& select, EvaluatorRef condition,
                           EvaluatorRef a, EvaluatorRef b) {
  const bool uniform = select.condition.dtype().is_scalar();
  return MakeEvaluator([=](Frame& frame, int lane) {
    const bool take_a = condition->Eval(frame, uniform ? 0 : lane).i != 0;
    return (take_a ? a : b)->Eval(frame, lane);
  });
}

EvaluatorRef CompileRamp(DType type, EvaluatorRef base, EvaluatorRef stride) {
  return MakeEvaluator([=](Frame& frame, int lane) {
    const int64_t first = base->Eval(frame, 0).i;
    return OfInt(expr::WrapInt(type, first + lane * stride->Eval(frame, 0).i));
  });
}

EvaluatorRef CompileLoad(const expr::Load& load, const Slots& slots) {
  auto address = std::make_shared<Address>(load.buffer, load.indices, slots);
  return MakeEvaluator([address](Frame& frame, int lane) {
    const int64_t element = address->Eval(frame, lane, "load");
    if (element < 0) return OfInt(0);
    return frame.Load(address->buffer(), element);
  });
}

}  // namespace

EvaluatorRef CompileExpr(const Expr& e, const Slots& slots) {
  const auto compile = [&](const Expr& child) {
    return CompileExpr(child, slots);
  };
  const DType type = e.dtype().Element();
  switch (e.kind()) {
    case ExprKind::kIntImm:
      return MakeEvaluator(
          [v = OfInt(e.As<expr::IntImm>()->value)](Frame&, int) { return v; });
    case ExprKind::kFloatImm:
      return MakeEvaluator([v = OfFloat(e.As<expr::FloatImm>()->value)](
                               Frame&, int) { return v; });
    case ExprKind::kVar:
      return MakeEvaluator([slot = slots.vars.at(e.get())](Frame& f, int) {
        return OfInt(f.vars[slot]);
      });
    case ExprKind::kCast: {
      const Expr& value = e.As<expr::Cast>()->value;
      return CompileCast(value.dtype().Element(), type, compile(value));
    }
#define ASSAY_CASE(Kind)                                                   \
  case ExprKind::k##Kind: {                                                \
    const auto* n = e.As<struct expr::Kind>();                             \
    const DType operand = n->a.dtype().Element();                          \
    EvaluatorRef a = compile(n->a), b = compile(n->b);                     \
    return operand.is_float() ? CompileFloatBinary(e.kind(), type, a, b)   \
                              : CompileIntBinary(e.kind(), operand, a, b); \
  }
      ASSAY_EXPR_BINARY_KINDS(ASSAY_CASE)
#undef ASSAY_CASE
    case ExprKind::kNot:
      return MakeEvaluator(
          [a = compile(e.As<expr::Not>()->a)](Frame& f, int lane) {
            return OfInt(a->Eval(f, lane).i == 0);
          });
    case ExprKind::kSelect: {
      const auto* n = e.As<expr::Select>();
      return CompileSelect(*n, compile(n->condition), compile(n->true_value),
                           compile(n->false_value));
    }
    case ExprKind::kCall: {
      std::vector<EvaluatorRef> args;
      for (const Expr& arg : e.As<expr::Call>()->args) {
        args.push_back(compile(arg));
      }
      return CompileCall(*e.As<expr::Call>(), args);
    }
    case ExprKind::kRamp: {
      const auto* n = e.As<expr::Ramp>();
      return CompileRamp(type, compile(n->base), compile(n->stride));
    }
    case ExprKind::kBroadcast:
      return MakeEvaluator([value = compile(e.As<expr::Broadcast>()->value)](
                               Frame& f, int) { return value->Eval(f, 0); });
    case ExprKind::kLoad:
      return CompileLoad(*e.As<expr::Load>(), slots);
    case ExprKind::kRead:
    case ExprKind::kReduce:
      break;
  }
  CHECK(false) << "not an expression of loop programs: " << e;
  return nullptr;
}

Address::Address(const expr::Buffer& buffer, const std::vector<Expr>& indices,
                 const Slots& slots)
    : buffer_(slots.buffers.at(buffer.get())), name_(buffer->name) {
  shape_ = indices.size() == buffer->shape.size()
               ? buffer->shape
               : Shape{NumElements(buffer->shape)};
  strides_ = RowMajorStrides(shape_);
  for (const Expr& index : indices) {
    indices_.push_back(CompileExpr(index, slots));
  }
}

int64_t Address::Eval(Frame& frame, int lane, const char* access) const {
  int64_t element = 0;
  bool inside = true;
  for (size_t d = 0; d < indices_.size(); ++d) {
    // Only the last index can be a vector.
    const int64_t index =
        indices_[d]->Eval(frame, d + 1 == indices_.size() ? lane : 0).i;
    inside = inside && index >= 0 && index < shape_[d];
    element += index * strides_[d];
  }
  if (frame.failed()) return -1;
  if (inside) return element;
  std::vector<int64_t> position;
  for (size_t d = 0; d < indices_.size(); ++d) {
    position.push_back(
        indices_[d]->Eval(frame, d + 1 == indices_.size() ? lane : 0).i);
  }
  frame.Fail(absl::StrCat(access, " of `%", name_, "` at [",
                          absl::StrJoin(position, ", "), "] outside ",
                          ShapeToString(shape_)));
  return -1;
}

}  // namespace assay::tir
