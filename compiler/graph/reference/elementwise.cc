// Elementwise operators, computed in double, int64 or uint64 and rounded or
// wrapped once.
#include <algorithm>
#include <array>
#include <cmath>

#include "compiler/graph/reference/broadcast.h"
#include "compiler/graph/reference/integer_ops.h"
#include "compiler/graph/reference/max_min.h"
#include "compiler/graph/reference/rules.h"
#include "runtime/base/check.h"
#include "runtime/base/element.h"
#include "runtime/base/round_to_odd.h"

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
    case OpKind::kSin:
      return std::sin(x);
    case OpKind::kCos:
      return std::cos(x);
    case OpKind::kTan:
      return std::tan(x);
    case OpKind::kAsin:
      return std::asin(x);
    case OpKind::kAcos:
      return std::acos(x);
    case OpKind::kAtan:
      return std::atan(x);
    case OpKind::kSinh:
      return std::sinh(x);
    case OpKind::kCosh:
      return std::cosh(x);
    case OpKind::kAsinh:
      return std::asinh(x);
    case OpKind::kAcosh:
      return std::acosh(x);
    case OpKind::kAtanh:
      return std::atanh(x);
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
      return LargerOf(a, b);
    case OpKind::kMinimum:
      return SmallerOf(a, b);
    case OpKind::kPower:
      return std::pow(a, b);
    case OpKind::kPrelu:
      return a < 0 ? a * b : a;
    case OpKind::kTruncMod:
      return std::fmod(a, b);
    case OpKind::kEqual:
      return a == b;
    case OpKind::kLess:
      return a < b;
    case OpKind::kLessEqual:
      return a <= b;
    default:
      CHECK(false) << kind;
      return 0;
  }
}

// Converts a float to an integer. The result for NaN and for a value that does
// not fit is unspecified; clamping avoids undefined behaviour.
int64_t Truncated(double value, DType dtype) {
  if (std::isnan(value)) return 0;
  if (dtype.is_uint() && value >= 0x1p63) {
    const double last = 0x1p64 - 0x1p11;
    return static_cast<int64_t>(static_cast<uint64_t>(std::min(value, last)));
  }
  const double last = 0x1p63 - 0x1p10;
  return static_cast<int64_t>(std::clamp(value, -0x1p63, last));
}

// Element i, an integer, as a double that rounds to the number of type `dtype`
// that is nearest to the integer.
double AsDouble(const NDArray& x, int64_t i, DType dtype) {
  const int64_t value = LoadInt(x, i);
  const bool is_wide = dtype == DType::Float64();
  if (x.dtype().is_uint()) {
    const auto magnitude = static_cast<uint64_t>(value);
    return is_wide ? static_cast<double>(magnitude) : RoundToOdd(magnitude);
  }
  return is_wide ? static_cast<double>(value) : RoundToOdd(value);
}

}  // namespace

Result Unary(const Node& node, Operands in) {
  const Attrs& attrs = node.attrs();
  const NDArray& x = in[0];
  const OpKind kind = node.kind();
  NDArray result(x.dtype(), x.shape());
  const bool is_float = x.dtype().is_float();
  for (int64_t i = 0; i < result.num_elements(); ++i) {
    if (is_float) {
      StoreFloat(result, i, UnaryFloat(kind, attrs, LoadFloat(x, i)));
    } else {
      StoreInt(result, i, UnaryInt(kind, x.dtype(), LoadInt(x, i)));
    }
  }
  return result;
}

Result Binary(const Node& node, Operands in) {
  const NDArray& a = in[0];
  const NDArray& b = in[1];
  const TensorType& type = node.type();
  const OpKind kind = node.kind();
  NDArray result(type.dtype, type.shape);
  const DType from = a.dtype();
  ForEachBroadcast<2>(
      {&a, &b}, type.shape, [&](int64_t k, const std::array<int64_t, 2>& at) {
        if (!from.is_float()) {
          StoreInt(result, k,
                   BinaryInt(kind, from, LoadInt(a, at[0]), LoadInt(b, at[1])));
          return;
        }
        const double value =
            BinaryFloat(kind, LoadFloat(a, at[0]), LoadFloat(b, at[1]));
        if (type.dtype.is_float()) {
          StoreFloat(result, k, value);
        } else {
          StoreInt(result, k, value != 0);
        }
      });
  return result;
}

Result Select(const Node& node, Operands in) {
  const NDArray& condition = in[0];
  const NDArray& a = in[1];
  const NDArray& b = in[2];
  const TensorType& type = node.type();
  NDArray result(type.dtype, type.shape);
  ForEachBroadcast<3>({&condition, &a, &b}, type.shape,
                      [&](int64_t k, const std::array<int64_t, 3>& at) {
                        const bool take_a = LoadInt(condition, at[0]) != 0;
                        CopyElements(take_a ? a : b, at[take_a ? 1 : 2], result,
                                     k, 1);
                      });
  return result;
}

Result Cast(const Node& node, Operands in) {
  const NDArray& x = in[0];
  const DType dtype = node.type().dtype;
  NDArray result(dtype, x.shape());
  const bool from_float = x.dtype().is_float();
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    if (from_float && dtype.is_float()) {
      StoreFloat(result, i, LoadFloat(x, i));
    } else if (from_float && dtype.is_bool()) {
      StoreInt(result, i, LoadFloat(x, i) != 0);
    } else if (from_float) {
      StoreInt(result, i, Truncated(LoadFloat(x, i), dtype));
    } else if (dtype.is_float()) {
      StoreFloat(result, i, AsDouble(x, i, dtype));
    } else {
      StoreInt(result, i, LoadInt(x, i));
    }
  }
  return result;
}

}  // namespace assay::graph::reference
