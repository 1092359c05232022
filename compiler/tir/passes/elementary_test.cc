#include "compiler/tir/passes/elementary.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/numeric.h"
#include "compiler/tir/interpreter.h"
#include "compiler/tir/passes/lower_intrinsics.h"
#include "gtest/gtest.h"

namespace assay::tir {
namespace {

using expr::Expr;
using expr::Intrinsic;

constexpr double kInf = std::numeric_limits<double>::infinity();

NDArray ArrayOf(DType type, const std::vector<double>& values) {
  const auto n = static_cast<int64_t>(values.size());
  NDArray array(type, {n});
  for (int64_t k = 0; k < n; ++k) {
    const uint64_t bits = expr::FloatToBits(type, values[k]);
    std::memcpy(static_cast<char*>(array.raw()) + k * type.bytes(), &bits,
                type.bytes());
  }
  return array;
}

// Applies the lowered intrinsic to every element of `values`, with `others` as
// the second arguments of binary intrinsics.
std::vector<double> Apply(Intrinsic intrinsic, DType type,
                          const std::vector<double>& values,
                          const std::vector<double>& others = {}) {
  const auto n = static_cast<int64_t>(values.size());
  const Buffer in = expr::MakeBuffer("in", type, {n});
  const Buffer second = expr::MakeBuffer("second", type, {n});
  const Buffer out = expr::MakeBuffer("out", type, {n});
  const Expr i = expr::Var::Make("i");
  std::vector<Expr> args = {expr::Load::Make(in, {i})};
  if (!others.empty()) args.push_back(expr::Load::Make(second, {i}));
  const Stmt body = LowerIntrinsics(
      For::Make(i, 0, static_cast<int>(n), ForKind::kSerial,
                Store::Make(out, {i}, expr::CallOf(intrinsic, args))));
  std::vector<Buffer> parameters = {in};
  std::vector<NDArray> inputs = {ArrayOf(type, values)};
  if (!others.empty()) {
    parameters.push_back(second);
    inputs.push_back(ArrayOf(type, others));
  }
  auto outputs = Interpret({"f", parameters, {out}, body}, inputs);
  EXPECT_TRUE(outputs.ok()) << outputs.status();
  std::vector<double> results;
  for (int64_t k = 0; k < n; ++k) {
    uint64_t bits = 0;
    std::memcpy(
        &bits, static_cast<const char*>((*outputs)[0].raw()) + k * type.bytes(),
        type.bytes());
    results.push_back(expr::BitsToFloat(type, bits));
  }
  return results;
}

long double Exact(Intrinsic intrinsic, long double x) {
  switch (intrinsic) {
    case Intrinsic::kExp:
      return std::exp(x);
    case Intrinsic::kLog:
      return std::log(x);
    case Intrinsic::kTanh:
      return std::tanh(x);
    case Intrinsic::kErf:
      return std::erf(x);
    case Intrinsic::kSin:
      return std::sin(x);
    case Intrinsic::kCos:
      return std::cos(x);
    case Intrinsic::kTan:
      return std::tan(x);
    case Intrinsic::kAsin:
      return std::asin(x);
    case Intrinsic::kAcos:
      return std::acos(x);
    case Intrinsic::kAtan:
      return std::atan(x);
    case Intrinsic::kSinh:
      return std::sinh(x);
    case Intrinsic::kCosh:
      return std::cosh(x);
    case Intrinsic::kAsinh:
      return std::asinh(x);
    case Intrinsic::kAcosh:
      return std::acosh(x);
    case Intrinsic::kAtanh:
      return std::atanh(x);
    default:
      return 1 / (1 + std::exp(-x));
  }
}

// The error in units in the last place of the exact result.
double UlpError(DType type, double got, long double exact) {
  const double rounded = expr::RoundFloat(type, static_cast<double>(exact));
  if (std::isnan(got) || std::isnan(rounded)) {
    return std::isnan(got) == std::isnan(rounded) ? 0 : kInf;
  }
  if (got == rounded) return 0;
  if (std::isinf(got) || std::isinf(rounded)) return kInf;
  const int mantissa = type.bits() == 32 ? 23 : 52;
  const int lowest = type.bits() == 32 ? -149 : -1074;
  int exponent = 0;
  std::frexp(rounded, &exponent);
  const int ulp = std::max(exponent - 1 - mantissa, lowest);
  return static_cast<double>(std::fabs(got - exact) / std::ldexp(1.0L, ulp));
}

// Equidistant bit patterns: all signs, exponents, infinities and NaNs.
std::vector<double> DenseSample(DType type, int count) {
  std::vector<double> sample;
  const uint64_t step = (type.bits() == 32 ? uint64_t{1} << 32 : 0) - 1;
  for (int k = 0; k < count; ++k) {
    sample.push_back(expr::BitsToFloat(
        type,
        static_cast<uint64_t>(static_cast<long double>(step) / count * k)));
  }
  // The usual range of arguments.
  for (int k = 0; k < count; ++k) {
    sample.push_back(expr::RoundFloat(type, -20 + 40.0 * k / count));
    sample.push_back(expr::RoundFloat(type, -1 + 2.0 * k / count));
    sample.push_back(expr::RoundFloat(type, 0.5 + 1.5 * k / count));
  }
  return sample;
}

// Returns false where sin, cos and tan treat the argument as 0.
bool IsReduced(Intrinsic intrinsic, DType type, double x) {
  const bool is_periodic = intrinsic == Intrinsic::kSin ||
                           intrinsic == Intrinsic::kCos ||
                           intrinsic == Intrinsic::kTan;
  return !is_periodic || std::isinf(x) ||
         std::fabs(x) <= (type.bits() == 32 ? 0x1p28 : 1e6);
}

struct Limit {
  Intrinsic intrinsic;
  double float32, float64;
};

TEST(ElementaryTest, ErrorsAreWithinDocumentedLimits) {
  const Limit limits[] = {
      {Intrinsic::kExp, 1.1, 1.1},     {Intrinsic::kLog, 0.9, 0.9},
      {Intrinsic::kTanh, 1.6, 1.6},    {Intrinsic::kErf, 6.0, 0},
      {Intrinsic::kSigmoid, 2.2, 2.2}, {Intrinsic::kSin, 1.5, 1.5},
      {Intrinsic::kCos, 1.5, 1.5},     {Intrinsic::kTan, 3.0, 3.0},
      {Intrinsic::kAsin, 2.5, 2.5},    {Intrinsic::kAcos, 2.0, 2.0},
      {Intrinsic::kAtan, 2.0, 2.0},    {Intrinsic::kSinh, 4.0, 4.0},
      {Intrinsic::kCosh, 4.0, 4.0},    {Intrinsic::kAsinh, 3.5, 3.5},
      {Intrinsic::kAcosh, 3.5, 3.5},   {Intrinsic::kAtanh, 3.0, 3.0}};
  for (const Limit& limit : limits) {
    for (DType type : {DType::Float32(), DType::Float64()}) {
      if (type.bits() == 64 && limit.float64 == 0) continue;
      const std::vector<double> sample = DenseSample(type, 5000);
      const std::vector<double> results = Apply(limit.intrinsic, type, sample);
      double worst = 0, at = 0;
      for (size_t k = 0; k < sample.size(); ++k) {
        if (!IsReduced(limit.intrinsic, type, sample[k])) continue;
        const double error =
            UlpError(type, results[k], Exact(limit.intrinsic, sample[k]));
        if (error > worst) {
          worst = error;
          at = sample[k];
        }
      }
      EXPECT_LE(worst, type.bits() == 32 ? limit.float32 : limit.float64)
          << expr::IntrinsicName(limit.intrinsic) << " of " << type << " at "
          << at;
      EXPECT_GT(worst, 0.5) << "the reference is not independent of the result";
    }
  }
}

TEST(ElementaryTest, SpecialValuesMatchLibrary) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> edges = {
      0.0,  -0.0,  kInf,   -kInf,  nan,   1,      -1,      88.7,
      88.8, -87.4, -103.9, -104.5, 1e-40, -1e-40, 1e-45,   3.4e38,
      20,   -20,   -89,    100,    1e-30, -1e-30, 0.625,   -0.625,
      9,    -9,    0.5,    2,      1e38,  -1e38,  1.17e-38};
  for (Intrinsic intrinsic : {Intrinsic::kExp, Intrinsic::kLog,
                              Intrinsic::kTanh, Intrinsic::kSigmoid}) {
    std::vector<double> rounded;
    for (double x : edges) {
      rounded.push_back(expr::RoundFloat(DType::Float32(), x));
    }
    const std::vector<double> results =
        Apply(intrinsic, DType::Float32(), rounded);
    for (size_t k = 0; k < edges.size(); ++k) {
      const long double exact = Exact(intrinsic, rounded[k]);
      EXPECT_LE(UlpError(DType::Float32(), results[k], exact), 2.2)
          << static_cast<int>(intrinsic) << " of " << edges[k] << " is "
          << results[k];
      if (results[k] == 0 && intrinsic != Intrinsic::kLog) {
        EXPECT_EQ(std::signbit(results[k]), std::signbit(exact)) << edges[k];
      }
    }
  }
}

TEST(ElementaryTest, TrigonometricAndHyperbolicSpecialValuesMatchLibrary) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> edges = {
      0.0,   -0.0,  kInf, -kInf, nan,  1,     -1,    0.5,   -0.5, 2,
      -2,    1e-40, 1e30, -1e30, 88,   -88,   89.4,  -89.4, 91,   -91,
      1e-10, 1e10,  3e38, -3e38, 1.25, 1e-20, 1.571, 3.1416};
  for (Intrinsic intrinsic :
       {Intrinsic::kSin, Intrinsic::kCos, Intrinsic::kTan, Intrinsic::kAsin,
        Intrinsic::kAcos, Intrinsic::kAtan, Intrinsic::kSinh, Intrinsic::kCosh,
        Intrinsic::kAsinh, Intrinsic::kAcosh, Intrinsic::kAtanh}) {
    for (DType type : {DType::Float32(), DType::Float64()}) {
      std::vector<double> rounded;
      for (double x : edges) rounded.push_back(expr::RoundFloat(type, x));
      const std::vector<double> results = Apply(intrinsic, type, rounded);
      for (size_t k = 0; k < edges.size(); ++k) {
        if (!IsReduced(intrinsic, type, rounded[k])) continue;
        const long double exact = Exact(intrinsic, rounded[k]);
        EXPECT_LE(UlpError(type, results[k], exact), 4.0)
            << expr::IntrinsicName(intrinsic) << " of " << type << " "
            << edges[k] << " is " << results[k];
        if (results[k] == 0) {
          EXPECT_EQ(std::signbit(results[k]), std::signbit(exact))
              << expr::IntrinsicName(intrinsic) << " of " << edges[k];
        }
      }
    }
  }
}

