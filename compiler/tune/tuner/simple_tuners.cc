#include "compiler/tune/tuner/simple_tuners.h"

#include <vector>

namespace assay::tune {
namespace {

constexpr size_t kPlanSize = 64;

class RandomTuner : public Tuner {
 public:
  RandomTuner(const SearchSpace& space, uint64_t seed)
      : Tuner(space, seed, kPlanSize) {}

 private:
  std::vector<int64_t> Plan(const std::vector<Measured>&,
                            const PointSet& visited, Rng& rng) override {
    return space().Sample(kPlanSize, visited, rng);
  }
};

class GridTuner : public Tuner {
 public:
  explicit GridTuner(const SearchSpace& space)
      : Tuner(space, /*seed=*/0, kPlanSize) {}

 private:
  std::vector<int64_t> Plan(const std::vector<Measured>&,
                            const PointSet& visited, Rng&) override {
    std::vector<int64_t> points;
    while (next_ < space().size() && points.size() < kPlanSize) {
      if (!visited.contains(next_)) points.push_back(next_);
      ++next_;
    }
    return points;
  }

  int64_t next_ = 0;
};

}  // namespace

std::unique_ptr<Tuner> MakeRandomTuner(const SearchSpace& space,
                                       uint64_t seed) {
  return std::make_unique<RandomTuner>(space, seed);
}

std::unique_ptr<Tuner> MakeGridTuner(const SearchSpace& space) {
  return std::make_unique<GridTuner>(space);
}

}  // namespace assay::tune
