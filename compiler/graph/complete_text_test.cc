#include "compiler/graph/complete_text.h"

#include <cstdint>
#include <cstring>
#include <string>

#include "absl/strings/match.h"
#include "compiler/graph/printer.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/graph/testing/random_graph.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

void ExpectRoundTrip(const Graph& graph) {
  const std::string text = ToCompleteText(graph);
  EXPECT_TRUE(absl::StartsWith(text, ToString(graph))) << text;
  const auto again = ParseCompleteText(text);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(ToCompleteText(**again), text);
}

TEST(CompleteTextTest, RoundTrips) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    ExpectRoundTrip(*RandomGraph(seed));
  }
  ExpectRoundTrip(*ResNet18(32, 8, 7));
}

// The text form shows a constant of float16 by digest only, however small.
TEST(CompleteTextTest, HasTheValuesOfSmallConstants) {
  Graph graph("g");
  NDArray value(DType::Float16(), {1});
  std::memcpy(value.raw(), "\x55\x35", 2);
  graph.AddOutput("", {graph.AddConstant(value)});
  ExpectRoundTrip(graph);
  EXPECT_TRUE(absl::StrContains(ToCompleteText(graph),
                                "constants:\nfloat16[1] VTU=\n"));
}

TEST(CompleteTextTest, ErrorsNameTheProblem) {
  const std::string graph =
      "graph g(%x: float32[2]) -> (%2) {\n"
      "  %1: float32[2] = constant {elements=2, digest=0000000000000007}\n"
      "  %2: float32[2] = add(%x, %1)\n}\n";
  EXPECT_TRUE(
      ErrorHas(ParseCompleteText(graph).status(), "has no `constants:`"));
  EXPECT_TRUE(ErrorHas(ParseCompleteText(graph + "constants:\n").status(),
                       "the constant store has no float32[2]"));
  EXPECT_TRUE(ErrorHas(
      ParseCompleteText(graph + "constants:\nfloat32[2] AA\n").status(),
      "the bytes of a constant of type `float32[2]` are not as many"));
}

}  // namespace
}  // namespace assay::graph
