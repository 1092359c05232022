#include "reports/factorial/factorial.h"

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace assay::reports {
namespace {

using Sort = FactorialFinding::Sort;

TEST(StudentQuantileTest, AgreesWithTables) {
  EXPECT_NEAR(StudentQuantile(0.95, 1), 12.706, 0.001);
  EXPECT_NEAR(StudentQuantile(0.95, 10), 2.228, 0.001);
  EXPECT_NEAR(StudentQuantile(0.99, 30), 2.750, 0.001);
  EXPECT_NEAR(StudentQuantile(0.95, 1e6), 1.960, 0.001);
}

// The cells of a complete design, whose changes are given by `change`.
template <typename Change>
std::vector<FactorialCell> Design(size_t factors, const Change& change,
                                  double noise, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<> normal(0, noise);
  std::vector<FactorialCell> cells;
  for (size_t i = 0; i < (size_t{1} << factors); ++i) {
    FactorialCell cell;
    for (size_t factor = 0; factor < factors; ++factor) {
      cell.second.push_back((i >> factor & 1) != 0);
    }
    for (int k = 0; k < 12; ++k) {
      cell.samples.push_back(change(cell.second) + normal(random));
    }
    cells.push_back(std::move(cell));
  }
  return cells;
}

TEST(FactorialEffectsTest, ComputesContrasts) {
  const std::vector<FactorialCell> cells = {{{false, false}, {0.9, 1.1}},
                                            {{true, false}, {1.9, 2.1}},
                                            {{false, true}, {2.9, 3.1}},
                                            {{true, true}, {5.9, 6.1}}};
  const auto effects = FactorialEffects(cells, 0.95);
  ASSERT_TRUE(effects.ok()) << effects.status();
  ASSERT_EQ(effects->size(), 4);
  EXPECT_NEAR((*effects)[0].estimate, 3, 1e-9);
  EXPECT_NEAR((*effects)[1].estimate, 2, 1e-9);
  EXPECT_NEAR((*effects)[2].estimate, 3, 1e-9);
  EXPECT_NEAR((*effects)[3].estimate, 1, 1e-9);
  EXPECT_EQ((*effects)[3].factors, (std::vector<size_t>{0, 1}));
}

TEST(FactorialEffectsTest, RejectsIncompleteDesigns) {
  const FactorialCell cell = {{false}, {1, 2}};
  EXPECT_FALSE(FactorialEffects({}, 0.95).ok());
  EXPECT_FALSE(FactorialEffects({cell}, 0.95).ok());
  EXPECT_FALSE(FactorialEffects({cell, cell}, 0.95).ok());
  EXPECT_FALSE(FactorialEffects({cell, {{true}, {1}}}, 0.95).ok());
  EXPECT_TRUE(FactorialEffects({cell, {{true}, {1, 2}}}, 0.95).ok());
}

TEST(FactorialEffectsTest, IntervalsCoverAsOftenAsTheySay) {
  int covered = 0;
  constexpr int kTrials = 2000;
  for (int trial = 0; trial < kTrials; ++trial) {
    // Cells whose noise differs.
    auto cells = Design(
        2, [](const std::vector<bool>& v) { return v[0] ? 0.02 : 0.0; }, 0.01,
        static_cast<uint64_t>(trial));
    for (double& sample : cells[3].samples) sample = 0.02 + 3 * (sample - 0.02);
    const auto effects = FactorialEffects(cells, 0.95);
    ASSERT_TRUE(effects.ok());
    const Effect& effect = (*effects)[1];
    covered += effect.lower <= 0.02 && 0.02 <= effect.upper;
  }
  EXPECT_GE(covered, kTrials * 935 / 1000);
  EXPECT_LE(covered, kTrials * 965 / 1000);
}

// 40 cases of changes by 2 %, with noise like that of loads.
TEST(ClassifyTest, NamesTheFactorsOnWhichAChangeDepends) {
  struct Case {
    std::string name;
    double (*change)(const std::vector<bool>&);
    Sort sort;
    std::vector<std::pair<size_t, bool>> where;
  };
  using Values = const std::vector<bool>&;
  const std::vector<Case> cases = {
      {"nowhere", [](Values) { return 0.0; }, Sort::kNowhere, {}},
      {"everywhere", [](Values) { return 0.02; }, Sort::kEverywhere, {}},
      {"only with the first",
       [](Values v) { return v[0] ? 0.02 : 0.0; },
       Sort::kOnly,
       {{0, true}}},
      {"only without the first",
       [](Values v) { return v[0] ? 0.0 : 0.02; },
       Sort::kOnly,
       {{0, false}}},
      {"only with the second",
       [](Values v) { return v[1] ? 0.02 : 0.0; },
       Sort::kOnly,
       {{1, true}}},
      {"more with the third",
       [](Values v) { return v[2] ? 0.04 : 0.02; },
       Sort::kMore,
       {{2, true}}},
      {"only with both",
       [](Values v) { return v[0] && v[1] ? 0.02 : 0.0; },
       Sort::kOnly,
       {{0, true}, {1, true}}},
      {"only with the one and without the other",
       [](Values v) { return v[0] && !v[2] ? 0.02 : 0.0; },
       Sort::kOnly,
       {{0, true}, {2, false}}},
  };
  for (const Case& one : cases) {
    for (uint64_t seed = 1; seed <= 5; ++seed) {
      const auto cells = Design(3, one.change, 0.003, seed);
      const auto effects = FactorialEffects(cells, 0.9999);
      ASSERT_TRUE(effects.ok());
      const FactorialFinding finding = Classify(cells, *effects);
      EXPECT_EQ(finding.sort, one.sort) << one.name << " " << seed;
      EXPECT_EQ(finding.where, one.where) << one.name << " " << seed;
    }
  }
}

}  // namespace
}  // namespace assay::reports