// Arguments far beyond a period are treated as 0; infinity gives NaN.
TEST(ElementaryTest, TreatsHugeAnglesAsZero) {
  EXPECT_EQ(Apply(Intrinsic::kSin, DType::Float32(), {1e30})[0], 0);
  EXPECT_EQ(Apply(Intrinsic::kCos, DType::Float64(), {-1e30})[0], 1);
  EXPECT_TRUE(std::isnan(Apply(Intrinsic::kCos, DType::Float32(), {kInf})[0]));
}

TEST(ElementaryTest, Powers) {
  const std::vector<double> bases = {0.0,   -0.0, 1,    -1,  2,    -2,
                                     3,     0.5,  10,   1.1, 1e-3, kInf,
                                     -kInf, 7.25, -1.5, 1e10};
  const std::vector<double> exponents = {0,   1,    2,      3,    -1,   -2,
                                         0.5, -0.5, 1.5,    7,    -3,   20,
                                         63,  64,   100.25, kInf, -kInf};
  for (DType type : {DType::Float32(), DType::Float64()}) {
    std::vector<double> x, y;
    for (double a : bases) {
      for (double b : exponents) {
        x.push_back(expr::RoundFloat(type, a));
        y.push_back(expr::RoundFloat(type, b));
      }
    }
    const std::vector<double> results = Apply(Intrinsic::kPow, type, x, y);
    for (size_t k = 0; k < x.size(); ++k) {
      const long double exact = std::pow(static_cast<long double>(x[k]),
                                         static_cast<long double>(y[k]));
      const double log = std::fabs(static_cast<double>(std::log(exact)));
      const double limit = type.bits() == 32    ? 0.6
                           : std::isfinite(log) ? log + 6
                                                : 0;
      EXPECT_LE(UlpError(type, results[k], exact), limit)
          << type << " " << x[k] << " to the " << y[k] << " is " << results[k];
    }
  }
  // Exact if the result is representable.
  EXPECT_EQ(Apply(Intrinsic::kPow, DType::Float64(), {3}, {33})[0],
            5559060566555523);
}

