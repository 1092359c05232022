#include "compiler/expr/expr_ops.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "compiler/expr/numeric.h"
#include "runtime/base/check.h"

namespace assay::expr {
namespace {

// The scalar constant that `e` is or broadcasts; undefined otherwise.
Expr ScalarConst(const Expr& e) {
  const Broadcast* broadcast = e.As<Broadcast>();
  const Expr& scalar = broadcast != nullptr ? broadcast->value : e;
  const bool constant =
      scalar.As<IntImm>() != nullptr || scalar.As<FloatImm>() != nullptr;
  return constant ? scalar : Expr();
}

double ValueOf(const Expr& scalar) {
  if (const FloatImm* f = scalar.As<FloatImm>()) return f->value;
  return static_cast<double>(scalar.As<IntImm>()->value);
}

// Converts both operands to one type as described in the header.
void Match(Expr& a, Expr& b) {
  CHECK(a.defined() && b.defined());
  if (a.dtype().is_scalar() && b.dtype().is_vector()) {
    Match(b, a);
    return;
  }
  if (a.dtype().Element() != b.dtype().Element()) {
    const bool a_literal =
        a.As<IntImm>() != nullptr && a.dtype() == DType::Int32();
    const bool b_literal =
        b.As<IntImm>() != nullptr && b.dtype() == DType::Int32();
    if (b_literal) {
      b = Const(a.dtype().Element(), ValueOf(b));
    } else if (a_literal) {
      a = Const(b.dtype().Element(), ValueOf(a));
    }
  }
  if (a.dtype().is_vector() && b.dtype().is_scalar()) {
    b = Broadcast::Make(b, a.dtype().lanes());
  }
  CHECK_EQ(a.dtype(), b.dtype()) << "in " << a << " and " << b;
}

Expr IntResult(DType type, int64_t value) {
  return ConstInt(type, WrapInt(type.Element(), value));
}

int64_t WrappingAdd(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) +
                              static_cast<uint64_t>(b));
}

int64_t WrappingMul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) *
                              static_cast<uint64_t>(b));
}

using IntFn = int64_t (*)(int64_t, int64_t);
using FloatFn = double (*)(double, double);

// Folds two constants; returns undefined if either is not a constant.
Expr Fold(const Expr& a, const Expr& b, IntFn on_ints, FloatFn on_floats) {
  const Expr x = ScalarConst(a), y = ScalarConst(b);
  if (!x.defined() || !y.defined()) return Expr();
  const DType type = a.dtype();
  if (type.is_float()) {
    return Const(type, RoundFloat(type, on_floats(ValueOf(x), ValueOf(y))));
  }
  return IntResult(type, on_ints(x.As<IntImm>()->value, y.As<IntImm>()->value));
}

// A uint64 is represented by the int64 with the same bits, so that its order
// and its quotients are not those of its representation.
bool IsUInt64(DType type) { return type.is_uint() && type.bits() == 64; }

// Returns a number that is ordered like the value `v` of `type`.
int64_t OrderOf(DType type, int64_t v) {
  return IsUInt64(type) ? v ^ INT64_MIN : v;
}

// FloorDiv or FloorMod of constants of `type`.
IntFn DivisionOf(DType type, IntFn on_signed) {
  if (!IsUInt64(type)) return on_signed;
  if (on_signed == FloorDiv) {
    return [](int64_t x, int64_t y) {
      return static_cast<int64_t>(static_cast<uint64_t>(x) /
                                  static_cast<uint64_t>(y));
    };
  }
  return [](int64_t x, int64_t y) {
    return static_cast<int64_t>(static_cast<uint64_t>(x) %
                                static_cast<uint64_t>(y));
  };
}

// min and max of constants of `type`.
IntFn MinOf(DType type) {
  if (IsUInt64(type)) {
    return [](int64_t x, int64_t y) {
      return static_cast<uint64_t>(y) < static_cast<uint64_t>(x) ? y : x;
    };
  }
  return [](int64_t x, int64_t y) { return std::min(x, y); };
}
IntFn MaxOf(DType type) {
  if (IsUInt64(type)) {
    return [](int64_t x, int64_t y) {
      return static_cast<uint64_t>(x) < static_cast<uint64_t>(y) ? y : x;
    };
  }
  return [](int64_t x, int64_t y) { return std::max(x, y); };
}

