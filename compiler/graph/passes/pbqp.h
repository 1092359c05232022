// PbqpProblem: a partitioned boolean quadratic problem. Each variable takes one
// of its choices; the objective is the sum of a cost per choice and of a cost
// per pair of choices of two neighbouring variables.
//
//   PbqpProblem problem;
//   const int a = problem.AddVariable({0, 1});  // costs of two choices
//   const int b = problem.AddVariable({5, 0});
//   problem.AddPair(a, b, {{0, 9}, {9, 0}});    // costs of pairs of choices
//   problem.Solve();                            // {1, 1}
//
// Solve() eliminates variables, as Scholz and Eckstein do (Register Allocation
// for Irregular Architectures, 2002). A variable with at most two neighbours is
// replaced by the minimum of its costs for each choice of the neighbours
// (reductions R0, RI and RII), which preserves the optimum. Chains, trees and
// branches that join again (residual networks) are therefore solved exactly, in
// time linear in the number of variables and cubic in the number of choices. If
// every remaining variable has three neighbours or more, the one with the most
// is fixed heuristically (RN; Hames and Scholz, Nearly Optimal Register
// Allocation with PBQP, 2006): to the choice that is cheapest if each neighbour
// takes its best choice for it.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_PBQP_H_
#define ASSAY_COMPILER_GRAPH_PASSES_PBQP_H_

#include <map>
#include <vector>

namespace assay::graph {

class PbqpProblem {
 public:
  // costs[i][j] of choice i of one variable with choice j of another.
  using Matrix = std::vector<std::vector<double>>;

  // Adds a variable with at least one choice and returns its index.
  int AddVariable(std::vector<double> costs);
  // Adds to the costs of the variable's choices.
  void AddCosts(int variable, const std::vector<double>& costs);
  // Adds to the costs of pairs of choices; `a` and `b` differ.
  void AddPair(int a, int b, const Matrix& costs);

  // The choice of each variable; the first one on a tie.
  std::vector<int> Solve() const;

  // The objective for these choices.
  double CostOf(const std::vector<int>& choices) const;

 private:
  friend class PbqpSolver;

  std::vector<std::vector<double>> costs_;
  // For each variable its neighbours; every pair is stored in both directions.
  std::vector<std::map<int, Matrix>> pairs_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_PBQP_H_
