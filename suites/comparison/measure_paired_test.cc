#include "suites/comparison/measure_paired.h"

#include <utility>

#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::suites {
namespace {

// Takes `ms` per run, give or take 5 %, by a clock that the test moves.
class TimedSession : public Session {
 public:
  TimedSession(double ms, uint64_t seed, FakeClock* clock)
      : ms_(ms), rng_(seed), clock_(clock) {}
  int threads() const override { return 1; }
  absl::StatusOr<runtime::NamedTensors> Evaluate() override {
    return runtime::NamedTensors();
  }
  absl::StatusOr<Measurement> Measure(
      const devices::TimingPolicy& timing) override {
    const double ms = ms_ * rng_.UniformFloat(0.95f, 1.05f);
    clock_->Advance(static_cast<int64_t>(ms * timing.number() * 1e6));
    return Measurement{{ms}, {}};
  }
  absl::Status BeginRound(int64_t round) override {
    rounds.push_back(round);
    return absl::OkStatus();
  }
  std::vector<int64_t> rounds;

 private:
  double ms_;
  Rng rng_;
  FakeClock* clock_;
};

TEST(MeasurePairedTest, EndsAsSoonAsItIsClear) {
  FakeClock clock;
  TimedSession base(10, 1, &clock), same(10, 2, &clock), slow(11, 3, &clock);
  PairedLimits limits;
  limits.budget = {600};
  const auto slower = MeasurePaired(&base, &slow, limits, &clock);
  ASSERT_TRUE(slower.ok()) << slower.status();
  EXPECT_EQ(slower->verdict.verdict, stats::Verdict::kRegressed);
  EXPECT_NEAR(slower->verdict.change, 0.1, 0.03);
  EXPECT_EQ(slower->base_ms.size(), slower->run_ms.size());
  EXPECT_NEAR(slower->run_ms[0], 11, 0.6);
  // Every round has inputs of its own, the same for both.
  EXPECT_EQ(base.rounds, slow.rounds);
  EXPECT_EQ(base.rounds[0], 0);
  EXPECT_EQ(base.rounds.back() + 1,
            static_cast<int64_t>(slower->base_ms.size()));
  EXPECT_EQ(base.rounds.size(), slower->base_ms.size() + 1);
  const int64_t nanos = clock.NowNanos();
  EXPECT_LT(nanos, 3'000'000'000);

  const auto faster = MeasurePaired(&slow, &base, limits, &clock);
  EXPECT_EQ(faster->verdict.verdict, stats::Verdict::kImproved);
  const auto equal = MeasurePaired(&base, &same, limits, &clock);
  EXPECT_EQ(equal->verdict.verdict, stats::Verdict::kEquivalent);
}

TEST(MeasurePairedTest, TheBudgetEndsIt) {
  FakeClock clock;
  TimedSession base(10, 1, &clock), same(10, 2, &clock);
  PairedLimits limits;
  limits.budget = {1};
  const auto result = MeasurePaired(&base, &same, limits, &clock);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->verdict.verdict, stats::Verdict::kInconclusive);
  EXPECT_TRUE(result->verdict.final);
  EXPECT_NEAR(static_cast<double>(clock.NowNanos()) * 1e-9, 1, 0.1);
}

// What others left is taken where it is likely to be enough.
TEST(MeasurePairedTest, MoreIsSpentWhereTheVerdictIsNear) {
  const auto spent = [](double change, double more_s) {
    FakeClock clock;
    TimedSession base(10, 1, &clock), run(10 * (1 + change), 2, &clock);
    PairedLimits limits;
    limits.budget = {1, more_s};
    const auto result = MeasurePaired(&base, &run, limits, &clock);
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
  // Half way between equal and different it takes long, and nothing is taken.
  const auto hopeless = spent(0.005, 2);
  EXPECT_EQ(hopeless.first, stats::Verdict::kInconclusive);
  EXPECT_NEAR(hopeless.second, 1, 0.1);
}

}  // namespace
}  // namespace assay::suites
