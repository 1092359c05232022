#include "suites/correctness/checked_session.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/graph/testing/graph_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/measure/testing/fake_session.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

runtime::NamedTensors Value(const char* name, float value) {
  return {{name, NDArray::FromVector<float>({1}, {value})}};
}

// A session of two programs, which compute `run_` and `other_`.
class CheckedSessionTest : public testing::Test {
 protected:
  absl::StatusOr<Accuracy> Examine() {
    auto session = std::make_unique<runtime::FakeSession>(&clock_);
    session->set_inputs = [this](const runtime::NamedTensors& inputs) {
      x_ = inputs[0].value.data<float>()[0];
      asked_.push_back(x_);
      return absl::OkStatus();
    };
    session->run = [this](int, int64_t number) {
      return run_nanos_ != nullptr ? run_nanos_(x_, number)
                                   : number * nanos_(x_);
    };
    session->outputs = [this](int program) {
      return outputs_(program == 0 ? run_(x_) : other_(x_));
    };
    session_ = std::make_unique<CheckedSession>(std::move(session), examples_,
                                                CheckRule(), num_timed_);
    return session_->Examine();
  }
  // Returns what ExamineLate() says of a program whose timed runs took 1 ms.
  std::string ExamineLate(const LateExamples& late) {
    runtime::Block control;
    control.samples = {{/*program=*/0, /*number=*/10}};
    return session_->ExamineLate(late, 1e6, control).value();
  }
  // Returns the problem after some rounds.
  std::string MeasureRounds(int rounds) {
    runtime::Block block;
    block.samples = {{}};
    for (int round = 0; round < rounds; ++round) {
      EXPECT_TRUE(session_->BeginRound(round).ok());
      EXPECT_TRUE(session_->RunBlock(block).ok());
    }
    return session_->problem();
  }

  FakeClock clock_;
  float x_ = 0;
  std::function<float(float)> run_ = [](float x) { return 2 * x; };
  std::function<float(float)> other_ = run_;
  // The outputs of a program that computes `y`.
  std::function<runtime::NamedTensors(float)> outputs_ = [](float y) {
    return Value("y", y);
  };
  std::function<int64_t(float)> nanos_ = [](float) { return int64_t{1}; };
  // The time of all runs of a sample; null if each takes nanos_.
  std::function<int64_t(float, int64_t)> run_nanos_;
  std::vector<float> asked_;
  std::vector<Example> examples_ = {{Value("x", 3), Value("y", 6)},
                                    {Value("x", 5), Value("y", 10)}};
  std::optional<size_t> num_timed_;
  std::unique_ptr<CheckedSession> session_;
};

TEST_F(CheckedSessionTest, RunsEveryExampleAndChangesInputsEveryRound) {
  const auto accuracy = Examine();
  ASSERT_TRUE(accuracy.ok());
  EXPECT_TRUE(accuracy->correct);
  EXPECT_EQ(MeasureRounds(3), "");
  EXPECT_EQ(asked_, (std::vector<float>{3, 5, 3, 5, 3}));
}

TEST_F(CheckedSessionTest, TellsTheTimeOfLoading) {
  auto session = std::make_unique<runtime::FakeSession>(&clock_);
  session->load_nanos = 7;
  EXPECT_EQ(CheckedSession(std::move(session), examples_).LoadNanos().value(),
            7);
}

TEST_F(CheckedSessionTest, ExamplesThatAreNotTimedAreChecked) {
  num_timed_ = 1;
  ASSERT_TRUE(Examine()->correct);
  EXPECT_EQ(session_->num_timed_examples(), 1);
  EXPECT_EQ(MeasureRounds(3), "");
  EXPECT_EQ(asked_, (std::vector<float>{3, 5, 3}));
  run_ = [](float x) { return x == 5 ? 11 : 2 * x; };
  EXPECT_FALSE(Examine()->correct);
}

TEST_F(CheckedSessionTest, FindsAWrongAnswerToTheSecondInput) {
  run_ = [](float x) { return x == 5 ? 11 : 2 * x; };
  const auto accuracy = Examine();
  ASSERT_TRUE(accuracy.ok());
  EXPECT_FALSE(accuracy->correct);
  EXPECT_THAT(accuracy->problem, HasSubstr("is 11, the reference says 10"));
}

