#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "compiler/tune/search/tuners.h"

namespace assay::tune {
namespace {

constexpr size_t kPlanSize = 64;
constexpr size_t kParents = 32;
constexpr double kMutation = 0.1;
// Mutations after which a child that is not new is replaced by a random point.
constexpr int kMaxMutations = 32;

struct Parent {
  int64_t point = 0;
  double weight = 0;  // proportional to the probability that it is drawn
};

// Returns the fastest points.
std::vector<Parent> Parents(const std::vector<Measured>& history) {
  std::vector<Parent> parents;
  for (const Measured& result : history) {
    if (!result.seconds.has_value()) continue;
    parents.push_back({result.point, std::pow(*result.seconds, -4.0)});
  }
  std::sort(parents.begin(), parents.end(),
            [](const Parent& a, const Parent& b) {
              return std::make_pair(-a.weight, a.point) <
                     std::make_pair(-b.weight, b.point);
            });
  parents.resize(std::min(parents.size(), kParents));
  return parents;
}

int64_t Draw(const std::vector<Parent>& parents, double sum, Rng& rng) {
  double left = sum * rng.UniformFloat(0, 1);
  for (const Parent& parent : parents) {
    left -= parent.weight;
    if (left <= 0) return parent.point;
  }
  return parents.back().point;
}

class GeneticTuner : public Tuner {
 public:
  GeneticTuner(const SearchSpace& space, uint64_t seed) : Tuner(space, seed) {}

 private:
  std::vector<int64_t> Plan(const std::vector<Measured>& history,
                            const PointSet& visited, Rng& rng) override {
    const std::vector<Parent> parents = Parents(history);
    if (parents.empty()) {
      return space().Sample(kPlanSize, visited, rng);
    }
    double sum = 0;
    for (const Parent& parent : parents) sum += parent.weight;
    std::vector<int64_t> points;
    PointSet taken = visited;
    while (points.size() < kPlanSize) {
      int64_t child =
          space().Cross(Draw(parents, sum, rng), Draw(parents, sum, rng), rng);
      for (int knob = space().NumKnobs(child); knob-- > 0;) {
        if (rng.UniformFloat(0, 1) < kMutation) {
          child = space().Neighbor(child, rng);
        }
      }
      for (int i = 0; i < kMaxMutations && taken.contains(child); ++i) {
        child = space().Neighbor(child, rng);
      }
      if (taken.contains(child)) {
        const std::vector<int64_t> any = space().Sample(1, taken, rng);
        if (any.empty()) break;
        child = any[0];
      }
      taken.insert(child);
      points.push_back(child);
    }
    return points;
  }
};

}  // namespace

std::unique_ptr<Tuner> MakeGeneticTuner(const SearchSpace& space,
                                        uint64_t seed) {
  return std::make_unique<GeneticTuner>(space, seed);
}

}  // namespace assay::tune
