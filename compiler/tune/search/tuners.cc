#include "compiler/tune/search/tuners.h"

#include "runtime/base/check.h"

namespace assay::tune {
namespace {

constexpr size_t kPlanSize = 64;

class RandomTuner : public Tuner {
 public:
  RandomTuner(const SearchSpace& space, uint64_t seed) : Tuner(space, seed) {}

 private:
  std::vector<int64_t> Plan(const std::vector<Measured>&,
                            const PointSet& visited, Rng& rng) override {
    return space().Sample(kPlanSize, visited, rng);
  }
};

class GridTuner : public Tuner {
 public:
  explicit GridTuner(const SearchSpace& space) : Tuner(space, /*seed=*/0) {}

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

std::vector<std::string> TunerNames() {
  return {"random", "grid", "genetic", "xgb"};
}

std::unique_ptr<Tuner> MakeTuner(absl::string_view name,
                                 const SearchSpace& space, uint64_t seed,
                                 const std::vector<Examples>& others) {
  if (name == "grid") return std::make_unique<GridTuner>(space);
  if (name == "random") return std::make_unique<RandomTuner>(space, seed);
  if (name == "genetic") return MakeGeneticTuner(space, seed);
  CHECK_EQ(name, "xgb");
  return MakeModelTuner(space, seed, others);
}

}  // namespace assay::tune
