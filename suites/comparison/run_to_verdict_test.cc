#include "suites/comparison/run_to_verdict.h"

#include <cmath>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"
#include "runtime/measure/testing/fake_session.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

// Measures programs that take `ms[program]` per run, with noise of 5 %, on a
// fake clock.
class RunToVerdictTest : public testing::Test {
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

  struct Result {
    stats::PairedOutcome outcome;
    std::vector<PairedLoads::Load> loads;
    double spent_s = 0;
  };
  Result Compare(const Contender& base, const Contender& run,
                 const TimeBudget& budget, const JudgedCalls& judged = {}) {
    PairedLoads loads(Pair(base, run), {}, &clock_, judged);
    estimates_s_.clear();
    const auto outcome = RunToVerdict(
        loads, {}, budget,
        [this](double needed_s) { estimates_s_.push_back(needed_s); });
    EXPECT_TRUE(outcome.ok()) << outcome.status();
    return {outcome.value_or(stats::PairedOutcome()), loads.loads(),
            static_cast<double>(loads.spent_nanos()) * 1e-9};
  }

  // Takes 10 ms, and `spread` is the standard deviation of a factor that each
  // load draws anew, as on a machine on which processes differ.
  Contender Differing(double spread, double change, uint64_t seed) {
    const Contender contender = Taking(10, seed);
    sessions_.back()->run = [this, spread, change, load = loads_, factor = 1.0,
                             rng = Rng(seed)](int, int64_t number) mutable {
      if (load != loads_) {
        load = loads_;
        factor = std::exp(spread * static_cast<double>(rng.NormalFloat(0, 1)));
      }
      return static_cast<int64_t>(10e6 * (1 + change) * factor *
                                  rng.UniformFloat(1, 1.01f) *
                                  static_cast<double>(number));
    };
    return contender;
  }

  FakeClock clock_;
  std::vector<double> estimates_s_;
  int64_t loads_ = 0, run_first_ = 0, rounds_ = 0;
  std::set<uint64_t> seeds_;
  std::vector<std::unique_ptr<runtime::FakeSession>> sessions_;
};