// Returns the sensitivity of a model whose output is `y`, or `y` plus 0.01
// because of rounding.
std::shared_ptr<RoundingSensitivity> SensitivityOf(float y) {
  const auto graph = graph::GraphFromText(
      "graph g(%x: float32[1]) -> (y=%1) { %1: float32[1] = relu(%x) }");
  return std::make_shared<RoundingSensitivity>(*graph, [y](uint64_t seed) {
    return Value("y", seed == 0 ? y : y + 0.01f);
  });
}

TEST_F(CheckedSessionTest, NoiseWidensTheBoundOfItsExample) {
  run_ = [](float x) { return x == 5 ? 10.05f : 2 * x; };
  EXPECT_FALSE(Examine()->correct);
  examples_[1].sensitivity = SensitivityOf(10);
  const auto accuracy = Examine();
  ASSERT_TRUE(accuracy.ok());
  EXPECT_TRUE(accuracy->correct);
  EXPECT_NEAR(accuracy->max_abs_error, 0.05, 1e-5);
  EXPECT_NEAR(accuracy->bound, 0.08, 1e-4);
  EXPECT_EQ(JoinRemarks(*accuracy),
            "1 of 1 elements of output `y` needed this: rounding alone changes "
            "1 of 1 elements by up to 1.0e-02, so errors of up to 8.0e-02 "
            "instead of 1.0e-03 are allowed");
  // The noise of one example does not excuse the other.
  run_ = [](float x) { return x == 3 ? 6.05f : 2 * x; };
  EXPECT_FALSE(Examine()->correct);
}

TEST_F(CheckedSessionTest, NoiseWidensTheBoundOfALateExample) {
  run_ = [](float x) { return x == 11 ? 22.05f : 2 * x; };
  ASSERT_TRUE(Examine().ok());
  Example late = {Value("x", 11), Value("y", 22)};
  const auto examine = [&] {
    return ExamineLate([&](int64_t) { return late; });
  };
  EXPECT_THAT(examine(), HasSubstr("on an input that was not timed: "));
  late.sensitivity = SensitivityOf(22);
  EXPECT_EQ(examine(), "");
}

// The inputs 11, 12 and so on, of which the first has an answer.
Example Late(int64_t index) {
  const float x = 11 + static_cast<float>(index);
  return {Value("x", x),
          index == 0 ? Value("y", 2 * x) : runtime::NamedTensors()};
}

TEST_F(CheckedSessionTest, OneLateRunMustTakeTheUsualTime) {
  nanos_ = [](float x) { return x < 13 ? 3'000'000 : 1'000'000; };
  ASSERT_TRUE(Examine().ok());
  asked_.clear();
  EXPECT_EQ(ExamineLate(Late), "");
  // Controls on the first example follow slow runs.
  EXPECT_EQ(asked_, (std::vector<float>{11, 3, 12, 3, 13, 3}));
}

TEST_F(CheckedSessionTest, FindsThatAllLateRunsTakeLonger) {
  nanos_ = [](float x) { return x > 10 ? 3'000'000 : 1'000'000; };
  ASSERT_TRUE(Examine().ok());
  asked_.clear();
  EXPECT_THAT(ExamineLate(Late),
              HasSubstr("a run takes 3.000 ms on a new input, but 1.000 ms "
                        "when it is repeated"));
  EXPECT_THAT(asked_, SizeIs(2 * kMaxLateRuns));
}

// Another process began to use the processors after the program was timed.
TEST_F(CheckedSessionTest, AllRunsMayTakeLonger) {
  nanos_ = [](float x) { return x > 10 ? 3'500'000 : 3'000'000; };
  ASSERT_TRUE(Examine().ok());
  asked_.clear();
  EXPECT_EQ(ExamineLate(Late), "");
  EXPECT_THAT(asked_, SizeIs(2 * kMinControls + 2));
}

TEST_F(CheckedSessionTest, AMachineCannotBecomeArbitrarilyBusy) {
  nanos_ = [](float) { return 20'000'000; };
  ASSERT_TRUE(Examine().ok());
  EXPECT_THAT(ExamineLate(Late), HasSubstr("a run takes 20.000 ms"));
}

TEST_F(CheckedSessionTest, ControlsAreChecked) {
  bool late = false;
  nanos_ = [](float) { return 3'000'000; };
  run_ = [&](float x) {
    late = late || x > 10;
    return late && x < 10 ? 0 : 2 * x;
  };
  ASSERT_TRUE(Examine()->correct);
  EXPECT_THAT(ExamineLate(Late), HasSubstr("differs from that of the first"));
}

