#include "compiler/tune/search/annealing.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay::tune {
namespace {

// The points that were seen, with their values.
class Seen {
 public:
  explicit Seen(const PointSet& visited) : known_(visited) {}

  void Add(int64_t point, float value) {
    if (known_.insert(point).second) found_.emplace_back(value, point);
  }

  std::vector<int64_t> Best(size_t count) {
    std::sort(found_.begin(), found_.end());
    std::vector<int64_t> points;
    for (size_t i = 0; i < std::min(count, found_.size()); ++i) {
      points.push_back(found_[i].second);
    }
    return points;
  }

 private:
  PointSet known_;
  std::vector<std::pair<float, int64_t>> found_;
};

}  // namespace

std::vector<int64_t> Anneal(const SearchSpace& space,
                            const PointFunction& function,
                            std::vector<int64_t> starts,
                            const PointSet& visited, size_t count,
                            const AnnealingOptions& options, Rng& rng) {
  Seen seen(visited);
  std::vector<int64_t> points = std::move(starts);
  std::vector<float> values = function(points);
  for (size_t i = 0; i < points.size(); ++i) seen.Add(points[i], values[i]);
  for (int step = 0; step < options.steps; ++step) {
    const double temperature =
        options.temperature * (1 - static_cast<double>(step) / options.steps);
    std::vector<int64_t> next;
    for (const int64_t point : points) {
      next.push_back(space.Neighbor(point, rng));
    }
    const std::vector<float> next_values = function(next);
    for (size_t i = 0; i < points.size(); ++i) {
      seen.Add(next[i], next_values[i]);
      const double worse = next_values[i] - values[i];
      if (worse > 0 &&
          rng.UniformFloat(0, 1) >= std::exp(-worse / temperature)) {
        continue;
      }
      points[i] = next[i];
      values[i] = next_values[i];
    }
  }
  return seen.Best(count);
}

}  // namespace assay::tune