TEST_F(RunToVerdictTest, EndsWhenTheVerdictIsFinal) {
  const Contender base = Taking(10, 1), same = Taking(10, 2),
                  slow = Taking(11, 3);
  const Result slower = Compare(base, slow, {600});
  const stats::PairedVerdict& verdict = slower.outcome.verdict;
  EXPECT_EQ(verdict.verdict, stats::Verdict::kRegressed);
  EXPECT_FALSE(slower.outcome.typical_regressed);
  EXPECT_NEAR(verdict.change, 0.1, 0.03);
  EXPECT_NEAR(slower.loads[0].run.fastest_ns, 11e6 * 0.96, 0.3e6);
  EXPECT_NEAR(slower.loads[0].run.typical_ns, 11e6, 0.5e6);
  EXPECT_LT(clock_.NowNanos(), 6'000'000'000);
  // The first load determines the number of runs and is not counted. Every load
  // has its own addresses, and the order of the two programs varies.
  EXPECT_EQ(static_cast<int64_t>(slower.loads.size()), verdict.count);
  EXPECT_EQ(loads_, verdict.count + 1);
  EXPECT_EQ(static_cast<int64_t>(seeds_.size()), loads_);
  EXPECT_GT(run_first_, 0);
  EXPECT_LT(run_first_, loads_);
  EXPECT_GE(rounds_, verdict.count * kRoundsPerInput);

  EXPECT_EQ(Compare(slow, base, {600}).outcome.verdict.verdict,
            stats::Verdict::kImproved);
  EXPECT_EQ(Compare(base, same, {600}).outcome.verdict.verdict,
            stats::Verdict::kEquivalent);
}

// Five of eight runs are three times as slow, so that the fastest run of a load
// is nearly always as fast as before.
TEST_F(RunToVerdictTest, SlowerTypicalRunsAreARegression) {
  const auto make = [this](int64_t slow_of_8, uint64_t seed) {
    const Contender contender = Taking(0, seed);
    sessions_.back()->run = [slow_of_8, rng = Rng(seed)](
                                int, int64_t number) mutable {
      const int64_t factor = rng.UniformInt(0, 7) < slow_of_8 ? 3 : 1;
      return rng.UniformInt(9'990'000, 10'010'000) * number * factor;
    };
    return contender;
  };
  const Result result = Compare(make(0, 1), make(5, 2), {600});
  EXPECT_EQ(result.outcome.verdict.verdict, stats::Verdict::kRegressed);
  EXPECT_TRUE(result.outcome.typical_regressed);
  EXPECT_GT(result.outcome.verdict.change, 0.5);
  EXPECT_THAT(stats::Describe(result.outcome), HasSubstr("typical inferences"));
}

// A machine on which most inferences are disturbed, each in other kernels.
TEST_F(RunToVerdictTest, KernelsOfDisturbedInferencesAreMeasured) {
  const auto make = [this](double scale, uint64_t seed) {
    const Contender contender = Taking(0, seed);
    sessions_.back()->calls = [scale, rng = Rng(seed)](int) mutable {
      std::vector<int64_t> nanos;
      for (int call = 0; call < 20; ++call) {
        const bool disturbed = rng.UniformInt(0, 9) == 0;
        nanos.push_back(static_cast<int64_t>(
            500'000 * scale * rng.UniformFloat(0.99f, 1.01f) +
            (disturbed ? rng.UniformFloat(0, 5e6f) : 0)));
      }
      return nanos;
    };
    sessions_.back()->run = [session = sessions_.back().get()](int program,
                                                               int64_t number) {
      int64_t sum = 0;
      for (const int64_t nanos : session->calls(program)) sum += nanos;
      return sum * number;
    };
    return contender;
  };
  const Contender base = make(1, 1), same = make(1, 2), slow = make(1.02, 3);
  const Result equal = Compare(base, same, {20});
  EXPECT_EQ(equal.outcome.verdict.verdict, stats::Verdict::kEquivalent);
  EXPECT_EQ(equal.loads[0].base.call_ns.size(), 20u);
  const Result slower = Compare(base, slow, {20});
  EXPECT_EQ(slower.outcome.verdict.verdict, stats::Verdict::kRegressed);
  EXPECT_NEAR(slower.outcome.verdict.change, 0.02, 0.005);
}

// One of two kernels takes twice as long, which is 5 % of the inference, and
// the other one varies from load to load by more than that.
TEST_F(RunToVerdictTest, OneKernelIsJudgedBesideOneThatVaries) {
  const auto make = [this](int64_t first_us, uint64_t seed) {
    const Contender contender = Taking(0, seed);
    sessions_.back()->calls = [this, first_us, load = int64_t{-1}, other = 0.0f,
                               rng = Rng(seed)](int) mutable {
      if (load != loads_) {
        load = loads_;
        other = rng.UniformFloat(9e6f, 12e6f);
      }
      return std::vector<int64_t>{first_us * 1000, static_cast<int64_t>(other)};
    };
    sessions_.back()->run = [session = sessions_.back().get()](int program,
                                                               int64_t number) {
      const std::vector<int64_t> nanos = session->calls(program);
      return (nanos[0] + nanos[1]) * number;
    };
    return contender;
  };
  const Contender base = make(500, 1), slow = make(1000, 2);
  EXPECT_EQ(Compare(base, slow, {3}).outcome.verdict.verdict,
            stats::Verdict::kInconclusive);
  rounds_ = 0;
  const Result judged = Compare(base, slow, {3}, {{0}, {0}});
  const auto count = static_cast<int64_t>(judged.loads.size());
  EXPECT_GE(rounds_, count * kRoundsPerInputOfCalls);
  EXPECT_LT(rounds_, count * kRoundsPerInput);
  EXPECT_EQ(judged.outcome.verdict.verdict, stats::Verdict::kRegressed);
  EXPECT_NEAR(judged.outcome.verdict.change, 0.05, 0.01);
  EXPECT_NEAR(judged.loads[0].run.judged_ns, 1e6, 1);
  EXPECT_NEAR(judged.loads[0].RunNanos() - judged.loads[0].base.fastest_ns,
              0.5e6, 1);
}

TEST_F(RunToVerdictTest, KernelsThatCannotBeTimedAreNotJudged) {
  const Contender base = Taking(10, 1), run = Taking(11, 2);
  PairedLoads loads(Pair(base, run), {}, &clock_, {{0}, {0}});
  EXPECT_TRUE(absl::IsUnimplemented(loads.RunLoad()));
}

TEST_F(RunToVerdictTest, BudgetEndsTheMeasurement) {
  const Contender base = Taking(10, 1), same = Taking(10, 2);
  const Result result = Compare(base, same, {1});
  EXPECT_EQ(result.outcome.verdict.verdict, stats::Verdict::kInconclusive);
  EXPECT_TRUE(result.outcome.verdict.final);
  EXPECT_NEAR(static_cast<double>(clock_.NowNanos()) * 1e-9, 1, 0.4);
}

// Two processes that differ by up to 20 % from load to load: a budget of five
// seconds decides nothing, and the estimate says how much more is needed.
TEST_F(RunToVerdictTest, NoisyMachinesGetTheLoadsThatTheyNeed) {
  constexpr double kSpread = 0.05;
  int decided = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const double change = seed % 2 == 0 ? 0.02 : 0;
    const Contender base = Differing(kSpread, 0, 2 * seed),
                    run = Differing(kSpread, change, 2 * seed + 1);
    const Result early = Compare(base, run, {5});
    EXPECT_EQ(early.outcome.verdict.verdict, stats::Verdict::kInconclusive);
    ASSERT_FALSE(estimates_s_.empty());
    EXPECT_GT(estimates_s_.front(), 5);
    const Result whole = Compare(base, run, {5, 0, 3600});
    decided +=
        whole.outcome.verdict.verdict ==
        (change > 0 ? stats::Verdict::kRegressed : stats::Verdict::kEquivalent);
    EXPECT_GT(whole.spent_s, 5);
    // From halfway on, the estimate is right within a factor of three.
    const double halfway_s = estimates_s_[estimates_s_.size() / 2];
    EXPECT_GT(halfway_s, whole.spent_s / 3) << seed;
    EXPECT_LT(halfway_s, whole.spent_s * 3) << seed;
  }
  EXPECT_GE(decided, 9);
}

