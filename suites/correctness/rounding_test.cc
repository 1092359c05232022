#include "suites/correctness/rounding.h"

#include <optional>
#include <string>
#include <vector>

#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"
#include "runtime/artifact/artifact.h"

namespace assay::suites {
namespace {

Rounding Of(const std::string& text) {
  return RoundingOf(*graph::GraphFromText(text));
}

TEST(RoundingTest, FloatModelsHaveNone) {
  EXPECT_EQ(Of(R"(
      graph g(%x: float32[2]) -> (%2) {
        %1: float32[2] = exp(%x)
        %2: float32[2] = round(%1)
      })"),
            Rounding::kNone);
}

TEST(RoundingTest, SumsOfDequantizedValuesAreExact) {
  EXPECT_EQ(Of(R"(
      graph g(%x: int8[2]) -> (%6) {
        %1: float32[] = constant {value=[0.5]}
        %2: int8[] = constant {value=[0]}
        %3: float32[2] = dequantize(%x, %1, %2) {axis=0, dtype=float32}
        %4: float32[2] = add(%3, %3)
        %5: int8[2] = quantize(%4, %1, %2) {axis=0, dtype=int8}
        %6: float32[2] = exp(%3)
      })"),
            Rounding::kExact);
}

TEST(RoundingTest, ApproximatedFunctionsAreInexactBeforeQuantize) {
  EXPECT_EQ(Of(R"(
      graph g(%x: float32[2]) -> (%5) {
        %1: float32[] = constant {value=[0.5]}
        %2: int8[] = constant {value=[0]}
        %3: float32[2] = exp(%x)
        %4: float32[2] = relu(%3)
        %5: int8[2] = quantize(%4, %1, %2) {axis=0, dtype=int8}
      })"),
            Rounding::kInexact);
}

TEST(RoundingTest, OutputsAreExactWithoutSumsAndApproximations) {
  Model model;
  model.graph = graph::GraphFromText(R"(
      graph g(%x: float32[2], %m: float32[2,2], %h: float16[2])
          -> (%3, %5, %6, %7, %9) {
        %1: float32[] = constant {value=[12582912]}
        %2: float32[2] = add(%x, %1)
        %3: float32[2] = subtract(%2, %1)
        %4: float32[2] = multiply(%x, %x)
        %5: float32[2] = subtract(%4, %x)
        %6: float32[2] = reduce_sum(%m) {axes=[1]}
        %7: float16[2] = add(%h, %h)
        %8: float32[2] = exp(%x)
        %9: float32[2] = round(%8)
      })");
  std::vector<bool> exact, jumps;
  for (const OutputRule& output : InterpreterRule(model)) {
    exact.push_back(output.exact);
    jumps.push_back(output.jumps);
  }
  EXPECT_EQ(exact, (std::vector<bool>{true, false, false, false, false}));
  EXPECT_EQ(jumps, (std::vector<bool>{false, false, false, false, true}));
}

TEST(RoundingTest, AgreementOfFloatsDoesNotLimitInexactAlgorithms) {
  const std::vector<std::optional<double>> agreement = {1e-6, 0.0,
                                                        std::nullopt};
  const auto limits = [&](const runtime::Artifact& artifact) {
    CheckRule rule(agreement.size());
    LimitByAgreement(artifact, agreement, &rule);
    std::vector<std::optional<double>> limits;
    for (const OutputRule& output : rule) limits.push_back(output.agreement);
    return limits;
  };
  runtime::Artifact artifact;
  EXPECT_EQ(limits(artifact), agreement);
  artifact.metadata[runtime::kMetaAlgorithms] = runtime::kSplitAlgorithm;
  const std::vector<std::optional<double>> limited = {std::nullopt, 0.0,
                                                      std::nullopt};
  EXPECT_EQ(limits(artifact), limited);
}

TEST(RoundingTest, EachOutputHasAnAgreementOrNone) {
  CheckRule rule(2);
  rule[0].agreement = 0.5;
  LimitByAgreement(runtime::Artifact(), {}, &rule);
  EXPECT_EQ(rule[0].agreement, 0.5);
  EXPECT_EQ(rule[1].agreement, std::nullopt);
  EXPECT_DEATH(LimitByAgreement(runtime::Artifact(), {1e-6}, &rule),
               "check failed");
}

TEST(FindRowAxesTest, RowsDependOnDecisionsAboutComputedFloats) {
  const auto graph = graph::GraphFromText(R"(
      graph g(%x: float32[1,8]) -> (%1, %2, %3, %4, %5) {
        %1: float32[1,8] = multiply(%x, %x)
        %2: int64[1,3] = arg_sort(%1) {axis=1, k=3, descending=true}
        %3: float32[1,3] = gather_elements(%x, %2) {axis=1}
        %4: int64[1,3] = arg_sort(%x) {axis=1, k=3, descending=true}
        %5: int64[1] = arg_max(%1) {axis=1}
      })");
  // The order of the inputs does not depend on rounding.
  EXPECT_EQ(FindRowAxes(*graph),
            (RowAxes{std::nullopt, 1, 1, std::nullopt, 0}));
}

TEST(FindRowAxesTest, RowsLieAlongTheBoundedAxis) {
  const auto graph = graph::GraphFromText(R"(
      graph g(%b: float32[1,3,4], %s: float32[1,2,3]) -> (%3 {axis=1, extent=%2.1}) {
        %1: float32[1,2,3] = sigmoid(%s)
        %2: (int64[6,3], int64[]) = non_max_suppression(%b, %1) {most=3, iou_threshold=0.5, score_threshold=0.2}
        %3: int64[3,6] = transpose(%2) {perm=[1,0]}
      })");
  EXPECT_EQ(FindRowAxes(*graph), RowAxes{1});
}

}  // namespace
}  // namespace assay::suites
