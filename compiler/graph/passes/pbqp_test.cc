#include "compiler/graph/passes/pbqp.h"

#include <algorithm>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::graph {
namespace {

// The minimum over all combinations of choices.
double LeastCost(const PbqpProblem& problem, const std::vector<int>& sizes) {
  std::vector<int> choices(sizes.size(), 0);
  double least = problem.CostOf(choices);
  while (true) {
    size_t v = 0;
    while (v < sizes.size() && ++choices[v] == sizes[v]) choices[v++] = 0;
    if (v == sizes.size()) return least;
    least = std::min(least, problem.CostOf(choices));
  }
}

class RandomProblem {
 public:
  explicit RandomProblem(uint64_t seed) : rng_(seed) {}

  int Add() {
    sizes.push_back(1 + static_cast<int>(rng_.NextU64() % 3));
    std::vector<double> costs;
    for (int i = 0; i < sizes.back(); ++i) costs.push_back(Cost());
    return problem.AddVariable(costs);
  }

  void Pair(int a, int b) {
    PbqpProblem::Matrix matrix(sizes[a], std::vector<double>(sizes[b]));
    for (auto& row : matrix) {
      for (double& cost : row) cost = Cost();
    }
    problem.AddPair(a, b, matrix);
  }

  uint64_t Next() { return rng_.NextU64(); }

  PbqpProblem problem;
  std::vector<int> sizes;

 private:
  double Cost() { return static_cast<double>(rng_.NextU64() % 20); }

  Rng rng_;
};

TEST(PbqpTest, MinimizesJointCost) {
  PbqpProblem problem;
  const int a = problem.AddVariable({0, 1});
  const int b = problem.AddVariable({5, 0});
  problem.AddPair(a, b, {{0, 9}, {9, 0}});
  EXPECT_EQ(problem.Solve(), (std::vector<int>{1, 1}));
  EXPECT_EQ(problem.CostOf({1, 1}), 1);
  EXPECT_EQ(problem.CostOf({0, 1}), 9);
}

TEST(PbqpTest, TakesFirstOfEqualChoices) {
  PbqpProblem problem;
  problem.AddVariable({2, 2, 3});
  problem.AddVariable({7});
  EXPECT_EQ(problem.Solve(), (std::vector<int>{0, 0}));
}

// A chain with shortcuts over one or two links, as in residual networks.
TEST(PbqpTest, SolvesJoiningBranchesExactly) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    RandomProblem random(seed);
    int last = random.Add();
    for (int block = 0; block < 3; ++block) {
      const int inner = random.Add(), end = random.Add();
      random.Pair(last, inner);
      random.Pair(inner, end);
      random.Pair(last, end);
      last = end;
    }
    EXPECT_EQ(random.problem.CostOf(random.problem.Solve()),
              LeastCost(random.problem, random.sizes))
        << "seed " << seed;
  }
}

TEST(PbqpTest, SolvesDenseProblemsNearlyOptimally) {
  double found = 0, least = 0;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    RandomProblem random(seed);
    for (int v = 0; v < 7; ++v) {
      random.Add();
      for (int other = 0; other < v; ++other) {
        if (random.Next() % 4 != 0) random.Pair(other, v);
      }
    }
    const std::vector<int> choices = random.problem.Solve();
    for (size_t v = 0; v < choices.size(); ++v) {
      ASSERT_TRUE(choices[v] >= 0 && choices[v] < random.sizes[v]) << seed;
    }
    found += random.problem.CostOf(choices);
    least += LeastCost(random.problem, random.sizes);
  }
  EXPECT_LE(found, 1.1 * least);
}

}  // namespace
}  // namespace assay::graph
