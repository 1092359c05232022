// Compares gather_elements, gather_nd, the scatters, arg_sort and cum_sum with
// the reference.
#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/lower/lower.h"
#include "compiler/ops/kernel/kernel.h"
#include "compiler/ops/testing/kernel_check.h"
#include "compiler/target/target.h"
#include "compiler/tir/interpreter.h"
#include "gtest/gtest.h"

namespace assay::ops {
namespace {

// Checks `call` on `inputs` with integral values in [-3, 2]: indices of axes
// with at least three elements, including negative and repeated ones.
std::string Check(const std::string& inputs, const std::string& type,
                  const std::string& call) {
  CheckOptions options;
  options.low = -3;
  options.high = 2;
  return CheckText(absl::StrCat("graph g(", inputs, ") -> (%1) {\n  %1: ", type,
                                " = ", call, "\n}"),
                   options);
}

TEST(IndexedTest, Gathers) {
  for (const char* t : {"float32", "float16", "int8", "uint64", "bool"}) {
    const std::string x = absl::StrCat("%x: ", t, "[5,3,4], %i: int64");
    EXPECT_EQ(Check(x + "[5,7,4]", absl::StrCat(t, "[5,7,4]"),
                    "gather_elements(%x, %i) {axis=1}"),
              "");
    EXPECT_EQ(Check(x + "[2,1,3]", absl::StrCat(t, "[2,1,3]"),
                    "gather_elements(%x, %i) {axis=2}"),
              "");
    EXPECT_EQ(Check(x + "[7,2]", absl::StrCat(t, "[7,4]"), "gather_nd(%x, %i)"),
              "");
    EXPECT_EQ(Check(x + "[5,2,2]", absl::StrCat(t, "[5,2]"),
                    "gather_nd(%x, %i) {batch_dims=1}"),
              "");
    EXPECT_EQ(
        Check(x + "[2,3,3]", absl::StrCat(t, "[2,3]"), "gather_nd(%x, %i)"),
        "");
  }
}

TEST(IndexedTest, Scatters) {
  for (const char* t : {"float32", "bfloat16", "int8", "uint64"}) {
    for (const char* reduction :
         {"none", "add", "multiply", "maximum", "minimum"}) {
      EXPECT_EQ(
          Check(absl::StrCat("%x: ", t, "[5,3], %i: int64[4,7], %u: ", t,
                             "[4,7]"),
                absl::StrCat(t, "[5,3]"),
                absl::StrCat("scatter_elements(%x, %i, %u) {axis=1, reduction=",
                             reduction, "}")),
          "")
          << t << reduction;
      EXPECT_EQ(Check(absl::StrCat("%x: ", t,
                                   "[3,4,5], %i: int64[6,2], %u: ", t, "[6,5]"),
                      absl::StrCat(t, "[3,4,5]"),
                      absl::StrCat("scatter_nd(%x, %i, %u) {reduction=",
                                   reduction, "}")),
                "")
          << t << reduction;
    }
  }
  EXPECT_EQ(Check("%x: bool[3,4], %i: int64[2,1], %u: bool[2,4]", "bool[3,4]",
                  "scatter_nd(%x, %i, %u)"),
            "");
}

// A small set of values gives ties.
TEST(IndexedTest, ArgSort) {
  for (const char* t : {"float32", "float64", "int8", "uint16", "int64"}) {
    for (const char* order : {"", ", descending=true"}) {
      EXPECT_EQ(Check(absl::StrCat("%x: ", t, "[3,7,2]"), "int64[3,4,2]",
                      absl::StrCat("arg_sort(%x) {axis=1, k=4", order, "}")),
                "")
          << t << order;
    }
  }
}

// Operators that compare elements compare 16-bit floats as float32.
TEST(IndexedTest, ComparesElementsOfEachType) {
  for (const char* t : {"float32", "float16", "bfloat16", "int8", "uint64"}) {
    EXPECT_EQ(Check(absl::StrCat("%x: ", t, "[3,5]"), "int64[3,5]",
                    "arg_sort(%x) {axis=1, k=5}"),
              "")
        << t;
    EXPECT_EQ(Check(absl::StrCat("%x: ", t, "[3,5]"), "(int64[2,15], int64[])",
                    "non_zero(%x)"),
              "")
        << t;
    EXPECT_EQ(Check(absl::StrCat("%x: ", t, "[7]"),
                    "(int64[7], int64[7], int64[7], int64[])",
                    "unique(%x) {axis=0, sorted=true}"),
              "")
        << t;
  }
}

TEST(IndexedTest, CumSum) {
  for (const char* t : {"float32", "float16", "float64", "int32", "uint8"}) {
    for (const char* how : {"", ", exclusive=true", ", reverse=true",
                            ", exclusive=true, reverse=true"}) {
      for (const char* axis : {"0", "1", "2"}) {
        EXPECT_EQ(Check(absl::StrCat("%x: ", t, "[3,5,2]"),
                        absl::StrCat(t, "[3,5,2]"),
                        absl::StrCat("cum_sum(%x) {axis=", axis, how, "}")),
                  "")
            << t << axis << how;
      }
    }
  }
}

// Out-of-range indices read and write the nearest element. The interpreter
// reports out-of-bounds accesses as errors.
TEST(IndexedTest, ClampsOutOfRangeIndices) {
  const target::Target target = CheckTarget(kCheckTargets[0]);
  const NDArray data = NDArray::FromVector<float>({3}, {1, 2, 3});
  const NDArray update = NDArray::FromVector<float>({1}, {9});
  for (const int64_t index : {99, -99}) {
    const NDArray indices = NDArray::FromVector<int64_t>({1, 1}, {index});
    const auto graph = graph::GraphFromText(
        "graph g(%x: float32[3], %i: int64[1,1], %u: float32[1]) -> (%1) {\n"
        "  %1: float32[3] = scatter_nd(%x, %i, %u)\n}");
    const auto kernel = BuildKernel(*graph, target);
    ASSERT_TRUE(kernel.ok()) << kernel.status();
    const auto lowered =
        lower::Lower(kernel->schedule, "k", kernel->inputs, kernel->outputs);
    ASSERT_TRUE(lowered.ok()) << lowered.status();
    const auto result = tir::Interpret(*lowered, {data, indices, update});
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ((*result)[0].data<float>()[index > 0 ? 2 : 0], 9);
    EXPECT_EQ((*result)[0].data<float>()[1], 2);
  }
}

}  // namespace
}  // namespace assay::ops
