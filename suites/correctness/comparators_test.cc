#include "suites/correctness/comparators.h"

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/graph/testing/graph_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

using runtime::NamedTensors;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

NamedTensors Outputs(std::vector<float> scores) {
  const auto n = static_cast<int64_t>(scores.size());
  return {{"y", NDArray::FromVector<float>({n}, scores)}};
}

RoundingSensitivity SensitivityOf(const char* graph) {
  return RoundingSensitivity(*graph::GraphFromText(graph), [](uint64_t seed) {
    return absl::StatusOr<NamedTensors>(
        Outputs({1, seed == 0 ? 2.0f : 2.001f}));
  });
}

constexpr char kSum[] = R"(
    graph g(%x: float32[2,9]) -> (y=%1) {
      %1: float32[2] = reduce_sum(%x) {axes=[1]}
    })";
constexpr char kSorted[] = R"(
    graph g(%x: float32[2,9]) -> (y=%3) {
      %1: float32[2] = reduce_sum(%x) {axes=[1]}
      %2: int64[2] = arg_sort(%1) {axis=0, k=2, descending=true}
      %3: float32[2] = gather(%1, %2) {axis=0}
    })";

std::vector<std::string> Applicable(const ComparedOutputs& compared) {
  std::vector<std::string> names;
  for (const Comparator& comparator : Comparators()) {
    if (comparator.applies(compared)) names.push_back(comparator.name);
  }
  return names;
}

TEST(ComparatorsTest, TheModelDecidesWhichApply) {
  const NamedTensors x = Outputs({1, 2});
  RoundingSensitivity sum = SensitivityOf(kSum);
  RoundingSensitivity sorted = SensitivityOf(kSorted);
  CheckRule in_steps(1);
  in_steps[0].in_steps = true;
  EXPECT_THAT(Applicable({x, x, {}}), ElementsAre("bounds"));
  EXPECT_THAT(Applicable({x, x, {}, &sum}),
              ElementsAre("bounds", "rounding noise"));
  EXPECT_THAT(Applicable({x, x, {}, &sorted}),
              ElementsAre("bounds", "rounding noise", "near ties"));
  EXPECT_THAT(Applicable({x, x, in_steps, &sorted}),
              ElementsAre("bounds", "rounding noise"));
}

TEST(ComparatorsTest, TheFirstThatAcceptsDecides) {
  const NamedTensors expected = Outputs({1, 2});
  RoundingSensitivity sum = SensitivityOf(kSum);
  const auto accept = [&](float second) {
    const NamedTensors outputs = Outputs({1, second});
    return AcceptOutputs({outputs, expected, {}, &sum}).value();
  };
  EXPECT_THAT(accept(2.0001f).remark, IsEmpty());
  EXPECT_NE(accept(2.005f).remark, "");
  EXPECT_TRUE(accept(2.005f).correct);
  EXPECT_FALSE(accept(2.02f).correct);
}

}  // namespace
}  // namespace assay::suites
