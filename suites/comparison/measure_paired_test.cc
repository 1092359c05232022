#include "suites/comparison/measure_paired.h"

#include <memory>
#include <utility>

#include "gtest/gtest.h"
#include "runtime/base/random.h"
#include "runtime/measure/testing/fake_session.h"

namespace assay::suites {
namespace {

// Measures programs that take `ms[program]` per run, with noise of 5 %, on a
// fake clock.
class MeasurePairedTest : public testing::Test {
 protected:
  Contender Taking(double ms, uint64_t seed) {
    sessions_.push_back(std::make_unique<runtime::FakeSession>(&clock_));
    sessions_.back()->run = [ms, rng = Rng(seed)](int, int64_t number) mutable {
      return static_cast<int64_t>(ms * rng.UniformFloat(0.95f, 1.05f) *
                                  static_cast<double>(number) * 1e6);
    };
    return {"", sessions_.back().get()};
  }

  FakeClock clock_;
  std::vector<std::unique_ptr<runtime::FakeSession>> sessions_;
};

TEST_F(MeasurePairedTest, EndsWhenTheVerdictIsFinal) {
  const Contender base = Taking(10, 1), same = Taking(10, 2),
                  slow = Taking(11, 3);
  PairedLimits limits;
  limits.budget = {600};
  std::vector<int64_t> rounds;
  limits.begin_round = [&](int64_t round) {
    rounds.push_back(round);
    return absl::OkStatus();
  };
  const auto slower = MeasurePaired(base, slow, limits, &clock_);
  ASSERT_TRUE(slower.ok()) << slower.status();
  EXPECT_EQ(slower->verdict.verdict, stats::Verdict::kRegressed);
  EXPECT_NEAR(slower->verdict.change, 0.1, 0.03);
  EXPECT_EQ(slower->base_ns.size(), slower->run_ns.size());
  EXPECT_NEAR(slower->run_ns[0], 11e6, 0.6e6);
  // Each round begins once, and the first also before the warm-up.
  EXPECT_EQ(rounds[0], 0);
  EXPECT_EQ(rounds.back() + 1, static_cast<int64_t>(slower->base_ns.size()));
  EXPECT_EQ(rounds.size(), slower->base_ns.size() + 1);
  EXPECT_LT(clock_.NowNanos(), 3'000'000'000);

  const auto faster = MeasurePaired(slow, base, limits, &clock_);
  EXPECT_EQ(faster->verdict.verdict, stats::Verdict::kImproved);
  const auto equal = MeasurePaired(base, same, limits, &clock_);
  EXPECT_EQ(equal->verdict.verdict, stats::Verdict::kEquivalent);
}

TEST_F(MeasurePairedTest, BudgetEndsTheMeasurement) {
  const Contender base = Taking(10, 1), same = Taking(10, 2);
  PairedLimits limits;
  limits.budget = {1};
  const auto result = MeasurePaired(base, same, limits, &clock_);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->verdict.verdict, stats::Verdict::kInconclusive);
  EXPECT_TRUE(result->verdict.final);
  EXPECT_NEAR(static_cast<double>(clock_.NowNanos()) * 1e-9, 1, 0.1);
}

TEST_F(MeasurePairedTest, AdditionalTimeIsUsedIfItSuffices) {
  const auto spent = [this](double change, double more_s) {
    const Contender base = Taking(10, 1), run = Taking(10 * (1 + change), 2);
    PairedLimits limits;
    limits.budget = {1, more_s};
    const auto result = MeasurePaired(base, run, limits, &clock_);
    EXPECT_TRUE(result.ok()) << result.status();
    return std::pair(result->verdict.verdict, result->spent_s);
  };
  const auto alone = spent(0.02, 0);
  EXPECT_EQ(alone.first, stats::Verdict::kInconclusive);
  EXPECT_NEAR(alone.second, 1, 0.1);
  const auto helped = spent(0.02, 60);
  EXPECT_EQ(helped.first, stats::Verdict::kRegressed);
  EXPECT_GT(helped.second, alone.second);
  EXPECT_LT(helped.second, 61);
  // A change between equal and different would take too long.
  const auto hopeless = spent(0.005, 2);
  EXPECT_EQ(hopeless.first, stats::Verdict::kInconclusive);
  EXPECT_NEAR(hopeless.second, 1, 0.1);
}

}  // namespace
}  // namespace assay::suites
