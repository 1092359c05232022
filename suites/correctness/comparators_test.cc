#include "suites/correctness/comparators.h"

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/graph/testing/graph_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "suites/correctness/oracle.h"

namespace assay::suites {
namespace {

using runtime::NamedTensors;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
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

// Selects boxes of two classes by their scores, which are means of 64 equal
// terms. Boxes 0 and 1 overlap by 0.8, above the threshold, and no others do.
// Rounding decides two near ties: the order of boxes 3 and 4 in class 0, and
// whether box 1 passes the threshold of the score in class 1.
class DetectionsTest : public ::testing::Test {
 protected:
  DetectionsTest() {
    model_.graph = graph::GraphFromText(R"(
        graph g(%b: float32[1,6,4], %s: float32[1,2,6,64])
            -> (scores=%1, detections=%2 {axis=0, extent=%2.1}) {
          %1: float32[1,2,6] = reduce_mean(%s) {axes=[3]}
          %2: (int64[12,3], int64[]) = non_max_suppression(%b, %1) {most=6, iou_threshold=0.6, score_threshold=0.3}
        })");
    const std::vector<float> boxes = {0, 0, 1, 1, 1, 0.8f, 0, 0, 2, 2, 3, 3,
                                      4, 4, 5, 5, 6, 6,    7, 7, 8, 8, 9, 9};
    const float scores[] = {0.9f, 0.89f, 0.5f, 0.7f, 0.7f, 0.1f,
                            0.1f, 0.3f,  0.1f, 0.6f, 0.4f, 0.1f};
    std::vector<float> terms;
    for (const float score : scores) terms.insert(terms.end(), 64, score);
    inputs_ = {{"b", NDArray::FromVector<float>({1, 6, 4}, boxes)},
               {"s", NDArray::FromVector<float>({1, 2, 6, 64}, terms)}};
    expected_ = oracle_.Reference(model_, inputs_).value();
  }

  // Returns the problem of these boxes of both classes; empty if they are
  // right.
  std::string Problem(const std::vector<int64_t>& class_0,
                      const std::vector<int64_t>& class_1) {
    std::vector<int64_t> rows;
    for (const int64_t box : class_0) rows.insert(rows.end(), {0, 0, box});
    for (const int64_t box : class_1) rows.insert(rows.end(), {0, 1, box});
    const auto count = static_cast<int64_t>(rows.size() / 3);
    NamedTensors outputs = expected_;
    outputs[1].value = NDArray::FromVector<int64_t>({count, 3}, rows);
    RoundingSensitivity sensitivity(*model_.graph, [this](uint64_t seed) {
      return oracle_.Outputs(model_, inputs_, seed);
    });
    return AcceptOutputs({outputs, expected_, {}, &sensitivity})
        .value()
        .problem;
  }

  InterpreterOracle oracle_{/*folder=*/"", /*version=*/""};
  Model model_;
  NamedTensors inputs_, expected_;
};

TEST_F(DetectionsTest, EitherDecisionOfEachTieIsRight) {
  EXPECT_THAT(Problem({0, 3, 4, 2}, {3, 4}), IsEmpty());
  EXPECT_THAT(Problem({0, 4, 3, 2}, {3, 4}), IsEmpty());
  EXPECT_THAT(Problem({0, 3, 4, 2}, {3, 4, 1}), IsEmpty());
  EXPECT_THAT(Problem({0, 4, 3, 2}, {3, 4, 1}), IsEmpty());
}

TEST_F(DetectionsTest, OtherDetectionsAreWrong) {
  // A box is missing.
  EXPECT_THAT(Problem({0, 4, 3}, {3, 4}), HasSubstr("is missing"));
  EXPECT_THAT(Problem({0, 4, 3, 2}, {}), HasSubstr("is missing"));
  EXPECT_THAT(Problem({4, 3, 2}, {3, 4}), HasSubstr("is missing"));
  // Boxes are in the wrong order.
  EXPECT_THAT(Problem({0, 3, 2, 4}, {3, 4}), HasSubstr("opposite order"));
  EXPECT_THAT(Problem({4, 0, 3, 2}, {3, 4}), HasSubstr("opposite order"));
  // A box overlaps with a better one, beside it or in its place.
  EXPECT_THAT(Problem({0, 1, 4, 3, 2}, {3, 4}), HasSubstr("is in none"));
  EXPECT_THAT(Problem({1, 4, 3, 2}, {3, 4}), HasSubstr("is in none"));
  // A score is too low, a box occurs twice, or does not exist.
  EXPECT_THAT(Problem({0, 4, 3, 2, 5}, {3, 4}), HasSubstr("is in none"));
  EXPECT_THAT(Problem({0, 4, 3, 2, 2}, {3, 4}), HasSubstr("is in none"));
  EXPECT_THAT(Problem({0, 4, 3, 2, 6}, {3, 4}), HasSubstr("is in none"));
}

}  // namespace
}  // namespace assay::suites
