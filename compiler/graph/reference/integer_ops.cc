#include "compiler/graph/reference/integer_ops.h"

#include "runtime/base/check.h"

namespace assay::graph::reference {
namespace {

// Arithmetic that wraps around.
int64_t Wrapped(uint64_t value) { return static_cast<int64_t>(value); }

// A divisor of 0 gives an unspecified result but no trap.
int64_t Divide(int64_t a, int64_t b) {
  if (b == 0) return 0;
  return b == -1 ? Wrapped(-static_cast<uint64_t>(a)) : a / b;
}

// The result has the same sign as `a`.
int64_t TruncMod(int64_t a, int64_t b) { return b == 0 || b == -1 ? 0 : a % b; }

// The result has the same sign as `b`.
int64_t FloorMod(int64_t a, int64_t b) {
  const int64_t r = TruncMod(a, b);
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

// A negative exponent truncates 1 / a^-b. An exponent above 63, with which only
// powers of -1, 0 and 1 fit, is replaced by 62 or 63 of the same parity.
int64_t Power(int64_t a, int64_t b, bool is_unsigned) {
  if (!is_unsigned && b < 0) {
    if (a == -1) return b % 2 == 0 ? 1 : -1;
    return a == 1 ? 1 : 0;
  }
  const uint64_t exponent = static_cast<uint64_t>(b);
  uint64_t power = 1;
  for (uint64_t i = exponent > 63 ? 62 + exponent % 2 : exponent; i > 0; --i) {
    power *= static_cast<uint64_t>(a);
  }
  return Wrapped(power);
}

// Operators that are the same for signed and for unsigned integers.
int64_t AnyInt(OpKind kind, DType type, int64_t a, int64_t b) {
  const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  const auto bits = static_cast<uint64_t>(type.bits());
  switch (kind) {
    case OpKind::kAdd:
      return Wrapped(x + y);
    case OpKind::kSubtract:
      return Wrapped(x - y);
    case OpKind::kMultiply:
      return Wrapped(x * y);
    case OpKind::kPower:
      return Power(a, b, type.is_uint());
    case OpKind::kBitwiseAnd:
      return a & b;
    case OpKind::kBitwiseOr:
      return a | b;
    case OpKind::kBitwiseXor:
      return a ^ b;
    case OpKind::kShiftLeft:
      return y < bits ? Wrapped(x << y) : 0;
    case OpKind::kShiftRight:
      return y < bits ? Wrapped(x >> y) : 0;
    case OpKind::kEqual:
      return a == b;
    default:
      CHECK(false) << kind << " of integers";
      return 0;
  }
}

}  // namespace

int64_t UnaryInt(OpKind kind, DType type, int64_t x) {
  const bool is_negative = !type.is_uint() && x < 0;
  switch (kind) {
    case OpKind::kRelu:
      return is_negative ? 0 : x;
    case OpKind::kNegate:
      return Wrapped(-static_cast<uint64_t>(x));
    case OpKind::kAbs:
      return is_negative ? Wrapped(-static_cast<uint64_t>(x)) : x;
    case OpKind::kSign:
      return is_negative ? -1 : x != 0;
    case OpKind::kBitwiseNot:
      return type.is_bool() ? x == 0 : ~x;
    default:
      CHECK(false) << kind << " of integers";
      return 0;
  }
}

int64_t BinaryInt(OpKind kind, DType type, int64_t a, int64_t b) {
  const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  const bool is_unsigned = type.is_uint();
  const bool less = is_unsigned ? x < y : a < b;
  switch (kind) {
    case OpKind::kDivide:
      return is_unsigned ? (y == 0 ? 0 : Wrapped(x / y)) : Divide(a, b);
    case OpKind::kFloorMod:
      return is_unsigned ? (y == 0 ? 0 : Wrapped(x % y)) : FloorMod(a, b);
    case OpKind::kTruncMod:
      return is_unsigned ? (y == 0 ? 0 : Wrapped(x % y)) : TruncMod(a, b);
    case OpKind::kMaximum:
      return less ? b : a;
    case OpKind::kMinimum:
      return less ? a : b;
    case OpKind::kPrelu:
      return !is_unsigned && a < 0 ? Wrapped(x * y) : a;
    case OpKind::kLess:
      return less;
    case OpKind::kLessEqual:
      return less || a == b;
    default:
      return AnyInt(kind, type, a, b);
  }
}

}  // namespace assay::graph::reference