TEST(ElementaryTest, RemaindersAreExact) {
  for (DType type : {DType::Float32(), DType::Float64()}) {
    const double most =
        type.bits() == 32 ? 0x1.fffffep127 : std::numeric_limits<double>::max();
    const double least = type.bits() == 32 ? 0x1p-149 : 0x1p-1074;
    const std::vector<double> values = {
        0.0,
        -0.0,
        1,
        -1,
        3,
        -7,
        0.1,
        5.5,
        1e9,
        1e30,
        -1e30,
        kInf,
        -kInf,
        1e-30,
        most,
        least,
        3 * least,
        0x1p-40,
        0x1.fffffep60,
        1 + 0x1p-20,
        -most / 3,
        std::numeric_limits<double>::quiet_NaN()};
    std::vector<double> x, y;
    for (double a : values) {
      for (double b : values) {
        x.push_back(expr::RoundFloat(type, a));
        y.push_back(expr::RoundFloat(type, b));
      }
    }
    const std::vector<double> results = Apply(Intrinsic::kFmod, type, x, y);
    for (size_t k = 0; k < x.size(); ++k) {
      const double exact = std::fmod(x[k], y[k]);
      EXPECT_EQ(UlpError(type, results[k], exact), 0)
          << type << " " << x[k] << " modulo " << y[k] << " is " << results[k];
      if (exact == 0) {
        EXPECT_EQ(std::signbit(results[k]), std::signbit(exact)) << x[k];
      }
    }
  }
}

