#include "reports/stats/false_discovery.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "reports/stats/binomial.h"
#include "reports/stats/sign_process.h"
#include "runtime/base/random.h"

namespace assay::stats {
namespace {

std::vector<double> Logs(std::vector<double> values) {
  for (double& v : values) v = std::log(v);
  return values;
}

TEST(FalseDiscoveryTest, ThresholdDecreasesWithRank) {
  // The thresholds for four cells at 10 % are 40, 20, 13.3 and 10.
  EXPECT_EQ(Discoveries(Logs({39, 1, 1, 1}), 0.1),
            std::vector<bool>({false, false, false, false}));
  EXPECT_EQ(Discoveries(Logs({1, 41, 1, 1}), 0.1),
            std::vector<bool>({false, true, false, false}));
  EXPECT_EQ(Discoveries(Logs({21, 1, 39, 1}), 0.1),
            std::vector<bool>({true, false, true, false}));
  // The largest rank that reaches its threshold decides for all before it.
  EXPECT_EQ(Discoveries(Logs({11, 12, 11, 12}), 0.1),
            std::vector<bool>({true, true, true, true}));
}

TEST(FalseDiscoveryTest, AcceptsNoCellsAndNoEvidence) {
  EXPECT_TRUE(Discoveries({}, 0.05).empty());
  const double kNone = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(Discoveries({kNone, 0}, 0.05), std::vector<bool>({false, false}));
}

// Optional stopping: each cell stops as soon as its e-value is large or small.
TEST(FalseDiscoveryTest, ControlsRateUnderOptionalStopping) {
  constexpr uint64_t kSeed = 12;
  RecordProperty("seed", std::to_string(kSeed));
  Rng rng(kSeed);
  constexpr int kNights = 200;
  constexpr int kCells = 20;
  constexpr int kChanged = 4;
  constexpr double kFdr = 0.2;
  int64_t nights_with_alert = 0;  // without changed cells
  double false_share = 0;         // with changed cells
  int64_t found = 0;
  for (int night = 0; night < kNights; ++night) {
    for (const int changed : {0, kChanged}) {
      std::vector<double> log_e;
      for (int cell = 0; cell < kCells; ++cell) {
        const float shift = cell < changed ? 0.4f : 0;
        double now = 0;
        int64_t above = 0;
        for (int64_t n = 1; n <= 120 && now < LogEValueForOneOf(kCells, kFdr) &&
                            now > std::log(0.2);
             ++n) {
          above += rng.UniformFloat(-1, 1) + shift > 0;
          now = LogSignEValue(above, n, kConcentration);
        }
        log_e.push_back(now);
      }
      const std::vector<bool> reported = Discoveries(log_e, kFdr);
      int right = 0;
      int wrong = 0;
      for (int cell = 0; cell < kCells; ++cell) {
        (cell < changed ? right : wrong) += reported[static_cast<size_t>(cell)];
      }
      if (changed == 0) {
        nights_with_alert += wrong > 0;
      } else {
        false_share += right + wrong > 0
                           ? static_cast<double>(wrong) / (right + wrong)
                           : 0;
        found += right;
      }
    }
  }
  EXPECT_LE(ClopperPearson(nights_with_alert, kNights, 0.998).lower, kFdr);
  EXPECT_GT(nights_with_alert, 0);
  EXPECT_LE(false_share / kNights, kFdr);
  EXPECT_GE(found, kNights * kChanged * 60 / 100);
}

TEST(FalseDiscoveryTest, SingleCellNeedsLogEValueForOneOf) {
  const double enough = LogEValueForOneOf(50, 0.05);
  std::vector<double> cells(100, -1);  // two hypotheses each
  cells[7] = enough - 1e-9;
  EXPECT_FALSE(Discoveries(cells, 0.05)[7]);
  cells[7] = enough + 1e-9;
  EXPECT_TRUE(Discoveries(cells, 0.05)[7]);
}

}  // namespace
}  // namespace assay::stats