// The program computes only in the first run of each sample. Timed runs were
// fast because a sample had ten of them, and so are controls.
TEST_F(CheckedSessionTest, FindsThatRunsOfASampleAreSkipped) {
  ASSERT_TRUE(Examine().ok());
  run_nanos_ = [](float, int64_t) { return 5'000'000; };
  // The checked run of a sample divides it into two parts.
  EXPECT_THAT(ExamineLate(Late), HasSubstr("a run takes 5.000 ms on a new "
                                           "input, but 1.000 ms"));
}

TEST_F(CheckedSessionTest, FindsAWrongAnswerToALateInput) {
  run_ = [](float x) { return x == 11 ? 6 : 2 * x; };
  ASSERT_TRUE(Examine().ok());
  EXPECT_THAT(ExamineLate(Late), HasSubstr("on an input that was not timed: "));
}

TEST_F(CheckedSessionTest, ReportsTheLargestError) {
  run_ = [](float x) { return x == 3 ? 6.0001f : 2 * x; };
  EXPECT_NEAR(Examine()->max_abs_error, 1e-4, 1e-6);
  run_ = [](float x) { return x == 5 ? 10.0001f : 2 * x; };
  EXPECT_NEAR(Examine()->max_abs_error, 1e-4, 1e-6);
}

// The first example has no error, so its accuracy is that of the integer
// output, whose bound is 0.
TEST_F(CheckedSessionTest, ReportsAnErrorAfterAnExampleWithTheBoundZero) {
  outputs_ = [](float y) {
    return runtime::NamedTensors{{"n", NDArray::FromVector<int64_t>({1}, {7})},
                                 {"y", NDArray::FromVector<float>({1}, {y})}};
  };
  examples_ = {{Value("x", 3), outputs_(6)}, {Value("x", 5), outputs_(10)}};
  run_ = [](float x) { return x == 5 ? 10.0001f : 2 * x; };
  const auto accuracy = Examine();
  ASSERT_TRUE(accuracy.ok());
  EXPECT_TRUE(accuracy->correct);
  EXPECT_NEAR(accuracy->max_abs_error, 1e-4, 1e-6);
  EXPECT_GT(accuracy->bound, 0);
}

TEST_F(CheckedSessionTest, JoinsDifferentRemarks) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  run_ = [&](float x) { return x == 5 ? infinity : nan; };
  examples_ = {{Value("x", 3), Value("y", nan)},
               {Value("x", 4), Value("y", nan)},
               {Value("x", 5), Value("y", infinity)}};
  const auto accuracy = Examine();
  ASSERT_TRUE(accuracy.ok());
  EXPECT_EQ(JoinRemarks(*accuracy),
            "output `y` has no finite element: it is 1 NaN, as in the "
            "reference; output `y` has no finite element: it is 1 inf, as in "
            "the reference");
}

TEST_F(CheckedSessionTest, ProgramsAreCheckedSeparately) {
  other_ = [](float x) { return 2 * x + 1e-6f; };
  ASSERT_TRUE(Examine()->correct);
  ASSERT_TRUE(session_->Examine(/*program=*/1)->correct);
  runtime::Block block;
  block.samples = {{/*program=*/0}, {/*program=*/1}};
  ASSERT_TRUE(session_->RunBlock(block).ok());
  EXPECT_EQ(session_->problem(0), "");
  EXPECT_EQ(session_->problem(1), "");
  other_ = run_;
  ASSERT_TRUE(session_->RunBlock(block).ok());
  EXPECT_EQ(session_->problem(0), "");
  EXPECT_NE(session_->problem(1), "");
}

TEST_F(CheckedSessionTest, RejectsAnAnswerKeptFromAnEarlierRound) {
  ASSERT_TRUE(Examine()->correct);
  float kept = 0;
  run_ = [&](float x) { return kept == 0 ? kept = 2 * x : kept; };
  EXPECT_EQ(MeasureRounds(1), "");
  EXPECT_THAT(MeasureRounds(2),
              HasSubstr("differs from that of the first run"));
}

TEST_F(CheckedSessionTest, RejectsCorrectAnswerWithDifferentBits) {
  ASSERT_TRUE(Examine()->correct);
  run_ = [](float x) { return 2 * x + 1e-6f; };
  EXPECT_NE(MeasureRounds(1), "");
}

}  // namespace
}  // namespace assay::suites
