#include "compiler/ops/matrix_tile.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/lower/lower.h"
#include "compiler/schedule/schedule.h"
#include "compiler/tir/interpreter.h"
#include "gtest/gtest.h"
#include "runtime/base/element.h"
#include "runtime/base/ndarray.h"

namespace assay::ops {
namespace {

target::Target TargetOf(const char* cpu) {
  const auto target = target::Target::Parse(
      std::string("llvm -mtriple=x86_64-linux-gnu -mcpu=") + cpu);
  EXPECT_TRUE(target.ok()) << target.status();
  return *target;
}

TEST(MatrixTileTest, NeedsAMatrixUnit) {
  const DType f = DType::Float32(), s = DType::Int(8), u = DType::UInt(8);
  const target::Target with = TargetOf("sapphirerapids");
  const target::Target without = TargetOf("cascadelake");
  EXPECT_FALSE(FindMatrixTile(without, f, f).has_value());
  EXPECT_FALSE(FindMatrixTile(without, u, s).has_value());
  EXPECT_FALSE(FindMatrixTile(with, f, s).has_value());
  EXPECT_FALSE(FindMatrixTile(with, DType::Int(16), s).has_value());
  EXPECT_EQ(FindMatrixTile(with, u, s)->intrinsic,
            expr::Intrinsic::kTileDot4U8S8);
  EXPECT_EQ(FindMatrixTile(with, s, u)->intrinsic,
            expr::Intrinsic::kTileDot4S8U8);
  EXPECT_EQ(FindMatrixTile(with, f, f)->depth, 32);
  EXPECT_EQ(FindMatrixTile(with, u, s)->depth, 64);
}

// Both parts of `values`, computed by the loop IR.
NDArray PartsOf(const std::vector<float>& values) {
  const auto count = static_cast<int64_t>(values.size());
  const te::Tensor x = te::Placeholder({count}, DType::Float32(), "x");
  const te::Tensor parts =
      te::Compute({2, count}, "parts", [&](const std::vector<expr::Expr>& i) {
        return SplitPart(x(i[1]), i[0]);
      });
  schedule::Schedule s({parts});
  const auto function = lower::Lower(s, "split", {x}, {parts});
  EXPECT_TRUE(function.ok()) << function.status();
  NDArray in(DType::Float32(), {count});
  std::copy(values.begin(), values.end(), in.data<float>().begin());
  const auto out = tir::Interpret(*function, {in});
  EXPECT_TRUE(out.ok()) << out.status();
  return (*out)[0];
}

TEST(MatrixTileTest, PartsAddUpToSixteenBits) {
  std::vector<float> values = {0, 1, -1, 3.14159274f, 1e-20f, -1e20f, 65537};
  for (int i = 0; i < 1000; ++i) {
    values.push_back(std::sin(static_cast<float>(i)) * 100);
  }
  const NDArray parts = PartsOf(values);
  const auto count = static_cast<int64_t>(values.size());
  for (int64_t i = 0; i < count; ++i) {
    const double sum = LoadFloat(parts, i) + LoadFloat(parts, count + i);
    EXPECT_LE(std::fabs(sum - values[i]), std::ldexp(std::fabs(values[i]), -17))
        << values[i];
  }
}

TEST(MatrixTileTest, NanAndInfinityStayVisible) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  uint32_t all_ones = 0x7fffffff, negative = 0xffffffff;
  float nan, negative_nan;
  std::memcpy(&nan, &all_ones, sizeof(nan));
  std::memcpy(&negative_nan, &negative, sizeof(nan));
  const NDArray parts = PartsOf(
      {nan, negative_nan, std::nanf(""), kInfinity, -kInfinity, 3.4e38f});
  for (int64_t i = 0; i < 6; ++i) {
    EXPECT_TRUE(std::isnan(LoadFloat(parts, i) + LoadFloat(parts, 6 + i))) << i;
  }
}

}  // namespace
}  // namespace assay::ops