bool IsIntConst(const Expr& e, int64_t value) {
  return !e.dtype().is_float() && IsConstInt(e, value);
}

}  // namespace

Expr CastTo(DType type, const Expr& e) {
  return e.dtype() == type ? e : Cast::Make(type, e);
}

Expr Const(DType type, double value) {
  if (!type.is_float()) return ConstInt(type, static_cast<int64_t>(value));
  Expr scalar = FloatImm::Make(type.Element(), value);
  return type.is_vector() ? Broadcast::Make(scalar, type.lanes()) : scalar;
}

Expr ConstInt(DType type, int64_t value) {
  if (type.is_float()) return Const(type, static_cast<double>(value));
  Expr scalar = IntImm::Make(type.Element(), value);
  return type.is_vector() ? Broadcast::Make(scalar, type.lanes()) : scalar;
}

std::optional<int64_t> AsConstInt(const Expr& e) {
  if (!e.defined()) return std::nullopt;
  const Expr scalar = ScalarConst(e);
  if (const IntImm* imm = scalar.As<IntImm>()) return imm->value;
  return std::nullopt;
}

bool IsConstInt(const Expr& e, int64_t value) { return AsConstInt(e) == value; }

Expr operator+(Expr a, Expr b) {
  Match(a, b);
  Expr folded =
      Fold(a, b, WrappingAdd, [](double x, double y) { return x + y; });
  if (folded.defined()) return folded;
  if (IsIntConst(a, 0)) return b;
  if (IsIntConst(b, 0)) return a;
  return Add::Make(std::move(a), std::move(b));
}

Expr operator-(Expr a, Expr b) {
  Match(a, b);
  Expr folded = Fold(
      a, b,
      [](int64_t x, int64_t y) { return WrappingAdd(x, WrappingMul(y, -1)); },
      [](double x, double y) { return x - y; });
  if (folded.defined()) return folded;
  if (IsIntConst(b, 0)) return a;
  return Sub::Make(std::move(a), std::move(b));
}

Expr operator*(Expr a, Expr b) {
  Match(a, b);
  Expr folded =
      Fold(a, b, WrappingMul, [](double x, double y) { return x * y; });
  if (folded.defined()) return folded;
  if (IsIntConst(a, 1) || IsIntConst(b, 0)) return b;
  if (IsIntConst(b, 1) || IsIntConst(a, 0)) return a;
  return Mul::Make(std::move(a), std::move(b));
}

Expr operator/(Expr a, Expr b) {
  Match(a, b);
  if (!a.dtype().is_float()) {
    CHECK(!IsConstInt(b, 0)) << "division of " << a << " by zero";
    if (IsConstInt(b, 1)) return a;
  }
  Expr folded = Fold(a, b, DivisionOf(a.dtype(), FloorDiv),
                     [](double x, double y) { return x / y; });
  return folded.defined() ? folded : Div::Make(std::move(a), std::move(b));
}

Expr operator%(Expr a, Expr b) {
  Match(a, b);
  CHECK(!a.dtype().is_float());
  CHECK(!IsConstInt(b, 0)) << "remainder of " << a << " by zero";
  if (IsConstInt(b, 1)) return ConstInt(a.dtype(), 0);
  Expr folded = Fold(a, b, DivisionOf(a.dtype(), FloorMod), nullptr);
  return folded.defined() ? folded : Mod::Make(std::move(a), std::move(b));
}

Expr operator-(Expr a) {
  // -1 * x, not 0 - x, keeps the sign of a floating-point zero.
  if (a.dtype().is_float()) return std::move(a) * Expr(-1);
  return ConstInt(a.dtype(), 0) - a;
}

Expr Min(Expr a, Expr b) {
  Match(a, b);
  Expr folded = Fold(a, b, MinOf(a.dtype()),
                     [](double x, double y) { return y < x ? y : x; });
  return folded.defined() ? folded : Min::Make(std::move(a), std::move(b));
}

Expr Max(Expr a, Expr b) {
  Match(a, b);
  Expr folded = Fold(a, b, MaxOf(a.dtype()),
                     [](double x, double y) { return x < y ? y : x; });
  return folded.defined() ? folded : Max::Make(std::move(a), std::move(b));
}

