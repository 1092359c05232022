#include "suites/correctness/rounding_sensitivity.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/graph/testing/graph_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "suites/correctness/comparators.h"
#include "suites/correctness/oracle.h"

namespace assay::suites {
namespace {

using runtime::NamedTensors;
using testing::AllOf;
using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::Gt;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Lt;
using testing::SizeIs;

// Interprets a model, and counts the runs.
class RoundingSensitivityTest : public ::testing::Test {
 protected:
  std::unique_ptr<RoundingSensitivity> NoiseOf(const char* graph,
                                               NamedTensors inputs) {
    model_.graph = graph::GraphFromText(graph);
    inputs_ = std::move(inputs);
    return std::make_unique<RoundingSensitivity>(
        *model_.graph, [this](uint64_t seed) {
          ++runs_;
          return oracle_.Outputs(model_, inputs_, seed);
        });
  }
  // Returns the outputs without noise.
  NamedTensors Reference() {
    return oracle_.Reference(model_, inputs_).value();
  }

  InterpreterOracle oracle_{/*folder=*/"", /*version=*/""};
  Model model_;
  NamedTensors inputs_;
  int runs_ = 0;
};

// The variance as a difference of two nearly equal numbers, and a plain sum.
TEST_F(RoundingSensitivityTest, IsLargeWhereDigitsCancel) {
  NDArray x(DType::Float32(), {64});
  for (int i = 0; i < 64; ++i) {
    x.data<float>()[i] = 1000.0f + static_cast<float>(i % 2) * 0.01f;
  }
  const auto noise = NoiseOf(R"(
      graph g(%x: float32[64]) -> (%5, %6) {
        %1: float32[] = reduce_mean(%x) {axes=[0]}
        %2: float32[64] = multiply(%x, %x)
        %3: float32[] = reduce_mean(%2) {axes=[0]}
        %4: float32[] = multiply(%1, %1)
        %5: float32[] = subtract(%3, %4)
        %6: float32[64] = add(%x, %x)
      })",
                             {{"x", x}});
  // The variance is 2.5e-5; neighbours of 1e6 have a distance of 0.06. A plain
  // sum has one result.
  EXPECT_THAT(noise->Measure().value(),
              ElementsAre(ElementsAre(Ge(0.03)), IsEmpty()));
  EXPECT_EQ(runs_, 4);
}

TEST_F(RoundingSensitivityTest, MeasuresOutputsIn16Bits) {
  NDArray x(DType::Float32(), {1000});
  for (float& value : x.data<float>()) value = 0.75f;
  const auto noise = NoiseOf(R"(
      graph g(%x: float32[1000]) -> (%2) {
        %1: float16[1000] = cast(%x) {dtype=float16}
        %2: float16[1000] = add(%1, %1)
      })",
                             {{"x", x}});
  // One unit in the last place of 1.5, and no more than a few.
  const OutputNoise changes = noise->Measure().value()[0];
  EXPECT_GE(changes.at(0), 0x1p-10);
  EXPECT_LE(changes.at(0), 4 * 0x1p-10);
  EXPECT_THAT(changes, SizeIs(AllOf(Gt(100), Lt(700))));
}

// The two largest scores are equal sums of 64 terms.
class TieTest : public RoundingSensitivityTest {
 protected:
  void SetUp() override {
    NDArray x(DType::Float32(), {4, 64});
    for (int i = 0; i < 256; ++i) {
      const float rows[] = {1, 3, 3, 2};
      x.data<float>()[i] = rows[i / 64];
    }
    noise_ = NoiseOf(R"(
        graph g(%x: float32[4,64]) -> (scores=%3, labels=%2) {
          %1: float32[4] = reduce_sum(%x) {axes=[1]}
          %2: int64[3] = arg_sort(%1) {axis=0, k=3, descending=true}
          %3: float32[3] = gather(%1, %2) {axis=0}
        })",
                     {{"x", x}});
  }
  static NamedTensors Outputs(std::vector<float> scores,
                              std::vector<int64_t> labels) {
    const auto n = static_cast<int64_t>(scores.size());
    return {{"scores", NDArray::FromVector<float>({n}, scores)},
            {"labels", NDArray::FromVector<int64_t>({n}, labels)}};
  }
  // Returns the noise if the outputs are `exact` without noise, and `noisy`
  // with any noise.
  std::unique_ptr<RoundingSensitivity> Between(NamedTensors exact,
                                               NamedTensors noisy) const {
    return std::make_unique<RoundingSensitivity>(
        *model_.graph,
        [exact = std::move(exact), noisy = std::move(noisy)](uint64_t seed) {
          return absl::StatusOr<NamedTensors>(seed == 0 ? exact : noisy);
        });
  }
  Accuracy Check(const NamedTensors& outputs) {
    return AcceptOutputs({outputs, Reference(), CheckRule(), noise_.get()})
        .value();
  }

  std::unique_ptr<RoundingSensitivity> noise_;
};

