#include "suites/correctness/comparators.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/substitute.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "suites/correctness/oracle.h"

namespace assay::suites {
namespace {

using runtime::NamedTensors;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

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

// Returns the problem of outputs that no comparator accepts, as the last one
// that applies describes it.
std::string LastProblem(const CheckRule& rule,
                        RoundingSensitivity* sensitivity) {
  const NamedTensors outputs = Outputs({1, 3}), expected = Outputs({1, 2});
  return AcceptOutputs({outputs, expected, rule, sensitivity}).value().problem;
}

TEST(ComparatorsTest, TheModelDecidesWhichApply) {
  RoundingSensitivity sum = SensitivityOf(kSum);
  RoundingSensitivity sorted = SensitivityOf(kSorted);
  CheckRule in_steps(1);
  in_steps[0].in_steps = true;
  const auto bounds = HasSubstr("element 1 of output `y` is 3");
  const auto noise = HasSubstr("rounding alone changes 1 of 2 elements");
  const auto ties = HasSubstr("compared by rows of `y`, row 1 is in none");
  EXPECT_THAT(LastProblem({}, nullptr), AllOf(bounds, Not(noise), Not(ties)));
  EXPECT_THAT(LastProblem({}, &sum), AllOf(bounds, noise, Not(ties)));
  EXPECT_THAT(LastProblem({}, &sorted), AllOf(bounds, noise, ties));
  EXPECT_THAT(LastProblem(in_steps, &sorted), AllOf(bounds, noise, Not(ties)));
}

TEST(ComparatorsTest, TheFirstThatAcceptsDecides) {
  const NamedTensors expected = Outputs({1, 2});
  RoundingSensitivity sum = SensitivityOf(kSum);
  const auto accept = [&](float second) {
    const NamedTensors outputs = Outputs({1, second});
    return AcceptOutputs({outputs, expected, {}, &sum}).value();
  };
  EXPECT_THAT(accept(2.0001f).remarks, IsEmpty());
  EXPECT_THAT(accept(2.005f).remarks, Not(IsEmpty()));
  EXPECT_TRUE(accept(2.005f).correct);
  EXPECT_FALSE(accept(2.02f).correct);
}

// Selects boxes of two classes by their scores, which are means of 64 equal
// terms. Boxes 0 and 1 overlap by 0.8, above the threshold, and no others do.
class DetectionsTest : public ::testing::Test {
 protected:
  // Rounding decides two near ties: the order of boxes 3 and 4 in class 0, and
  // whether box 1 passes the threshold of the score in class 1.
  DetectionsTest() {
    Load(/*most=*/6, {0.9f, 0.89f, 0.5f, 0.7f, 0.7f, 0.1f,  //
                      0.1f, 0.3f, 0.1f, 0.6f, 0.4f, 0.1f});
  }

  // Selects at most `most` boxes of each class. `scores` are those of the boxes
  // of class 0, followed by those of class 1.
  void Load(int64_t most, const std::vector<float>& scores) {
    model_.graph = graph::GraphFromText(absl::Substitute(
        R"(
        graph g(%b: float32[1,6,4], %s: float32[1,2,6,64])
            -> (scores=%1, detections=%2 {axis=0, extent=%2.1}) {
          %1: float32[1,2,6] = reduce_mean(%s) {axes=[3]}
          %2: (int64[$0,3], int64[]) = non_max_suppression(%b, %1) {most=$1, iou_threshold=0.6, score_threshold=0.3}
        })",
        2 * most, most));
    const std::vector<float> boxes = {0, 0, 1, 1, 1, 0.8f, 0, 0, 2, 2, 3, 3,
                                      4, 4, 5, 5, 6, 6,    7, 7, 8, 8, 9, 9};
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

// Rounding decides which of the boxes 3 and 4 is the only one of class 0. The
// box of class 1 does not depend on it.
TEST_F(DetectionsTest, OneBoxOfAClassIsEitherOfANearTie) {
  Load(/*most=*/1, {0.1f, 0.1f, 0.5f, 0.7f, 0.7f, 0.1f,  //
                    0.1f, 0.3f, 0.1f, 0.6f, 0.4f, 0.1f});
  EXPECT_THAT(Problem({3}, {3}), IsEmpty());
  EXPECT_THAT(Problem({4}, {3}), IsEmpty());
  EXPECT_THAT(Problem({2}, {3}), HasSubstr("is in none"));
  EXPECT_THAT(Problem({3}, {4}), HasSubstr("is in none"));
  EXPECT_THAT(Problem({4}, {}), HasSubstr("is missing"));
  EXPECT_THAT(Problem({4, 4}, {3}), HasSubstr("is in none"));
  // With both boxes, less than half of the rows are determined.
  EXPECT_THAT(Problem({3, 4}, {3}), HasSubstr("too many for a check"));
  // That neither box is selected is not found, as near_ties.h says.
  EXPECT_THAT(Problem({}, {3}), IsEmpty());
}

}  // namespace
}  // namespace assay::suites