// Nothing is gained by going on if the whole time does not suffice.
TEST_F(RunToVerdictTest, StopsEarlyIfNoTimeSuffices) {
  const Contender base = Differing(0.4, 0, 1), run = Differing(0.4, 0, 2);
  const Result result = Compare(base, run, {5, 0, 60});
  EXPECT_EQ(result.outcome.verdict.verdict, stats::Verdict::kInconclusive);
  EXPECT_GE(result.outcome.verdict.count, kMinLoadsForEstimate);
  EXPECT_LT(result.spent_s, 10);
  EXPECT_GT(estimates_s_.back(), 65);
}

TEST_F(RunToVerdictTest, AdditionalTimeIsUsedIfItSuffices) {
  const auto spent = [this](double change, double more_s) {
    const Contender base = Taking(10, 1), run = Taking(10 * (1 + change), 2);
    const Result result = Compare(base, run, {1, more_s});
    return std::pair(result.outcome.verdict.verdict, result.spent_s);
  };
  const auto alone = spent(0.02, 0);
  EXPECT_EQ(alone.first, stats::Verdict::kInconclusive);
  EXPECT_NEAR(alone.second, 1, 0.4);
  const auto helped = spent(0.02, 60);
  EXPECT_EQ(helped.first, stats::Verdict::kRegressed);
  EXPECT_GT(helped.second, alone.second);
  EXPECT_LT(helped.second, 61);
  // A change between equal and different would take too long.
  const auto hopeless = spent(0.005, 2);
  EXPECT_EQ(hopeless.first, stats::Verdict::kInconclusive);
  EXPECT_LT(hopeless.second, 1.6);
}

TEST(MethodTest, DependsOnTheOptions) {
  stats::PairedOptions options;
  const std::string digest = MethodDigest(options);
  EXPECT_EQ(digest.size(), 12u);
  EXPECT_EQ(MethodDigest(options), digest);
  options.margin = 0.02;
  EXPECT_NE(MethodDigest(options), digest);
}

}  // namespace
}  // namespace assay::suites