TEST_F(TieTest, NothingIsRunIfOutputsAgree) {
  EXPECT_TRUE(Check(Outputs({192, 192, 128}, {1, 2, 3})).correct);
  EXPECT_EQ(runs_, 0);
}

TEST_F(TieTest, EitherDecisionIsCorrect) {
  const Accuracy accuracy = Check(Outputs({192, 192, 128}, {2, 1, 3}));
  EXPECT_TRUE(accuracy.correct) << accuracy.problem;
  EXPECT_EQ(JoinRemarks(accuracy),
            "2 rows of `scores`, `labels` differ, each by a near tie");
  EXPECT_LE(runs_, 13);
}

TEST_F(TieTest, OtherOutputsAreWrong) {
  EXPECT_FALSE(Check(Outputs({192, 192, 128}, {2, 1, 0})).correct);
  EXPECT_FALSE(Check(Outputs({192, 193, 128}, {2, 1, 3})).correct);
  EXPECT_FALSE(Check(Outputs({128, 192, 192}, {3, 1, 2})).correct);
  EXPECT_LE(runs_, 13);
  const int runs = runs_;
  EXPECT_FALSE(Check(Outputs({1, 2, 3}, {0, 0, 0})).correct);
  EXPECT_EQ(runs_, runs);
}

// If labels change, the differences of scores are not those of rounding.
TEST_F(TieTest, MovedRowsDoNotWidenBounds) {
  const RoundingSensitivity::Interpret swap = [](uint64_t seed) {
    return seed == 0 ? Outputs({192, 191, 128}, {1, 2, 3})
                     : Outputs({191, 192, 128}, {2, 1, 3});
  };
  RoundingSensitivity noise(*model_.graph, swap);
  EXPECT_THAT(noise.Measure().value(), ElementsAre(IsEmpty(), IsEmpty()));
  const Accuracy accuracy =
      AcceptOutputs({Outputs({192, 190, 128}, {1, 2, 3}),
                     Outputs({192, 191, 128}, {1, 2, 3}), CheckRule(), &noise})
          .value();
  EXPECT_FALSE(accuracy.correct);
  EXPECT_THAT(accuracy.problem, HasSubstr("element 1 of output `scores`"));
}

// Noise exchanges the first two rows, and changes all scores by about 0.01. The
// default bound of the scores is 0.0192.
class MovedRowsTest : public TieTest {
 protected:
  // Returns the noise of the scores. Integers have none.
  OutputNoise Measure(NamedTensors exact, NamedTensors noisy) const {
    const std::vector<OutputNoise> noise =
        Between(std::move(exact), std::move(noisy))->Measure().value();
    EXPECT_THAT(noise, SizeIs(2));
    EXPECT_THAT(noise[1], IsEmpty());
    return noise[0];
  }
  // Returns an empty string if the outputs are correct.
  std::string Problem(const NamedTensors& outputs) const {
    const auto noise = Between(exact_, noisy_);
    return AcceptOutputs({outputs, exact_, CheckRule(), noise.get()})
        .value()
        .problem;
  }

  const NamedTensors exact_ = Outputs({192, 191.995f, 128}, {1, 2, 3});
  const NamedTensors noisy_ = Outputs({192.005f, 191.99f, 128.01f}, {2, 1, 3});
};

