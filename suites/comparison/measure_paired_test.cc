#include "suites/comparison/measure_paired.h"

#include <memory>
#include <numeric>
#include <set>
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

  // Loading takes 1 ms; `loads_` counts the loads.
  PairLoader Pair(const Contender& base, const Contender& run) {
    return [this, base, run](const PairPlacement& placement) {
      clock_.Advance(1'000'000);
      ++loads_;
      run_first_ += placement.run_first;
      seeds_.insert(placement.seed);
      ProgramPair pair;
      pair.base = base;
      pair.run = run;
      pair.begin_round = [this](int64_t) {
        ++rounds_;
        return absl::OkStatus();
      };
      return pair;
    };
  }

  FakeClock clock_;
  int64_t loads_ = 0, run_first_ = 0, rounds_ = 0;
  std::set<uint64_t> seeds_;
  std::vector<std::unique_ptr<runtime::FakeSession>> sessions_;
};

TEST_F(MeasurePairedTest, EndsWhenTheVerdictIsFinal) {
  const Contender base = Taking(10, 1), same = Taking(10, 2),
                  slow = Taking(11, 3);
  PairedLimits limits;
  limits.budget = {600};
  const auto slower = MeasurePaired(Pair(base, slow), limits, &clock_);
  ASSERT_TRUE(slower.ok()) << slower.status();
  EXPECT_EQ(slower->verdict.verdict, stats::Verdict::kRegressed);
  EXPECT_NEAR(slower->verdict.change, 0.1, 0.03);
  EXPECT_EQ(slower->base_ns.size(), slower->run_ns.size());
  EXPECT_NEAR(slower->run_ns[0], 11e6, 0.6e6);
  EXPECT_LT(clock_.NowNanos(), 3'000'000'000);
  // The first load determines the number of runs and is not counted. Every load
  // has its own addresses, and the order of the two programs varies.
  const std::vector<int64_t>& per_load = slower->rounds_per_load;
  EXPECT_EQ(static_cast<int64_t>(per_load.size()), slower->verdict.count);
  EXPECT_EQ(loads_, slower->verdict.count + 1);
  EXPECT_EQ(static_cast<int64_t>(seeds_.size()), loads_);
  EXPECT_GT(run_first_, 0);
  EXPECT_LT(run_first_, loads_);
  EXPECT_EQ(std::accumulate(per_load.begin(), per_load.end(), int64_t{0}),
            static_cast<int64_t>(slower->base_ns.size()));
  EXPECT_GE(rounds_, static_cast<int64_t>(slower->base_ns.size()));

  const auto faster = MeasurePaired(Pair(slow, base), limits, &clock_);
  EXPECT_EQ(faster->verdict.verdict, stats::Verdict::kImproved);
  const auto equal = MeasurePaired(Pair(base, same), limits, &clock_);
  EXPECT_EQ(equal->verdict.verdict, stats::Verdict::kEquivalent);
}

TEST_F(MeasurePairedTest, BudgetEndsTheMeasurement) {
  const Contender base = Taking(10, 1), same = Taking(10, 2);
  PairedLimits limits;
  limits.budget = {1};
  const auto result = MeasurePaired(Pair(base, same), limits, &clock_);
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
    const auto result = MeasurePaired(Pair(base, run), limits, &clock_);
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
  EXPECT_LT(hopeless.second, 1.5);
}

}  // namespace
}  // namespace assay::suites
