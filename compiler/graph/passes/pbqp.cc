#include "compiler/graph/passes/pbqp.h"

#include <algorithm>
#include <set>
#include <utility>

#include "runtime/base/check.h"

namespace assay::graph {
namespace {

using Matrix = PbqpProblem::Matrix;

Matrix Transposed(const Matrix& m) {
  Matrix result(m[0].size(), std::vector<double>(m.size()));
  for (size_t i = 0; i < m.size(); ++i) {
    for (size_t j = 0; j < m[i].size(); ++j) result[j][i] = m[i][j];
  }
  return result;
}

void AddTo(Matrix& sum, const Matrix& m) {
  if (sum.empty()) {
    sum = m;
    return;
  }
  for (size_t i = 0; i < m.size(); ++i) {
    for (size_t j = 0; j < m[i].size(); ++j) sum[i][j] += m[i][j];
  }
}

int Best(const std::vector<double>& costs) {
  return static_cast<int>(std::min_element(costs.begin(), costs.end()) -
                          costs.begin());
}

}  // namespace

int PbqpProblem::AddVariable(std::vector<double> costs) {
  CHECK(!costs.empty());
  costs_.push_back(std::move(costs));
  pairs_.emplace_back();
  return static_cast<int>(costs_.size()) - 1;
}

void PbqpProblem::AddCosts(int variable, const std::vector<double>& costs) {
  CHECK_EQ(costs.size(), costs_[variable].size());
  for (size_t i = 0; i < costs.size(); ++i) costs_[variable][i] += costs[i];
}

void PbqpProblem::AddPair(int a, int b, const Matrix& costs) {
  CHECK_NE(a, b);
  CHECK_EQ(costs.size(), costs_[a].size());
  CHECK_EQ(costs[0].size(), costs_[b].size());
  AddTo(pairs_[a][b], costs);
  AddTo(pairs_[b][a], Transposed(costs));
}

double PbqpProblem::CostOf(const std::vector<int>& choices) const {
  double total = 0;
  for (size_t v = 0; v < costs_.size(); ++v) {
    total += costs_[v][choices[v]];
    for (const auto& [other, matrix] : pairs_[v]) {
      if (other > static_cast<int>(v)) {
        total += matrix[choices[v]][choices[other]];
      }
    }
  }
  return total;
}

// Reduces a copy of the problem. `order_` keeps the eliminated variables with
// their costs, from which back-substitution recovers their choices.
class PbqpSolver {
 public:
  explicit PbqpSolver(const PbqpProblem& problem)
      : rest_(problem), choices_(problem.costs_.size(), -1) {
    for (size_t v = 0; v < choices_.size(); ++v) {
      by_degree_.insert({rest_.pairs_[v].size(), static_cast<int>(v)});
    }
  }

  std::vector<int> Run() {
    while (!by_degree_.empty()) {
      const auto [degree, v] = *by_degree_.begin();
      Eliminate(degree <= 2 ? v : by_degree_.rbegin()->second);
    }
    for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
      choices_[it->variable] = Best(CostsGiven(*it));
    }
    return choices_;
  }

 private:
  struct Eliminated {
    int variable = 0;
    std::vector<double> costs;
    std::map<int, Matrix> pairs;
  };

  // The cost of each choice, given the choices of the neighbours.
  std::vector<double> CostsGiven(const Eliminated& e) const {
    std::vector<double> costs = e.costs;
    for (const auto& [other, matrix] : e.pairs) {
      for (size_t i = 0; i < costs.size(); ++i) {
        costs[i] += matrix[i][choices_[other]];
      }
    }
    return costs;
  }

  void Eliminate(int v) {
    Eliminated e = {v, rest_.costs_[v], rest_.pairs_[v]};
    by_degree_.erase({e.pairs.size(), v});
    if (e.pairs.size() > 2) Fix(e);
    for (const auto& [other, matrix] : e.pairs) {
      by_degree_.erase({rest_.pairs_[other].size(), other});
      rest_.pairs_[other].erase(v);
    }
    if (e.pairs.size() == 2) {
      Join(e, *e.pairs.begin(), *e.pairs.rbegin());
    } else {
      for (const auto& [other, matrix] : e.pairs) ReduceInto(e, other, matrix);
    }
    for (const auto& [other, matrix] : e.pairs) {
      by_degree_.insert({rest_.pairs_[other].size(), other});
    }
    order_.push_back(std::move(e));
  }

  // RN: excludes all choices but the one that is cheapest if every neighbour
  // takes its best choice for it.
  void Fix(Eliminated& e) const {
    constexpr double kNever = 1e300;
    std::vector<double> costs = e.costs;
    for (const auto& [other, matrix] : e.pairs) {
      for (size_t i = 0; i < costs.size(); ++i) {
        double best = kNever;
        for (size_t j = 0; j < matrix[i].size(); ++j) {
          best = std::min(best, matrix[i][j] + rest_.costs_[other][j]);
        }
        costs[i] += best;
      }
    }
    const int choice = Best(costs);
    for (size_t i = 0; i < costs.size(); ++i) {
      if (static_cast<int>(i) != choice) e.costs[i] = kNever;
    }
  }

  // RI: adds the minimum over the choices of `e` to each choice of `other`. If
  // `e` was fixed, only its fixed choice counts.
  void ReduceInto(const Eliminated& e, int other, const Matrix& matrix) {
    const int fixed = e.pairs.size() > 2 ? Best(e.costs) : -1;
    std::vector<double> least(rest_.costs_[other].size());
    for (size_t j = 0; j < least.size(); ++j) {
      std::vector<double> costs(e.costs.size());
      for (size_t i = 0; i < costs.size(); ++i) {
        costs[i] = e.costs[i] + matrix[i][j];
      }
      least[j] = fixed >= 0 ? matrix[fixed][j] : costs[Best(costs)];
    }
    rest_.AddCosts(other, least);
  }

  // RII: the same for each pair of choices of two neighbours.
  void Join(const Eliminated& e, const std::pair<const int, Matrix>& a,
            const std::pair<const int, Matrix>& b) {
    Matrix joined(rest_.costs_[a.first].size(),
                  std::vector<double>(rest_.costs_[b.first].size()));
    for (size_t j = 0; j < joined.size(); ++j) {
      for (size_t k = 0; k < joined[j].size(); ++k) {
        std::vector<double> costs(e.costs.size());
        for (size_t i = 0; i < costs.size(); ++i) {
          costs[i] = e.costs[i] + a.second[i][j] + b.second[i][k];
        }
        joined[j][k] = costs[Best(costs)];
      }
    }
    rest_.AddPair(a.first, b.first, joined);
  }

  PbqpProblem rest_;
  std::vector<int> choices_;
  std::vector<Eliminated> order_;
  // The remaining variables, ordered by their number of neighbours.
  std::set<std::pair<size_t, int>> by_degree_;
};

std::vector<int> PbqpProblem::Solve() const { return PbqpSolver(*this).Run(); }

}  // namespace assay::graph
