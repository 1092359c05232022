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

// Every lane of `values` through the lowered intrinsic.
std::vector<double> Apply(Intrinsic intrinsic, DType type,
                          const std::vector<double>& values) {
  const auto n = static_cast<int64_t>(values.size());
  const Buffer in = expr::MakeBuffer("in", type, {n});
  const Buffer out = expr::MakeBuffer("out", type, {n});
  const Expr i = expr::Var::Make("i");
  const Stmt body = LowerIntrinsics(For::Make(
      i, 0, static_cast<int>(n), ForKind::kSerial,
      Store::Make(out, {i},
                  expr::CallOf(intrinsic, {expr::Load::Make(in, {i})}))));
  NDArray input(type, {n});
  for (int64_t k = 0; k < n; ++k) {
    const uint64_t bits = expr::FloatToBits(type, values[k]);
    std::memcpy(static_cast<char*>(input.raw()) + k * type.bytes(), &bits,
                type.bytes());
  }
  auto outputs = Interpret({"f", {in}, {out}, body}, {input});
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
    case Intrinsic::k_exp:
      return std::exp(x);
    case Intrinsic::k_log:
      return std::log(x);
    case Intrinsic::k_tanh:
      return std::tanh(x);
    case Intrinsic::k_erf:
      return std::erf(x);
    default:
      return 1 / (1 + std::exp(-x));
  }
}

// The distance in units of the last place of the exact result.
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

// Bit patterns at equal distance: all signs, exponents, infinities and NaNs.
std::vector<double> DenseSample(DType type, int count) {
  std::vector<double> sample;
  const uint64_t step = (type.bits() == 32 ? uint64_t{1} << 32 : 0) - 1;
  for (int k = 0; k < count; ++k) {
    sample.push_back(expr::BitsToFloat(
        type,
        static_cast<uint64_t>(static_cast<long double>(step) / count * k)));
  }
  // Where arguments usually are.
  for (int k = 0; k < count; ++k) {
    sample.push_back(expr::RoundFloat(type, -20 + 40.0 * k / count));
    sample.push_back(expr::RoundFloat(type, -1 + 2.0 * k / count));
    sample.push_back(expr::RoundFloat(type, 0.5 + 1.5 * k / count));
  }
  return sample;
}

struct Limit {
  Intrinsic intrinsic;
  double float32, float64;
};

TEST(ElementaryTest, ErrorsAreWithinTheLimitsOfTheHeader) {
  const Limit limits[] = {{Intrinsic::k_exp, 1.1, 1.1},
                          {Intrinsic::k_log, 0.9, 0.9},
                          {Intrinsic::k_tanh, 1.6, 1.6},
                          {Intrinsic::k_erf, 6.0, 0},
                          {Intrinsic::k_sigmoid, 2.2, 2.2}};
  for (const Limit& limit : limits) {
    for (DType type : {DType::Float32(), DType::Float64()}) {
      if (type.bits() == 64 && limit.float64 == 0) continue;
      const std::vector<double> sample = DenseSample(type, 5000);
      const std::vector<double> results = Apply(limit.intrinsic, type, sample);
      double worst = 0, at = 0;
      for (size_t k = 0; k < sample.size(); ++k) {
        const double error =
            UlpError(type, results[k], Exact(limit.intrinsic, sample[k]));
        if (error > worst) {
          worst = error;
          at = sample[k];
        }
      }
      EXPECT_LE(worst, type.bits() == 32 ? limit.float32 : limit.float64)
          << type << " at " << at;
      EXPECT_GT(worst, 0.5) << "the oracle and the result are one thing";
    }
  }
}

TEST(ElementaryTest, EdgesAreThoseOfTheLibrary) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> edges = {
      0.0,  -0.0,  kInf,   -kInf,  nan,   1,      -1,      88.7,
      88.8, -87.4, -103.9, -104.5, 1e-40, -1e-40, 1e-45,   3.4e38,
      20,   -20,   -89,    100,    1e-30, -1e-30, 0.625,   -0.625,
      9,    -9,    0.5,    2,      1e38,  -1e38,  1.17e-38};
  for (Intrinsic intrinsic : {Intrinsic::k_exp, Intrinsic::k_log,
                              Intrinsic::k_tanh, Intrinsic::k_sigmoid}) {
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
      if (results[k] == 0 && intrinsic != Intrinsic::k_log) {
        EXPECT_EQ(std::signbit(results[k]), std::signbit(exact)) << edges[k];
      }
    }
  }
}

TEST(ElementaryTest, NarrowTypesGoThroughFloat32) {
  for (DType type : {DType::Float16(), DType::BFloat16()}) {
    std::vector<double> sample;
    for (int k = -80; k < 80; ++k) {
      sample.push_back(expr::RoundFloat(type, k / 8.0));
    }
    const std::vector<double> results =
        Apply(Intrinsic::k_sigmoid, type, sample);
    for (size_t k = 0; k < sample.size(); ++k) {
      const double exact = expr::RoundFloat(
          type, static_cast<double>(Exact(Intrinsic::k_sigmoid, sample[k])));
      EXPECT_NEAR(results[k], exact, std::fabs(exact) * 0.008);
    }
  }
}

}  // namespace
}  // namespace assay::tir
