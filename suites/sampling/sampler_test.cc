#include "suites/sampling/sampler.h"

#include <cmath>
#include <string>

#include "gtest/gtest.h"
#include "runtime/measure/testing/fake_session.h"

namespace assay::suites {
namespace {

// A session of programs 0, 1, 2 that take `nanos_[program]` per run and log
// `a`, `b`, `c` for each sample, or a dot for a single run if `dots_` is set.
class SamplerTest : public testing::Test {
 protected:
  SamplerTest() {
    session_.run = [this](int program, int64_t number) -> int64_t {
      log_.push_back(number == 1 && dots_ ? '.'
                                          : static_cast<char>('a' + program));
      runs_ += number;
      return nanos_[program] * number;
    };
  }
  Contender C(int program, double extra_work = 0) {
    return {std::string(1, static_cast<char>('a' + program)), &session_,
            program, extra_work};
  }

  FakeClock clock_;
  runtime::FakeSession session_{&clock_};
  std::vector<int64_t> nanos_ = {10, 11, 500};
  bool dots_ = true;
  int64_t runs_ = 0;
  std::string log_;
  SamplingOptions options_;
};

TEST_F(SamplerTest, RunsContendersEquallyOftenInABalancedOrder) {
  options_.sample_nanos = 1000;
  Sampler sampler({C(0), C(1)}, options_, &clock_);
  ASSERT_TRUE(sampler.RunBlock().ok());
  EXPECT_EQ(sampler.number(0), 100);
  EXPECT_EQ(sampler.number(1), 100);
  EXPECT_EQ(sampler.rounds(), 2);
  int b_first = 0;
  for (int i = 0; i < 20; ++i) {
    log_.clear();
    ASSERT_TRUE(sampler.RunBlock().ok());
    // A run that is not timed precedes each sample.
    EXPECT_TRUE(log_ == ".a.b.b.a" || log_ == ".b.a.a.b") << log_;
    b_first += log_ == ".b.a.a.b" ? 1 : 0;
  }
  EXPECT_GT(b_first, 3);
  EXPECT_LT(b_first, 17);
  ASSERT_EQ(sampler.LogRatios(1).size(), 42u);
  for (const double ratio : sampler.LogRatios(1)) {
    EXPECT_NEAR(ratio, std::log(1.1), 1e-12);
  }
  EXPECT_EQ(sampler.LogRatios(1, 40).size(), 2u);
  EXPECT_EQ(sampler.samples_ns(0)[7], 10);
  EXPECT_EQ(sampler.spent_nanos(), clock_.NowNanos());
}

TEST_F(SamplerTest, AllContendersUseTheRoundedNumberOfTheFirst) {
  options_.sample_nanos = 1000;
  options_.number_multiple = 40;
  Sampler sampler({C(0), C(2)}, options_, &clock_);
  ASSERT_TRUE(sampler.RunBlock().ok());
  // 100 is halfway between 80 and 120.
  EXPECT_EQ(sampler.number(0), 120);
  EXPECT_EQ(sampler.number(1), 120);
}

TEST_F(SamplerTest, EachContenderMayHaveItsOwnNumber) {
  options_.sample_nanos = 1000;
  options_.same_number = false;
  nanos_ = {10, 5000};
  Sampler sampler({C(0), C(1)}, options_, &clock_);
  ASSERT_TRUE(sampler.RunRounds(5).ok());
  EXPECT_EQ(sampler.number(0), 100);
  EXPECT_EQ(sampler.samples_ns(0), std::vector<double>(5, 10.0));
  EXPECT_EQ(sampler.number(1), 1);
  EXPECT_EQ(sampler.samples_ns(1), std::vector<double>(5, 5000.0));
}

TEST_F(SamplerTest, SamplesOfFewRunsHaveNoWarmup) {
  nanos_ = {5'000'000, 5'000'000};
  Sampler sampler({C(0), C(1)}, options_, &clock_);
  ASSERT_TRUE(sampler.RunBlock().ok());
  EXPECT_EQ(sampler.number(0), 1);
  runs_ = 0;
  ASSERT_TRUE(sampler.RunBlock().ok());
  EXPECT_EQ(runs_, 4);
}

TEST_F(SamplerTest, ChoiceOfTheNumberIgnoresADisturbedRun) {
  options_.sample_nanos = 1000;
  session_.run = [&](int, int64_t number) -> int64_t {
    return runs_++ < 2 ? 100'000 : 100 * number;
  };
  Sampler sampler({C(0)}, options_, &clock_);
  ASSERT_TRUE(sampler.RunBlock().ok());
  EXPECT_EQ(sampler.number(0), 10);
}

TEST_F(SamplerTest, WarmsUpForTheGivenTime) {
  options_.number = 2;
  options_.warmup_nanos = 35;
  options_.min_number_for_warmup = 1;
  Sampler sampler({C(0)}, options_, &clock_);
  ASSERT_TRUE(sampler.RunRounds(1).ok());
  EXPECT_EQ(log_, "....a");
}

TEST_F(SamplerTest, GivenNumberIsNotChosenAndFirstSamplesWarmUpLonger) {
  options_.number = 1;
  options_.first_warmup_runs = 3;
  options_.min_number_for_warmup = 1;
  options_.min_sample_nanos = 0;
  Sampler sampler({C(0), C(1)}, options_, &clock_);
  ASSERT_TRUE(sampler.RunRounds(20).ok());
  EXPECT_EQ(sampler.samples_ns(0), std::vector<double>(20, 10));
  EXPECT_EQ(sampler.samples_ns(1), std::vector<double>(20, 11));
  EXPECT_EQ(runs_, 2 * (3 + 1) + 2 * 19 * (1 + 1));
}

TEST_F(SamplerTest, NumberThatGrowsToTheMinimumTimeStays) {
  options_.number = 1;
  options_.min_sample_nanos = 1000;
  options_.min_number_for_warmup = 1000;
  options_.first_warmup_runs = 0;
  Sampler sampler({C(0)}, options_, &clock_);
  ASSERT_TRUE(sampler.RunRounds(3).ok());
  EXPECT_EQ(sampler.number(0), 101);
  EXPECT_EQ(runs_, 1 + 3 * 101);
  EXPECT_EQ(sampler.samples_ns(0), std::vector<double>(3, 10));
}

TEST_F(SamplerTest, PausesBeforeEachSample) {
  options_.number = 10;
  options_.cooldown_nanos = 1'000'000;
  Sampler sampler({C(0), C(1)}, options_, &clock_);
  ASSERT_TRUE(sampler.RunRounds(4).ok());
  EXPECT_GE(clock_.NowNanos(), 8'000'000);
  EXPECT_EQ(sampler.samples_ns(0), std::vector<double>(4, 10));
}

TEST_F(SamplerTest, ExtraWorkMakesAContenderSlower) {
  options_.sample_nanos = 1000;
  options_.number_multiple = 50;
  Sampler sampler({C(0), C(0, 0.02)}, options_, &clock_);
  ASSERT_TRUE(sampler.RunBlock().ok());
  EXPECT_EQ(sampler.number(1), 100);
  for (const double ratio : sampler.LogRatios(1)) {
    EXPECT_NEAR(ratio, std::log(1.02), 1e-12);
  }
}

TEST_F(SamplerTest, CallsBeginRoundAndSettle) {
  dots_ = false;
  options_.number = 2;
  options_.first_warmup_runs = 0;
  options_.begin_round = [&](int64_t round) {
    log_ += std::to_string(round);
    return absl::OkStatus();
  };
  options_.settle = [&] { log_ += 's'; };
  Sampler sampler({C(0)}, options_, &clock_);
  ASSERT_TRUE(sampler.RunRounds(3).ok());
  EXPECT_EQ(log_, "0sa1sa2sa");
}

// Counts the blocks that are requested.
class CountingSession : public runtime::Session {
 public:
  runtime::DeviceFacts facts() const override { return {}; }
  int threads() const override { return 1; }
  absl::Status SetInputs(const runtime::NamedTensors&) override {
    return absl::OkStatus();
  }
  absl::StatusOr<std::vector<runtime::Sample>> RunBlock(
      const runtime::Block& block) override {
    ++blocks;
    std::vector<runtime::Sample> samples;
    for (const runtime::SampleSpec& spec : block.samples) {
      samples.push_back({spec.number, spec.number, {}});
    }
    return samples;
  }
  int blocks = 0;
};

TEST_F(SamplerTest, CombinesConsecutiveSamplesOfASession) {
  CountingSession session;
  options_.number = 1;
  Sampler pair({{"a", &session, 0}, {"b", &session, 1}}, options_, &clock_);
  ASSERT_TRUE(pair.RunRounds(6).ok());
  EXPECT_EQ(session.blocks, 6);
  options_.settle = [] {};
  Sampler settled({{"a", &session, 0}, {"b", &session, 1}}, options_, &clock_);
  ASSERT_TRUE(settled.RunRounds(6).ok());
  EXPECT_EQ(session.blocks, 6 + 12);
}

TEST_F(SamplerTest, ReturnsErrorsAndRejectsAStoppedClock) {
  session_.run = [](int program, int64_t) -> absl::StatusOr<int64_t> {
    if (program == 0) return 1;
    return absl::UnavailableError("gone");
  };
  EXPECT_EQ(Sampler({C(0), C(1)}, {}, &clock_).RunBlock().message(), "gone");
  nanos_ = {0, 1};
  session_.run = [](int, int64_t) { return 0; };
  EXPECT_TRUE(absl::IsFailedPrecondition(
      Sampler({C(0), C(1)}, {}, &clock_).RunBlock()));
}

}  // namespace
}  // namespace assay::suites
