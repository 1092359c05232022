#include "compiler/graph/structural_equal.h"

#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

std::string Diff(absl::string_view a, absl::string_view b,
                 EqualOptions options = {}) {
  return FirstDifference(*GraphFromText(a), *GraphFromText(b), options);
}

constexpr char kBase[] = R"(
    graph g(%x: float32[2]) -> (y=%3) {
      %1: float32[2] = relu(%x) "r"
      %2: float32[2] = constant {value=[1,2]}
      %3: float32[2] = add(%1, %2)
    })";

TEST(StructuralEqualTest, IgnoresIdsOrderAndNames) {
  EXPECT_EQ(Diff(kBase, kBase), "");
  constexpr char kOther[] = R"(
      graph h(%q: float32[2]) -> (z=%9) {
        %8: float32[2] = constant {value=[1,2]} "c"
        %7: float32[2] = relu(%q)
        %9: float32[2] = add(%7, %8)
      })";
  EXPECT_EQ(Diff(kBase, kOther), "");
  EqualOptions names;
  names.compare_names = true;
  EXPECT_EQ(Diff(kBase, kBase, names), "");
  EXPECT_NE(Diff(kBase, kOther, names), "");
}

TEST(StructuralEqualTest, ShowsTheFirstDifference) {
  EXPECT_EQ(Diff(kBase, R"(
      graph g(%x: float32[2]) -> (%3) {
        %1: float32[2] = relu(%x)
        %2: float32[2] = constant {value=[1,3]}
        %3: float32[2] = add(%1, %2)
      })"),
            "an attribute differs: `%2: float32[2] = constant "
            "{value=[1,2]}` against `%2: float32[2] = constant "
            "{value=[1,3]}`");
  EXPECT_EQ(Diff(kBase, R"(
      graph g(%x: float32[2]) -> (%3) {
        %1: float32[2] = relu(%x)
        %2: float32[2] = constant {value=[1,2]}
        %3: float32[2] = multiply(%1, %2)
      })"),
            "the operator differs: `%3: float32[2] = add(%1, %2)` against "
            "`%3: float32[2] = multiply(%1, %2)`");
  EXPECT_EQ(Diff(kBase, R"(
      graph g(%x: float32[3]) -> (%x) {
      })"),
            "input 0 is `x: float32[2]` against `x: float32[3]`");
}

TEST(StructuralEqualTest, ComparesSharing) {
  constexpr char kShared[] = R"(
      graph g(%x: float32[2]) -> (%3) {
        %1: float32[2] = relu(%x)
        %3: float32[2] = add(%1, %1)
      })";
  constexpr char kTwice[] = R"(
      graph g(%x: float32[2]) -> (%3) {
        %1: float32[2] = relu(%x)
        %2: float32[2] = relu(%x)
        %3: float32[2] = add(%1, %2)
      })";
  EXPECT_NE(Diff(kShared, kTwice), "");
  EXPECT_NE(Diff(kTwice, kShared), "");
}

TEST(StructuralEqualTest, SwappedInputsDiffer) {
  constexpr char kText[] = R"(
      graph g(%x: float32[2], %y: float32[2]) -> (%3) {
        %3: float32[2] = add(%x, %y)
      })";
  constexpr char kSwapped[] = R"(
      graph g(%x: float32[2], %y: float32[2]) -> (%3) {
        %3: float32[2] = add(%y, %x)
      })";
  EXPECT_NE(Diff(kText, kSwapped).find("operand 0 differs"), std::string::npos);
}

TEST(StructuralEqualTest, CountsDeadNodes) {
  constexpr char kDead[] = R"(
      graph g(%x: float32[2]) -> (%x) {
        %3: float32[2] = relu(%x)
      })";
  EXPECT_NE(Diff(kDead, "graph g(%x: float32[2]) -> (%x) {}"), "");
}

TEST(StructuralEqualTest, ComparesKernelBodies) {
  const auto text = [](absl::string_view op) {
    return "graph g(%x: float32[2]) -> (%1) { %1: float32[2] = kernel(%x) { "
           "graph k(%p: float32[2]) -> (%1) { %1: float32[2] = " +
           std::string(op) + " } } }";
  };
  EXPECT_EQ(Diff(text("relu(%p)"), text("relu(%p)")), "");
  EXPECT_NE(Diff(text("relu(%p)"), text("add(%p, %p)"))
                .find("kernel `%1` (kernel) against `%1` (kernel): the "
                      "operator differs"),
            std::string::npos);
}

}  // namespace
}  // namespace assay::graph
