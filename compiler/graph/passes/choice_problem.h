// ChoiceProblem: one choice for each of many variables, so that the sum of all
// costs is small.
//
//   ChoiceProblem problem;
//   const int a = problem.AddVariable({0, 1});  // costs of two choices
//   const int b = problem.AddVariable({5, 0});
//   problem.AddPair(a, b, {{0, 9}, {9, 0}});    // what they cost together
//   problem.Solve();                            // {1, 1}
//
// A dynamic program that eliminates variables: one that has costs in common
// with at most two others is replaced by what the best answer to each of their
// choices costs, which is exact. So chains, trees and all that consists of
// branches that meet again (residual networks) are solved exactly, in time
// linear in the variables and cubic in the choices. Where every variable left
// has three neighbours or more, the one with the most is decided by what its
// choices cost with the best answers of its neighbours.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_CHOICE_PROBLEM_H_
#define ASSAY_COMPILER_GRAPH_PASSES_CHOICE_PROBLEM_H_

#include <map>
#include <vector>

namespace assay::graph {

class ChoiceProblem {
 public:
  // costs[i][j] of choice i of one variable with choice j of another.
  using Matrix = std::vector<std::vector<double>>;

  // With at least one choice. Returns its number, from 0.
  int AddVariable(std::vector<double> costs);
  // Added to what the variable has.
  void AddCosts(int variable, const std::vector<double>& costs);
  // `a` and `b` differ. Added to what the two have in common.
  void AddPair(int a, int b, const Matrix& costs);

  // The choice for each variable; of equally good ones the first.
  std::vector<int> Solve() const;

  // Of all choices together.
  double CostOf(const std::vector<int>& choices) const;

 private:
  friend class ChoiceSolver;

  std::vector<std::vector<double>> costs_;
  // By neighbour, in both directions.
  std::vector<std::map<int, Matrix>> pairs_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_CHOICE_PROBLEM_H_