TEST_F(MovedRowsTest, NoiseIsTheChangeOfMatchedRows) {
  EXPECT_THAT(Measure(exact_, noisy_),
              AllOf(SizeIs(3), Each(DoubleNear(0.01, 1e-4))));
}

TEST_F(MovedRowsTest, NoiseOfMatchedRowsWidensBounds) {
  EXPECT_EQ(Problem(Outputs({192.05f, 192, 128}, {2, 1, 3})), "");
  EXPECT_EQ(Problem(Outputs({192.05f, 191.995f, 128.05f}, {1, 2, 3})), "");
}

TEST_F(MovedRowsTest, RowsThatMoveByMuchMoreThanTheirNoiseAreWrong) {
  EXPECT_THAT(Problem(Outputs({192.2f, 192, 128}, {2, 1, 3})),
              HasSubstr("row 0 is in none"));
  EXPECT_THAT(Problem(Outputs({192.05f, 192, 127.8f}, {2, 1, 3})),
              HasSubstr("row 2 is in none"));
}

TEST_F(MovedRowsTest, OtherLabelsAreWrong) {
  EXPECT_THAT(Problem(Outputs({192.05f, 192, 128}, {2, 1, 4})),
              HasSubstr("row 2 is in none"));
  EXPECT_THAT(Problem(Outputs({192.05f, 192, 128}, {2, 3, 1})),
              HasSubstr("row 1 is in none"));
}

TEST_F(MovedRowsTest, RowsWithoutAMatchSayNothing) {
  const NamedTensors exact = Outputs({192, 191, 128}, {1, 2, 3});
  // The third row changes by more than rows are matched.
  const NamedTensors changed = Outputs({191, 192, 127.5f}, {2, 1, 3});
  EXPECT_THAT(Measure(exact, changed), IsEmpty());
  // The second row is missing.
  const NamedTensors missing = Outputs({192, 128.0078125f}, {1, 3});
  EXPECT_THAT(Measure(exact, missing), Each(0.0078125));
}

TEST_F(MovedRowsTest, BoundsAreAtMostTenTimesAsWide) {
  // All scores change by 0.125.
  const NamedTensors exact = Outputs({192, 191, 128}, {1, 2, 3});
  const NamedTensors noisy = Outputs({191.125f, 191.875f, 127.875f}, {2, 1, 3});
  OutputRule rule;
  rule.noise = Measure(exact, noisy);
  EXPECT_LT(rule.noise.at(0), 0.025);
  EXPECT_NEAR(Tolerance(exact[0].value, rule).Allowed(0), 0.192, 1e-6);
}

TEST_F(MovedRowsTest, NeitherPaddingNorSingleRowsDecideAboutTheNoise) {
  // Two rows change by 2^-4 and 18 rows by 2^-9. Padding follows.
  std::vector<float> exact(300), noisy(300);
  std::vector<int64_t> labels(300), swapped(300);
  for (int i = 0; i < 20; ++i) {
    exact[i] = 100.0f - static_cast<float>(i);
    noisy[i] = exact[i] + (i < 2 ? 0x1p-4f : 0x1p-9f);
    labels[i] = swapped[i] = i + 1;
  }
  std::swap(noisy[5], noisy[6]);
  std::swap(swapped[5], swapped[6]);
  EXPECT_THAT(Measure(Outputs(exact, labels), Outputs(noisy, swapped)),
              AllOf(SizeIs(300), Each(0x1p-9)));
}

TEST_F(TieTest, ErrorsOfTheInterpreterAreReturned) {
  RoundingSensitivity noise(*model_.graph, [](uint64_t) {
    return absl::StatusOr<NamedTensors>(absl::InternalError("no memory"));
  });
  EXPECT_EQ(noise.Measure().status().message(), "no memory");
  EXPECT_EQ(
      AcceptOutputs({{}, Reference(), CheckRule(), &noise}).status().message(),
      "no memory");
}

}  // namespace
}  // namespace assay::suites