namespace {

template <typename T, typename Predicate>
Expr Compare(Expr a, Expr b, Predicate holds) {
  Match(a, b);
  const Expr x = ScalarConst(a), y = ScalarConst(b);
  if (!x.defined() || !y.defined()) return T::Make(std::move(a), std::move(b));
  const DType type = a.dtype();
  const bool value = type.is_float()
                         ? holds(ValueOf(x), ValueOf(y))
                         : holds(OrderOf(type, x.As<IntImm>()->value),
                                 OrderOf(type, y.As<IntImm>()->value));
  return ConstInt(DType::Bool().WithLanes(a.dtype().lanes()), value);
}

}  // namespace

Expr operator<(Expr a, Expr b) {
  return Compare<LT>(std::move(a), std::move(b), std::less<>());
}

Expr operator<=(Expr a, Expr b) {
  return Compare<LE>(std::move(a), std::move(b), std::less_equal<>());
}

Expr operator>(Expr a, Expr b) { return std::move(b) < std::move(a); }
Expr operator>=(Expr a, Expr b) { return std::move(b) <= std::move(a); }

Expr Eq(Expr a, Expr b) {
  return Compare<EQ>(std::move(a), std::move(b), std::equal_to<>());
}

Expr Ne(Expr a, Expr b) {
  return Compare<NE>(std::move(a), std::move(b), std::not_equal_to<>());
}

Expr operator&&(Expr a, Expr b) {
  Match(a, b);
  if (IsConstInt(a, 1) || IsConstInt(b, 0)) return b;
  if (IsConstInt(b, 1) || IsConstInt(a, 0)) return a;
  return And::Make(std::move(a), std::move(b));
}

Expr operator||(Expr a, Expr b) {
  Match(a, b);
  if (IsConstInt(a, 0) || IsConstInt(b, 1)) return b;
  if (IsConstInt(b, 0) || IsConstInt(a, 1)) return a;
  return Or::Make(std::move(a), std::move(b));
}

Expr operator!(Expr a) {
  if (const std::optional<int64_t> value = AsConstInt(a)) {
    return ConstInt(a.dtype(), *value == 0);
  }
  if (const Not* inner = a.As<Not>()) return inner->a;
  return Not::Make(std::move(a));
}

Expr BinaryOf(ExprKind kind, Expr a, Expr b) {
  switch (kind) {
#define ASSAY_CASE(Kind, result) \
  case ExprKind::k##Kind:        \
    return result;
    ASSAY_CASE(Add, std::move(a) + std::move(b))
    ASSAY_CASE(Sub, std::move(a) - std::move(b))
    ASSAY_CASE(Mul, std::move(a) * std::move(b))
    ASSAY_CASE(Div, std::move(a) / std::move(b))
    ASSAY_CASE(Mod, std::move(a) % std::move(b))
    ASSAY_CASE(Min, Min(std::move(a), std::move(b)))
    ASSAY_CASE(Max, Max(std::move(a), std::move(b)))
    ASSAY_CASE(EQ, Eq(std::move(a), std::move(b)))
    ASSAY_CASE(NE, Ne(std::move(a), std::move(b)))
    ASSAY_CASE(LT, std::move(a) < std::move(b))
    ASSAY_CASE(LE, std::move(a) <= std::move(b))
    ASSAY_CASE(And, std::move(a) && std::move(b))
    ASSAY_CASE(Or, std::move(a) || std::move(b))
#undef ASSAY_CASE
    default:
      CHECK(false) << "not a binary kind";
      return Expr();
  }
}

Expr SelectOf(Expr condition, Expr a, Expr b) {
  Match(a, b);
  if (const std::optional<int64_t> value = AsConstInt(condition)) {
    return *value != 0 ? a : b;
  }
  return Select::Make(std::move(condition), std::move(a), std::move(b));
}

Expr CallOf(Intrinsic intrinsic, std::vector<Expr> args) {
  CHECK(!args.empty());
  const DType type = args[0].dtype();
  return Call::Make(type, intrinsic, std::move(args));
}

}  // namespace assay::expr
