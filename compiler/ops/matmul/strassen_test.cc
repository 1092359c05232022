// Compares Strassen's products of random even sizes, with random
// configurations, with the reference interpreter.
#include "compiler/ops/matmul/strassen.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/graph/printer.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/ops/kernel/op_strategy.h"
#include "compiler/ops/op_instance.h"
#include "compiler/ops/testing/kernel_check.h"
#include "compiler/target/target.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::ops {
namespace {

OpInstance Product(int64_t m, int64_t n, int64_t k,
                   const std::string& type = "float32") {
  const auto graph = graph::GraphFromText(absl::StrCat(
      "graph g(%x: ", type, "[", m, ",", k, "], %y: ", type, "[", k, ",", n,
      "]) -> (%1) {\n  %1: float32[", m, ",", n, "] = matmul(%x, %y)\n}"));
  return InstanceOf(*graph->outputs()[0].value.node);
}

TEST(StrassenTest, RandomSizesAndBlocks) {
  Rng rng(20261121);
  for (int round = 0; round < 30; ++round) {
    const char* target = kCheckTargets[round % 3];
    const int64_t lanes = CheckTarget(target).vector_bits() / 32;
    const int64_t m = 2 * rng.UniformInt(8, 35);
    const int64_t n = 2 * lanes * rng.UniformInt(1, 4);
    const int64_t k = 2 * rng.UniformInt(8, 45);
    const std::string type = absl::StrCat("float32[", m, ",", n, "]");
    const auto body = graph::GraphFromText(
        absl::StrCat("graph g(%x: float32[", m, ",", k, "], %y: float32[", k,
                     ",", n, "], %b: float32[", n, "]) -> (%3) {\n  %1: ", type,
                     " = matmul(%x, %y)\n  %2: ", type,
                     " = add(%1, %b)\n  %3: ", type, " = relu(%2)\n}"));
    CheckOptions options;
    options.absolute = 1e-4;
    options.kernel.implementation = "matmul.strassen";
    options.kernel.config =
        StrassenSpace(Product(m, n, k), CheckTarget(target)).Sample(rng);
    EXPECT_EQ(CheckKernel(*body, target, options), "")
        << target << "\n"
        << options.kernel.config << "\n"
        << graph::ToString(*body);
  }
}

TEST(StrassenTest, AppliesToEvenSides) {
  const target::Target avx2 = CheckTarget(kCheckTargets[0]);
  EXPECT_TRUE(StrassenApplies(Product(16, 16, 16), avx2));
  EXPECT_FALSE(StrassenApplies(Product(17, 16, 16), avx2));
  EXPECT_FALSE(StrassenApplies(Product(16, 24, 16), avx2));
  EXPECT_FALSE(StrassenApplies(Product(16, 16, 17), avx2));
  EXPECT_FALSE(StrassenApplies(Product(16, 16, 16, "float16"), avx2));
}

// The saving is an eighth of n^3, the cost a multiple of n^2.
TEST(StrassenTest, IsPreferredForLargeMatrices) {
  const target::Target avx2 = CheckTarget(kCheckTargets[0]).WithCores(2);
  const auto preferred = [&](int64_t n) {
    return std::string(
        Strategy(Product(n, n, n), avx2)[0].implementation->name);
  };
  EXPECT_EQ(preferred(128), "matmul.blocked");
  EXPECT_EQ(preferred(2048), "matmul.strassen");
}

}  // namespace
}  // namespace assay::ops
