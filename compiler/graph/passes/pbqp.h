// PbqpProblem: a partitioned boolean quadratic problem. Each variable has a
// list of choices, and one choice is selected for each variable. Two variables
// are neighbours if AddPair() has defined costs for the pairs of their choices.
// The objective is the sum of the costs of the selected choices and, for every
// two neighbours, of the cost of the pair of their selected choices.
//
//   PbqpProblem problem;
//   const int a = problem.AddVariable({0, 1});  // costs of two choices
//   const int b = problem.AddVariable({5, 0});
//   problem.AddPair(a, b, {{0, 9}, {9, 0}});    // costs of pairs of choices
//   problem.Solve();                            // {1, 1}
//
// Solve() minimizes the objective by eliminating variables (Scholz and
// Eckstein, Register Allocation for Irregular Architectures, 2002). To
// eliminate a variable with at most two neighbours, Solve() finds the cheapest
// choice of the variable for every combination of choices of the neighbours,
// and adds its cost to the cost of the combination (reductions R0, RI and RII).
// This preserves the optimum. Chains, trees and branches that join again
// (residual networks) are therefore solved exactly. The time of a reduction is
// at most cubic in the number of choices.
//
// If every remaining variable has at least three neighbours, the choice of the
// variable with the most neighbours is fixed heuristically (RN; Hames and
// Scholz, Nearly Optimal Register Allocation with PBQP, 2006). The cost of a
// choice is estimated under the assumption that each neighbour takes the choice
// that is cheapest in combination with it. The choice with the smallest
// estimate is fixed. The result may then be suboptimal.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_PBQP_H_
#define ASSAY_COMPILER_GRAPH_PASSES_PBQP_H_

#include <map>
#include <vector>

namespace assay::graph {

class PbqpProblem {
 public:
  // costs[i][j] is the cost of choice i of one variable together with choice j
  // of another variable.
  using Matrix = std::vector<std::vector<double>>;

  // Adds a variable and returns its index. `costs` are the costs of its
  // choices, of which there must be at least one.
  int AddVariable(std::vector<double> costs);
  // Adds `costs` to the costs of the choices of the variable.
  void AddCosts(int variable, const std::vector<double>& costs);
  // Adds `costs` to the costs of the pairs of choices of the variables `a`
  // (rows) and `b` (columns), which must be different.
  void AddPair(int a, int b, const Matrix& costs);

  // Returns the index of the selected choice of each variable. Among choices
  // with equal costs, the first one is selected.
  std::vector<int> Solve() const;

  // Returns the objective for these choices.
  double CostOf(const std::vector<int>& choices) const;

 private:
  friend class PbqpSolver;

  std::vector<std::vector<double>> costs_;
  // For each variable, the costs of pairs by neighbour. Every pair is stored in
  // both directions.
  std::vector<std::map<int, Matrix>> pairs_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_PBQP_H_
