#include "suites/correctness/checked_session.h"

#include <functional>
#include <memory>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

runtime::NamedTensors Value(const char* name, float value) {
  return {{name, NDArray::FromVector<float>({1}, {value})}};
}

// What the session does, and what it was asked.
struct Script {
  float x = 3;
  std::function<float(float)> evaluate = [](float x) { return 2 * x; };
  std::function<float(float)> measure = evaluate;
  std::vector<float> asked;
};

class FakeSession : public Session {
 public:
  explicit FakeSession(Script* script) : script_(script) {}
  int threads() const override { return 1; }
  absl::Status SetInputs(const runtime::NamedTensors& inputs) override {
    script_->x = inputs[0].value.data<float>()[0];
    script_->asked.push_back(script_->x);
    return absl::OkStatus();
  }
  absl::StatusOr<runtime::NamedTensors> Evaluate() override {
    return Value("y", script_->evaluate(script_->x));
  }
  absl::StatusOr<Measurement> Measure(const devices::TimingPolicy&) override {
    return Measurement{{1}, Value("y", script_->measure(script_->x))};
  }

 private:
  Script* const script_;
};

class CheckedSessionTest : public testing::Test {
 protected:
  absl::StatusOr<Accuracy> Examine() {
    script_.x = 3;
    session_ = std::make_unique<CheckedSession>(
        std::make_unique<FakeSession>(&script_), examples_, std::nullopt);
    return session_->Examine();
  }
  // What is wrong after some rounds.
  std::string MeasureRounds(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      EXPECT_TRUE(session_->BeginRound(round).ok());
      EXPECT_TRUE(session_->Measure({}).ok());
    }
    return session_->problem();
  }

  Script script_;
  const std::vector<Example> examples_ = {{Value("x", 3), Value("y", 6)},
                                          {Value("x", 5), Value("y", 10)}};
  std::unique_ptr<CheckedSession> session_;
};

TEST_F(CheckedSessionTest, AsksEveryExampleAndChangesInputsEveryRound) {
  const auto accuracy = Examine();
  ASSERT_TRUE(accuracy.ok());
  EXPECT_TRUE(accuracy->correct);
  EXPECT_EQ(MeasureRounds(3), "");
  EXPECT_EQ(script_.asked, (std::vector<float>{3, 5, 3, 5, 3}));
}

TEST_F(CheckedSessionTest, WrongForTheSecondInputIsWrong) {
  script_.evaluate = [](float x) { return x == 5 ? 11 : 2 * x; };
  const auto accuracy = Examine();
  ASSERT_TRUE(accuracy.ok());
  EXPECT_FALSE(accuracy->correct);
  EXPECT_THAT(accuracy->problem, HasSubstr("is 11, the reference says 10"));
}

TEST_F(CheckedSessionTest, TheWorstAnswerIsReported) {
  script_.evaluate = [](float x) { return x == 3 ? 6.0001f : 2 * x; };
  EXPECT_NEAR(Examine()->max_abs_error, 1e-4, 1e-6);
  script_.evaluate = [](float x) { return x == 5 ? 10.0001f : 2 * x; };
  EXPECT_NEAR(Examine()->max_abs_error, 1e-4, 1e-6);
}

TEST_F(CheckedSessionTest, AnotherSessionMayAskInTheSameMemory) {
  ASSERT_TRUE(Examine()->correct);
  EXPECT_EQ(MeasureRounds(1), "");
  script_.x = 5;
  EXPECT_EQ(MeasureRounds(1), "");
}

TEST_F(CheckedSessionTest, AnAnswerFromMemoryIsFoundOut) {
  ASSERT_TRUE(Examine()->correct);
  float kept = 0;
  script_.measure = [&](float x) { return kept == 0 ? kept = 2 * x : kept; };
  EXPECT_EQ(MeasureRounds(1), "");
  EXPECT_THAT(MeasureRounds(2), HasSubstr("is not that of the first run"));
}

TEST_F(CheckedSessionTest, AnAnswerThatIsRightYetNotTheSameBitsIsFoundOut) {
  ASSERT_TRUE(Examine()->correct);
  script_.measure = [](float x) { return 2 * x + 1e-6f; };
  EXPECT_NE(MeasureRounds(1), "");
}

}  // namespace
}  // namespace assay::suites
