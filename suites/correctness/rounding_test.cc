#include "suites/correctness/rounding.h"

#include <string>

#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"

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

}  // namespace
}  // namespace assay::suites
