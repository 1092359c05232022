// Compares products of few rows, of random odd sizes and with random
// configurations, with the reference interpreter.
#include "compiler/ops/matmul/streamed_matmul.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/ops/op_instance.h"
#include "compiler/ops/testing/kernel_check.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::ops {
namespace {

constexpr char kImplementation[] = "matmul.streamed";

void ExpectRight(const std::string& text, const std::string& target,
                 CheckOptions options) {
  options.kernel.implementation = kImplementation;
  EXPECT_EQ(CheckKernel(*graph::GraphFromText(text), target.c_str(), options),
            "")
      << target << "\n"
      << options.kernel.config << "\n"
      << text;
}

// Returns matmul of x[m, k] and y[k, n], which are `leading` stacks.
std::string Product(const std::string& a, const std::string& b,
                    const std::string& sum, const std::string& leading,
                    int64_t m, int64_t k, int64_t n) {
  return absl::StrCat("graph g(%x: ", a, "[", leading, m, ",", k, "], %y: ", b,
                      "[", leading, k, ",", n, "]) -> (%1) { %1: ", sum, "[",
                      leading, m, ",", n, "] = matmul(%x, %y) }");
}

TEST(StreamedMatmulTest, RandomSizesAndConfigurations) {
  Rng rng(20261126);
  for (int round = 0; round < 24; ++round) {
    const int64_t m = rng.UniformInt(1, kMostStreamedRows);
    const int64_t k = rng.UniformInt(1, 40), n = rng.UniformInt(1, 300);
    const std::string leading = round % 4 == 0 ? "3," : "";
    const std::string text =
        Product("float32", "float32", "float32", leading, m, k, n);
    const std::string target =
        absl::StrCat(kCheckTargets[round % 3], " -num-cores=", 1 + round % 4);
    const auto graph = graph::GraphFromText(text);
    CheckOptions options;
    options.kernel.config =
        StreamedMatmulSpace(InstanceOf(*graph->outputs()[0].value.node),
                            CheckTarget(target.c_str()))
            .Sample(rng);
    ExpectRight(text, target, options);
  }
}

TEST(StreamedMatmulTest, Bytes) {
  CheckOptions options;
  options.low = 0;
  options.high = 127;
  options.absolute = options.relative = 0;
  for (const char* target : kCheckTargets) {
    ExpectRight(Product("uint8", "int8", "int32", "", 1, 33, 70), target,
                options);
    ExpectRight(Product("int8", "uint8", "int32", "2,", 3, 8, 16), target,
                options);
  }
}

TEST(StreamedMatmulTest, Epilogue) {
  for (const char* target : kCheckTargets) {
    ExpectRight(
        "graph g(%x: float32[2,19], %y: float32[19,37], %b: float32[37]) -> "
        "(%3) {\n"
        "  %1: float32[2,37] = matmul(%x, %y)\n"
        "  %2: float32[2,37] = add(%1, %b)\n"
        "  %3: float32[2,37] = relu(%2)\n}",
        target, CheckOptions());
  }
}

// All threads get columns.
TEST(StreamedMatmulTest, DefaultDividesColumns) {
  const auto graph = graph::GraphFromText(
      Product("float32", "float32", "float32", "", 1, 64, 1000));
  const OpInstance op = InstanceOf(*graph->outputs()[0].value.node);
  const auto columns = [&](int cores) {
    return DefaultStreamedMatmulConfig(
               op,
               CheckTarget(absl::StrCat(kCheckTargets[1], " -num-cores=", cores)
                               .c_str()))
        .Knob("nc");
  };
  EXPECT_EQ(columns(1), 1008);
  EXPECT_EQ(columns(2), 512);
  EXPECT_EQ(columns(4), 256);
}

// Sums of bytes are four times as wide as the bytes.
TEST(StreamedMatmulTest, SumsFitInTheFirstCache) {
  const auto graph =
      graph::GraphFromText(Product("uint8", "int8", "int32", "", 4, 64, 8192));
  const OpInstance op = InstanceOf(*graph->outputs()[0].value.node);
  const target::Target target = CheckTarget(kCheckTargets[1]);
  const int64_t columns = DefaultStreamedMatmulConfig(op, target).Knob("nc");
  EXPECT_GT(columns, 512);
  EXPECT_LE(4 * 4 * (columns - 16), target.l1_bytes() / 2);
}

TEST(StreamedMatmulTest, AppliesToFewRows) {
  const auto applies = [](int64_t m) {
    const auto graph = graph::GraphFromText(
        Product("float32", "float32", "float32", "", m, 64, 64));
    return StreamedMatmulApplies(InstanceOf(*graph->outputs()[0].value.node),
                                 CheckTarget(kCheckTargets[0]));
  };
  EXPECT_TRUE(applies(1));
  EXPECT_TRUE(applies(4));
  EXPECT_FALSE(applies(5));
}

}  // namespace
}  // namespace assay::ops
