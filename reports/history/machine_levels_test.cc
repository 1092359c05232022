#include "reports/history/machine_levels.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::reports {
namespace {

constexpr char kMachine[] = "machine";

// `cells` series of `nights` nights with noise of 1 % about their own levels,
// plus `machine[night]`.
std::vector<Series> Cells(int cells, const std::vector<double>& machine) {
  Rng rng(1);
  std::vector<Series> result;
  for (int cell = 0; cell < cells; ++cell) {
    Series series;
    series.machines = {kMachine};
    for (size_t night = 0; night < machine.size(); ++night) {
      series.points.push_back(
          {night, cell + machine[night] + 0.01 * rng.NormalFloat(0, 1)});
    }
    result.push_back(std::move(series));
  }
  return result;
}

void ChangeCode(Series& series, size_t point, double change) {
  Step step;
  step.point = point;
  step.change.causes.Add(Cause::kCode);
  series.steps.push_back(step);
  for (size_t i = point; i < series.points.size(); ++i) {
    series.points[i].value += change;
  }
}

std::vector<double> RandomWalk(size_t nights, double step) {
  Rng rng(2);
  std::vector<double> levels(nights);
  for (size_t i = 1; i < nights; ++i) {
    levels[i] = levels[i - 1] + step * rng.NormalFloat(0, 1);
  }
  return levels;
}

void ExpectLevels(const MachineLevels& levels,
                  const std::vector<double>& expected, double tolerance) {
  const auto& nights = levels.NightsOf(Metric::kLatency, kMachine);
  ASSERT_EQ(nights.size(), expected.size());
  for (size_t i = 0; i < nights.size(); ++i) {
    EXPECT_EQ(nights[i].run, i);
    EXPECT_NEAR(nights[i].level - nights[0].level, expected[i] - expected[0],
                tolerance)
        << i;
  }
}

TEST(MachineLevelsTest, FollowsDriftWithoutAddingUpErrors) {
  const std::vector<double> drift = RandomWalk(300, 0.01);
  const MachineLevels levels(Cells(30, drift), kMinUnchanged);
  ExpectLevels(levels, drift, 0.012);
}

TEST(MachineLevelsTest, MovementHasAnInterval) {
  std::vector<double> machine(10);
  for (size_t i = 5; i < 10; ++i) machine[i] = 0.05;
  const MachineLevels levels(Cells(30, machine), kMinUnchanged);
  const MachineNight* night = levels.Find(Metric::kLatency, kMachine, 5);
  ASSERT_NE(night, nullptr);
  EXPECT_EQ(night->unchanged, 30);
  ASSERT_TRUE(night->movement.has_value());
  EXPECT_NEAR(night->movement->change, 0.05, 0.01);
  EXPECT_GT(night->movement->lower, 0.03);
  EXPECT_LT(night->movement->upper, 0.07);
  EXPECT_LT(levels.Find(Metric::kLatency, kMachine, 6)->movement->lower, 0);
  EXPECT_EQ(levels.Find(Metric::kLatency, kMachine, 10), nullptr);
  EXPECT_EQ(levels.Find(Metric::kLoad, kMachine, 5), nullptr);
  EXPECT_EQ(levels.Find(Metric::kLatency, "other", 5), nullptr);
}

TEST(MachineLevelsTest, ChangedCellsDoNotMoveTheMachine) {
  const std::vector<double> drift = RandomWalk(60, 0.005);
  std::vector<Series> cells = Cells(30, drift);
  // More than half of the cells become faster in one night, and each of them
  // again in another night.
  for (size_t i = 0; i < 20; ++i) {
    ChangeCode(cells[i], 30, -0.2);
    ChangeCode(cells[i], 32 + i, 0.1);
  }
  const MachineLevels levels(cells, kMinUnchanged);
  EXPECT_EQ(levels.Find(Metric::kLatency, kMachine, 30)->unchanged, 10);
  ExpectLevels(levels, drift, 0.015);
}

TEST(MachineLevelsTest, CorrectedSeriesDoNotDrift) {
  const std::vector<double> drift = RandomWalk(200, 0.02);
  std::vector<Series> cells = Cells(30, drift);
  ChangeCode(cells[3], 100, 0.3);
  const MachineLevels levels(cells, kMinUnchanged);
  const std::vector<double> values = levels.Corrected(cells[3]);
  ASSERT_EQ(values.size(), 200u);
  for (size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(values[i], i < 100 ? 3 : 3.3, 0.06) << i;
  }
}

TEST(MachineLevelsTest, TooFewUnchangedCellsSayNothing) {
  std::vector<double> machine(20);
  for (size_t i = 10; i < 20; ++i) machine[i] = 0.5;
  std::vector<Series> cells = Cells(7, machine);
  const MachineLevels levels(cells, kMinUnchanged);
  for (const MachineNight& night :
       levels.NightsOf(Metric::kLatency, kMachine)) {
    EXPECT_FALSE(night.movement.has_value());
  }
  // Each night stands for itself, so it has no level.
  EXPECT_NEAR(levels.Corrected(cells[0])[15], 0.5, 0.06);
}

// All cells change in the night in which the machine changes: nothing tells
// both apart, so the levels after it begin where those before it end.
TEST(MachineLevelsTest, LevelsGoOnIfAllCellsChange) {
  std::vector<double> machine(20);
  machine[15] = 0.1;
  std::vector<Series> cells = Cells(20, machine);
  for (Series& cell : cells) ChangeCode(cell, 10, 0.7);
  const MachineLevels levels(cells, kMinUnchanged);
  EXPECT_FALSE(
      levels.Find(Metric::kLatency, kMachine, 10)->movement.has_value());
  ExpectLevels(levels, machine, 0.025);
}

TEST(MachineLevelsTest, UnknownProgramsDoNotMoveTheMachine) {
  std::vector<double> machine(20);
  for (size_t i = 10; i < 20; ++i) machine[i] = 0.5;
  std::vector<Series> cells = Cells(30, machine);
  for (Series& cell : cells) cell.has_digest = false;
  const MachineLevels levels(cells, kMinUnchanged);
  EXPECT_TRUE(levels.NightsOf(Metric::kLatency, kMachine).empty());
  EXPECT_NEAR(levels.Corrected(cells[0])[15], 0.5, 0.06);
}

TEST(MachineLevelsTest, NightsOfAnotherMachineAreItsOwn) {
  std::vector<Series> cells = Cells(10, std::vector<double>(20));
  for (Series& cell : cells) {
    const uint32_t other = cell.AddMachine("other");
    for (size_t i = 10; i < 20; ++i) {
      cell.points[i].machine = other;
      cell.points[i].value -= 1;
    }
  }
  const MachineLevels levels(cells, kMinUnchanged);
  EXPECT_EQ(levels.NightsOf(Metric::kLatency, kMachine).size(), 10u);
  EXPECT_EQ(levels.NightsOf(Metric::kLatency, "other").size(), 10u);
  EXPECT_NEAR(levels.Corrected(cells[0])[15], -1, 0.06);
}

TEST(MachineLevelsTest, CellsMayMissNights) {
  const std::vector<double> drift = RandomWalk(60, 0.01);
  std::vector<Series> cells = Cells(30, drift);
  Rng rng(3);
  for (Series& cell : cells) {
    std::vector<Point> kept;
    for (const Point& point : cell.points) {
      if (rng.UniformInt(0, 3) > 0) kept.push_back(point);
    }
    cell.points = kept;
  }
  ExpectLevels(MachineLevels(cells, kMinUnchanged), drift, 0.02);
}

}  // namespace
}  // namespace assay::reports
