#include "ci/bisect/search/search.h"

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace assay::ci {
namespace {

// Candidates with known levels. An answer is wrong with probability `error`.
class KnownLevels : public Oracle {
 public:
  explicit KnownLevels(std::vector<int> levels) : levels_(std::move(levels)) {}

  std::set<int> broken;
  std::set<int> undecided;
  double error = 0;
  int confirmations = 0;
  std::set<int> builds;
  std::mt19937_64 random{1};

  bool IsKnown(int, int run) override {
    return error == 0 && builds.count(run) > 0;
  }
  bool IsBuilt(int candidate) override { return builds.count(candidate) > 0; }
  absl::StatusOr<bool> Build(int candidate) override {
    builds.insert(candidate);
    return broken.count(candidate) == 0;
  }
  absl::StatusOr<Decision> Compare(int base, int run) override {
    if (undecided.count(run) > 0) return Decision{};
    bool worse = levels_[run] > levels_[base];
    if (std::uniform_real_distribution<>()(random) < error) worse = !worse;
    return Decision{worse ? Answer::kWorse : Answer::kNotWorse, error};
  }
  absl::StatusOr<Decision> Confirm(int base, int run) override {
    ++confirmations;
    return Compare(base, run);
  }

  int last() const { return static_cast<int>(levels_.size()) - 1; }

 private:
  const std::vector<int> levels_;
};

// `last` + 1 levels that rise by 1 at each of `culprits`.
std::vector<int> LevelsWith(int last, const std::vector<int>& culprits) {
  std::vector<int> levels(last + 1, 0);
  for (const int culprit : culprits) {
    for (int i = culprit; i <= last; ++i) ++levels[i];
  }
  return levels;
}

std::vector<Culprit> Find(KnownLevels& levels) {
  auto culprits = FindCulprits(levels.last(), levels, SearchOptions());
  EXPECT_TRUE(culprits.ok()) << culprits.status();
  return culprits.ok() ? *culprits : std::vector<Culprit>();
}

TEST(FindCulpritsTest, FindsEachCulpritWithAsFewBuildsAsBisection) {
  for (int last = 1; last <= 33; ++last) {
    for (int culprit = 1; culprit <= last; ++culprit) {
      KnownLevels levels(LevelsWith(last, {culprit}));
      const std::vector<Culprit> culprits = Find(levels);
      ASSERT_EQ(culprits.size(), 1) << last << " " << culprit;
      EXPECT_EQ(culprits[0].after, culprit - 1);
      EXPECT_EQ(culprits[0].until, culprit);
      EXPECT_TRUE(culprits[0].confirmed);
      EXPECT_EQ(culprits[0].error, 0);
      // The two ends are built already.
      EXPECT_LE(levels.builds.size() + 2, ExpectedBuilds(last));
    }
  }
}

TEST(FindCulpritsTest, FindsTwoCulprits) {
  for (int first = 1; first <= 24; ++first) {
    for (int second = first + 1; second <= 24; ++second) {
      KnownLevels levels(LevelsWith(24, {first, second}));
      const std::vector<Culprit> culprits = Find(levels);
      ASSERT_EQ(culprits.size(), 2) << first << " " << second;
      EXPECT_EQ(culprits[0].until, first);
      EXPECT_EQ(culprits[1].until, second);
      EXPECT_LE(levels.builds.size() + 2, 11);
    }
  }
}

TEST(FindCulpritsTest, AnswersWithARangeWhereCandidatesCannotBeBuilt) {
  for (int culprit = 1; culprit <= 16; ++culprit) {
    KnownLevels levels(LevelsWith(16, {culprit}));
    levels.broken = {5, 6, 7, 11};
    const std::vector<Culprit> culprits = Find(levels);
    ASSERT_EQ(culprits.size(), 1);
    if (culprit >= 5 && culprit <= 8) {
      EXPECT_EQ(culprits[0].after, 4);
      EXPECT_EQ(culprits[0].until, 8);
    } else if (culprit == 11 || culprit == 12) {
      EXPECT_EQ(culprits[0].after, 10);
      EXPECT_EQ(culprits[0].until, 12);
    } else {
      EXPECT_EQ(culprits[0].after, culprit - 1);
      EXPECT_EQ(culprits[0].until, culprit);
    }
  }
}

TEST(FindCulpritsTest, AnswersWithARangeWhereNothingCanBeBuiltInBetween) {
  KnownLevels levels(LevelsWith(4, {2}));
  levels.broken = {1, 2, 3};
  const std::vector<Culprit> culprits = Find(levels);
  ASSERT_EQ(culprits.size(), 1);
  EXPECT_EQ(culprits[0].after, 0);
  EXPECT_EQ(culprits[0].until, 4);
  EXPECT_TRUE(culprits[0].is_range());
}

TEST(FindCulpritsTest, UndecidedComparisonLeavesARange) {
  KnownLevels levels(LevelsWith(8, {4}));
  levels.undecided = {4};
  const std::vector<Culprit> culprits = Find(levels);
  ASSERT_EQ(culprits.size(), 1);
  EXPECT_EQ(culprits[0].after, 3);
  EXPECT_EQ(culprits[0].until, 5);
}

TEST(FindCulpritsTest, WrongAnswersLeadToAWrongNameAtMostAsOftenAsAllowed) {
  int wrong = 0;
  int exact = 0;
  constexpr int kTrials = 2000;
  std::mt19937_64 random(7);
  for (int trial = 0; trial < kTrials; ++trial) {
    const int culprit = std::uniform_int_distribution<>(1, 29)(random);
    KnownLevels levels(LevelsWith(29, {culprit}));
    levels.error = 0.002;
    levels.random.seed(trial);
    const std::vector<Culprit> culprits = Find(levels);
    // Without an end to confirm, a search may end without a name.
    const bool found = std::any_of(
        culprits.begin(), culprits.end(), [&](const Culprit& found) {
          return found.after < culprit && culprit <= found.until;
        });
    if (!found) ++wrong;
    if (found && !culprits[0].is_range()) ++exact;
  }
  EXPECT_LE(wrong, kTrials / 100);
  EXPECT_GE(exact, kTrials * 95 / 100);
}

TEST(FindCulpritsTest, WeightsSaveBuildsButDecideNothing) {
  SearchOptions options;
  options.weights.assign(40, 0.02);
  for (int i = 4; i < 40; i += 5) options.weights[i] = 1;
  int builds = 0;
  for (int culprit = 1; culprit <= 40; ++culprit) {
    KnownLevels levels(LevelsWith(40, {culprit}));
    const auto culprits = FindCulprits(40, levels, options);
    ASSERT_TRUE(culprits.ok());
    ASSERT_EQ(culprits->size(), 1);
    EXPECT_EQ((*culprits)[0].after, culprit - 1);
    EXPECT_EQ((*culprits)[0].until, culprit);
    if (culprit % 5 == 0) builds += static_cast<int>(levels.builds.size());
  }
  // Three builds tell 8 likely culprits apart, and at most two more exclude the
  // neighbours.
  EXPECT_LE(builds, 8 * 5);
}

TEST(FindCulpritsTest, CodeThatWasRevertedAndCameBackIsNamedWhereItCameBack) {
  KnownLevels levels({0, 0, 1, 1, 0, 0, 0, 1, 1});
  const std::vector<Culprit> culprits = Find(levels);
  ASSERT_EQ(culprits.size(), 1);
  EXPECT_TRUE(culprits[0].until == 2 || culprits[0].until == 7);
  EXPECT_TRUE(culprits[0].confirmed);
}

TEST(FindCulpritsTest, ErrorOfABuildEndsTheSearch) {
  class NoDisk : public KnownLevels {
   public:
    using KnownLevels::KnownLevels;
    absl::StatusOr<bool> Build(int) override {
      return absl::ResourceExhaustedError("no space left");
    }
  };
  NoDisk levels(LevelsWith(8, {3}));
  EXPECT_EQ(FindCulprits(8, levels, SearchOptions()).status().code(),
            absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace assay::ci
