#include "compiler/graph/builder/run_time_int.h"

#include <algorithm>

namespace assay::graph {
namespace {

constexpr int64_t kLowest = RunTimeInt::kLowest;
constexpr int64_t kHighest = RunTimeInt::kHighest;

// The sum of two limits; `none`, which means that there is no limit, if one of
// them is `none` or the sum overflows.
int64_t Sum(int64_t a, int64_t b, int64_t none) {
  int64_t sum = 0;
  if (a == none || b == none || __builtin_add_overflow(a, b, &sum)) return none;
  return sum;
}

int64_t Product(int64_t a, int64_t b, int64_t none) {
  int64_t product = 0;
  if (a == 0 || b == 0) return 0;
  if (a == none || b == none || __builtin_mul_overflow(a, b, &product)) {
    return none;
  }
  return product;
}

// Exchanges the two absences of a limit.
int64_t Negated(int64_t limit) {
  if (limit == kLowest) return kHighest;
  return limit == kHighest ? kLowest : -limit;
}

IntLimits Negated(const RunTimeInt& x) {
  return {Negated(x.high), Negated(x.low)};
}

IntLimits ProductLimits(const RunTimeInt& a, const RunTimeInt& b) {
  if (a.low >= 0 && b.low >= 0) {
    return {Product(a.low, b.low, 0), Product(a.high, b.high, kHighest)};
  }
  IntLimits limits = {kHighest, kLowest};
  for (const int64_t x : {a.low, a.high}) {
    for (const int64_t y : {b.low, b.high}) {
      int64_t product = 0;
      if (__builtin_mul_overflow(x, y, &product)) return IntLimits();
      limits = {std::min(limits.low, product), std::max(limits.high, product)};
    }
  }
  return limits;
}

// The limits of a quotient, which is truncated, and 0 if b is 0.
IntLimits QuotientLimits(const RunTimeInt& a, const RunTimeInt& b) {
  if (b.low < 0 || a.low < 0) {
    const IntLimits other = Negated(a);
    return {std::min(a.low, other.low), std::max(a.high, other.high)};
  }
  if (b.low == 0) return {0, a.high};
  return {b.has_upper_limit() ? a.low / b.high : 0,
          a.has_upper_limit() ? a.high / b.low : kHighest};
}

// The result of an operation on numbers; nothing if it overflows or is not
// supported.
std::optional<int64_t> OfNumbers(OpKind kind, int64_t a, int64_t b) {
  int64_t result = 0;
  switch (kind) {
    case OpKind::kAdd:
      if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
      return result;
    case OpKind::kSubtract:
      if (__builtin_sub_overflow(a, b, &result)) return std::nullopt;
      return result;
    case OpKind::kMultiply:
      if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
      return result;
    case OpKind::kDivide:
      if (b == 0) return 0;
      if (b == -1 && a == kLowest) return std::nullopt;
      return a / b;
    case OpKind::kFloorMod:
      if (b == 0 || b == -1) return 0;
      result = a % b;
      return result != 0 && (result < 0) != (b < 0) ? result + b : result;
    case OpKind::kMaximum:
      return std::max(a, b);
    case OpKind::kMinimum:
      return std::min(a, b);
    case OpKind::kEqual:
      return a == b ? 1 : 0;
    case OpKind::kLess:
      return a < b ? 1 : 0;
    case OpKind::kLessEqual:
      return a <= b ? 1 : 0;
    case OpKind::kBitwiseAnd:
      return a & b;
    case OpKind::kBitwiseOr:
      return a | b;
    case OpKind::kBitwiseXor:
      return a ^ b;
    default:
      return std::nullopt;
  }
}

bool IsNumber(const RunTimeInt& x, int64_t n) {
  return x.is_number() && x.low == n;
}

bool IsTruthValue(const RunTimeInt& x) { return x.low >= 0 && x.high <= 1; }

}  // namespace

IntLimits LimitsOf(OpKind kind, const RunTimeInt& a, const RunTimeInt& b) {
  switch (kind) {
    case OpKind::kAdd:
      return {Sum(a.low, b.low, kLowest), Sum(a.high, b.high, kHighest)};
    case OpKind::kSubtract: {
      const IntLimits other = Negated(b);
      return {Sum(a.low, other.low, kLowest),
              Sum(a.high, other.high, kHighest)};
    }
    case OpKind::kMultiply:
      return ProductLimits(a, b);
    case OpKind::kDivide:
      return QuotientLimits(a, b);
    case OpKind::kFloorMod:
      if (b.low < 1) return IntLimits();
      return {0, b.has_upper_limit() ? b.high - 1 : kHighest};
    case OpKind::kMaximum:
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case OpKind::kMinimum:
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case OpKind::kEqual:
    case OpKind::kLess:
    case OpKind::kLessEqual:
      return {0, 1};
    case OpKind::kBitwiseAnd:
    case OpKind::kBitwiseOr:
    case OpKind::kBitwiseXor: {
      const bool is_bool =
          a.low >= 0 && a.high <= 1 && b.low >= 0 && b.high <= 1;
      return is_bool ? IntLimits{0, 1} : IntLimits();
    }
    default:
      return IntLimits();
  }
}

std::optional<RunTimeInt> ResultByLimits(OpKind kind, const RunTimeInt& a,
                                         const RunTimeInt& b) {
  if (a.is_number() && b.is_number()) {
    const std::optional<int64_t> result = OfNumbers(kind, a.low, b.low);
    if (!result.has_value()) return std::nullopt;
    return RunTimeInt::Number(*result);
  }
  const bool same = a == b;
  const auto number = [](int64_t n) { return RunTimeInt::Number(n); };
  switch (kind) {
    case OpKind::kAdd:
      if (IsNumber(a, 0)) return b;
      if (IsNumber(b, 0)) return a;
      return std::nullopt;
    case OpKind::kSubtract:
      if (IsNumber(b, 0)) return a;
      if (same) return number(0);
      return std::nullopt;
    case OpKind::kMultiply:
      if (IsNumber(a, 0) || IsNumber(b, 1)) return a;
      if (IsNumber(b, 0) || IsNumber(a, 1)) return b;
      return std::nullopt;
    case OpKind::kDivide:
      if (IsNumber(a, 0) || IsNumber(b, 1)) return a;
      return std::nullopt;
    case OpKind::kFloorMod:
      if (a.low >= 0 && a.high < b.low) return a;
      return std::nullopt;
    case OpKind::kMaximum:
      if (same || a.low >= b.high) return a;
      if (b.low >= a.high) return b;
      return std::nullopt;
    case OpKind::kMinimum:
      if (same || a.high <= b.low) return a;
      if (b.high <= a.low) return b;
      return std::nullopt;
    case OpKind::kEqual:
      if (same) return number(1);
      if (a.high < b.low || b.high < a.low) return number(0);
      return std::nullopt;
    case OpKind::kLess:
      if (same || a.low >= b.high) return number(0);
      if (a.high < b.low) return number(1);
      return std::nullopt;
    case OpKind::kLessEqual:
      if (same || a.high <= b.low) return number(1);
      if (a.low > b.high) return number(0);
      return std::nullopt;
    case OpKind::kBitwiseAnd:
      if (same || IsNumber(a, 0)) return a;
      if (IsNumber(b, 0)) return b;
      if (IsNumber(a, 1) && IsTruthValue(b)) return b;
      if (IsNumber(b, 1) && IsTruthValue(a)) return a;
      return std::nullopt;
    case OpKind::kBitwiseOr:
      if (same || IsNumber(b, 0)) return a;
      if (IsNumber(a, 0)) return b;
      if (IsNumber(a, 1) && IsTruthValue(b)) return a;
      if (IsNumber(b, 1) && IsTruthValue(a)) return b;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace assay::graph
