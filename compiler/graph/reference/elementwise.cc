// Unary and binary operators, in double or int64, rounded or wrapped once.
#include <algorithm>
#include <cmath>

#include "compiler/graph/reference/element.h"
#include "compiler/graph/reference/reference_ops.h"
#include "runtime/base/check.h"

namespace assay::graph::reference {
namespace {

double Sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

double UnaryFloat(OpKind kind, const Attrs& attrs, double x) {
  switch (kind) {
    case OpKind::kRelu:
      return x < 0 ? 0 : x;
    case OpKind::kNegate:
      return -x;
    case OpKind::kAbs:
      return std::abs(x);
    case OpKind::kSign:
      return Sign(x);
    case OpKind::kExp:
      return std::exp(x);
    case OpKind::kLog:
      return std::log(x);
    case OpKind::kSqrt:
      return std::sqrt(x);
    case OpKind::kRsqrt:
      return 1 / std::sqrt(x);
    case OpKind::kReciprocal:
      return 1 / x;
    case OpKind::kFloor:
      return std::floor(x);
    case OpKind::kCeil:
      return std::ceil(x);
    case OpKind::kRound:
      return std::nearbyint(x);
    case OpKind::kErf:
      return std::erf(x);
    case OpKind::kTanh:
      return std::tanh(x);
    case OpKind::kSigmoid:
      return 1 / (1 + std::exp(-x));
    case OpKind::kSoftplus:
      return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
    case OpKind::kSoftsign:
      return x / (1 + std::abs(x));
    case OpKind::kHardSwish:
      return x * std::clamp((x + 3) / 6, 0.0, 1.0);
    case OpKind::kGelu:
      return x * (1 + std::erf(x / std::sqrt(2.0))) / 2;
    case OpKind::kLeakyRelu:
      return x < 0 ? std::get<AlphaAttrs>(attrs).alpha * x : x;
    case OpKind::kElu:
      return x < 0 ? std::get<AlphaAttrs>(attrs).alpha * std::expm1(x) : x;
    case OpKind::kHardSigmoid: {
      const auto& linear = std::get<LinearAttrs>(attrs);
      return std::clamp(double{linear.alpha} * x + linear.beta, 0.0, 1.0);
    }
    case OpKind::kClip: {
      const auto& clip = std::get<ClipAttrs>(attrs);
      return std::min<double>(std::max<double>(x, clip.min), clip.max);
    }
    default:
      CHECK(false) << kind;
      return 0;
  }
}

// Arithmetic that wraps around.
int64_t Wrapped(uint64_t value) { return static_cast<int64_t>(value); }

int64_t UnaryInt(OpKind kind, int64_t x) {
  switch (kind) {
    case OpKind::kRelu:
      return std::max<int64_t>(x, 0);
    case OpKind::kNegate:
      return Wrapped(-static_cast<uint64_t>(x));
    case OpKind::kAbs:
      return x < 0 ? Wrapped(-static_cast<uint64_t>(x)) : x;
    case OpKind::kSign:
      return (x > 0) - (x < 0);
    default:
      CHECK(false) << kind << " of integers";
      return 0;
  }
}

double BinaryFloat(OpKind kind, double a, double b) {
  switch (kind) {
    case OpKind::kAdd:
      return a + b;
    case OpKind::kSubtract:
      return a - b;
    case OpKind::kMultiply:
      return a * b;
    case OpKind::kDivide:
      return a / b;
    case OpKind::kMaximum:
      return std::max(a, b);
    case OpKind::kMinimum:
      return std::min(a, b);
    case OpKind::kPower:
      return std::pow(a, b);
    case OpKind::kPrelu:
      return a < 0 ? a * b : a;
    default:
      CHECK(false) << kind;
      return 0;
  }
}

int64_t BinaryInt(OpKind kind, int64_t a, int64_t b) {
  const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  switch (kind) {
    case OpKind::kAdd:
      return Wrapped(x + y);
    case OpKind::kSubtract:
      return Wrapped(x - y);
    case OpKind::kMultiply:
      return Wrapped(x * y);
    case OpKind::kDivide:
      // Nothing is promised for a divisor of 0, but not to end the program.
      if (b == 0) return 0;
      return b == -1 ? Wrapped(-x) : a / b;
    case OpKind::kMaximum:
      return std::max(a, b);
    case OpKind::kMinimum:
      return std::min(a, b);
    default:
      CHECK(false) << kind << " of integers";
      return 0;
  }
}

// Strides that walk `shape` as if it had the extents of `target`: 0 along the
// axes that repeat.
Shape BroadcastStrides(const Shape& shape, const Shape& target) {
  const Shape own = RowMajorStrides(shape);
  Shape strides(target.size(), 0);
  const size_t offset = target.size() - shape.size();
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1) strides[offset + i] = own[i];
  }
  return strides;
}

}  // namespace

NDArray Unary(OpKind kind, const Attrs& attrs, const NDArray& x) {
  NDArray result(x.dtype(), x.shape());
  const bool is_float = x.dtype().is_float();
  for (int64_t i = 0; i < result.num_elements(); ++i) {
    if (is_float) {
      StoreFloat(result, i, UnaryFloat(kind, attrs, LoadFloat(x, i)));
    } else {
      StoreInt(result, i, UnaryInt(kind, LoadInt(x, i)));
    }
  }
  return result;
}

NDArray Binary(OpKind kind, const NDArray& a, const NDArray& b,
               const TensorType& type) {
  NDArray result(type.dtype, type.shape);
  const Shape& shape = type.shape;
  const Shape stride_a = BroadcastStrides(a.shape(), shape);
  const Shape stride_b = BroadcastStrides(b.shape(), shape);
  const bool is_float = type.dtype.is_float();
  Shape index(shape.size(), 0);
  int64_t x = 0, y = 0;
  for (int64_t k = 0; k < result.num_elements(); ++k) {
    if (is_float) {
      StoreFloat(result, k,
                 BinaryFloat(kind, LoadFloat(a, x), LoadFloat(b, y)));
    } else {
      StoreInt(result, k, BinaryInt(kind, LoadInt(a, x), LoadInt(b, y)));
    }
    // Step to the next index, carrying from the last axis to the first.
    for (int i = static_cast<int>(shape.size()) - 1; i >= 0; --i) {
      x += stride_a[i];
      y += stride_b[i];
      if (++index[i] < shape[i]) break;
      x -= stride_a[i] * shape[i];
      y -= stride_b[i] * shape[i];
      index[i] = 0;
    }
  }
  return result;
}

}  // namespace assay::graph::reference