TEST(ElementaryTest, PowersOfIntegers) {
  const std::vector<int64_t> bases = {0, 1, -1, 2, -2, 3, -3, 11, 100};
  const std::vector<int64_t> exponents = {0,  1,  2,  3,   6,  7,
                                          31, -1, -2, 100, 101};
  const Buffer a = expr::MakeBuffer("a", DType::Int32(), {1});
  const Buffer b = expr::MakeBuffer("b", DType::Int32(), {1});
  const Buffer out = expr::MakeBuffer("out", DType::Int32(), {1});
  const Stmt call = Store::Make(
      out, {0},
      expr::CallOf(Intrinsic::kPow,
                   {expr::Load::Make(a, {0}), expr::Load::Make(b, {0})}));
  for (const Stmt& body : {call, LowerIntrinsics(call)}) {
    for (const int64_t x : bases) {
      for (const int64_t y : exponents) {
        int64_t expected = y < 0 && x != 1 && x != -1 ? 0 : 1;
        const int64_t count = std::abs(y) > 63 ? 62 + y % 2 : std::abs(y);
        for (int64_t k = 0; k < count; ++k) {
          expected = expr::WrapInt(DType::Int32(), expected * x);
        }
        const auto result = Interpret(
            {"f", {a, b}, {out}, body},
            {NDArray::FromVector<int32_t>({1}, {static_cast<int32_t>(x)}),
             NDArray::FromVector<int32_t>({1}, {static_cast<int32_t>(y)})});
        ASSERT_TRUE(result.ok()) << result.status();
        EXPECT_EQ((*result)[0].data<int32_t>()[0], expected)
            << x << " to the " << y;
      }
    }
  }
}

TEST(ElementaryTest, ComputesNarrowTypesInFloat32) {
  for (DType type : {DType::Float16(), DType::BFloat16()}) {
    std::vector<double> sample;
    for (int k = -80; k < 80; ++k) {
      sample.push_back(expr::RoundFloat(type, k / 8.0));
    }
    const std::vector<double> results =
        Apply(Intrinsic::kSigmoid, type, sample);
    for (size_t k = 0; k < sample.size(); ++k) {
      const double exact = expr::RoundFloat(
          type, static_cast<double>(Exact(Intrinsic::kSigmoid, sample[k])));
      EXPECT_NEAR(results[k], exact, std::fabs(exact) * 0.008);
    }
  }
}

}  // namespace
}  // namespace assay::tir
