#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "compiler/tune/search/annealing.h"
#include "compiler/tune/search/tuners.h"
#include "runtime/base/random.h"

namespace assay::tune {
namespace {

constexpr size_t kPoints = 12;         // of a plan
constexpr size_t kRandomPoints = 2;    // of them
constexpr size_t kModelledPoints = 4;  // of the first plan
// All points of a space of this size are predicted.
constexpr int64_t kEnumerated = 8192;
constexpr size_t kChains = 64;
// Chains that begin at the best points so far.
constexpr size_t kBestChains = kChains / 4;
constexpr AnnealingOptions kAnnealing = {/*steps=*/60, /*temperature=*/0.3};

class ModelTuner : public Tuner {
 public:
  ModelTuner(const SearchSpace& space, uint64_t seed,
             const std::vector<Examples>& others)
      : Tuner(space, seed),
        model_(space, others),
        all_(space.feature_names().size()) {}

 private:
  std::vector<int64_t> Plan(const std::vector<Measured>& history,
                            const PointSet& visited, Rng& rng) override {
    std::vector<int64_t> points;
    PointSet taken = visited;
    // Adds new points until the plan has `most`.
    const auto take = [&](const std::vector<int64_t>& more, size_t most) {
      for (const int64_t point : more) {
        if (points.size() >= most) return;
        if (taken.insert(point).second) points.push_back(point);
      }
    };
    if (history.empty()) {
      take({space().default_point()}, kPoints);
      take(space().PreferredPoints(), kPoints / 2);
      take(Smallest([this](const auto& p) { return Modelled(p); }, {}, taken,
                    rng),
           std::min(points.size() + kModelledPoints, kPoints));
      if (model_.has_base()) {
        take(Promising({}, taken, rng), kPoints - kRandomPoints);
      }
    } else {
      model_.Fit(history);
      take(Promising(Best(history), taken, rng), kPoints - kRandomPoints);
    }
    take(space().Sample(kPoints, taken, rng), kPoints);
    return points;
  }

  // Returns the logarithms of the modelled times.
  std::vector<float> Modelled(const std::vector<int64_t>& points) const {
    std::vector<float> values;
    for (const int64_t point : points) {
      values.push_back(
          static_cast<float>(std::log(space().ModelledSeconds(point))));
    }
    return values;
  }

  // Returns the fastest points so far.
  static std::vector<int64_t> Best(const std::vector<Measured>& history) {
    std::vector<std::pair<double, int64_t>> sorted;
    for (const Measured& result : history) {
      if (!result.seconds.has_value()) continue;
      sorted.emplace_back(*result.seconds, result.point);
    }
    std::sort(sorted.begin(), sorted.end());
    std::vector<int64_t> best;
    for (size_t i = 0; i < std::min(sorted.size(), kBestChains); ++i) {
      best.push_back(sorted[i].second);
    }
    return best;
  }

  // Returns points that are predicted to be fast, the fastest first.
  std::vector<int64_t> Promising(const std::vector<int64_t>& starts,
                                 const PointSet& taken, Rng& rng) {
    return Smallest([this](const auto& points) { return Predicted(points); },
                    starts, taken, rng);
  }

  std::vector<float> Predicted(const std::vector<int64_t>& points) {
    if (space().size() <= kEnumerated) {
      // Always all points, whose features do not change.
      if (all_.empty()) AddFeatures(points, &all_);
      return model_.Predict(all_);
    }
    FeatureRows rows(space().feature_names().size());
    AddFeatures(points, &rows);
    return model_.Predict(rows);
  }

  void AddFeatures(const std::vector<int64_t>& points,
                   FeatureRows* rows) const {
    for (const int64_t point : points) rows->Add(space().Features(point));
  }

  // Returns points that are not taken and have small values of `function`, the
  // smallest first. `starts` are points at which it may be small.
  std::vector<int64_t> Smallest(const PointFunction& function,
                                std::vector<int64_t> starts,
                                const PointSet& taken, Rng& rng) {
    if (space().size() > kEnumerated) {
      for (const int64_t point : space().Sample(
               static_cast<int64_t>(kChains - starts.size()), {}, rng)) {
        starts.push_back(point);
      }
      return Anneal(space(), function, std::move(starts), taken, kPoints,
                    kAnnealing, rng);
    }
    std::vector<int64_t> all(static_cast<size_t>(space().size()));
    std::iota(all.begin(), all.end(), 0);
    const std::vector<float> values = function(all);
    std::sort(all.begin(), all.end(), [&](int64_t a, int64_t b) {
      return std::make_pair(values[static_cast<size_t>(a)], a) <
             std::make_pair(values[static_cast<size_t>(b)], b);
    });
    std::vector<int64_t> smallest;
    for (const int64_t point : all) {
      if (smallest.size() == kPoints) break;
      if (!taken.contains(point)) smallest.push_back(point);
    }
    return smallest;
  }

  SpeedModel model_;
  FeatureRows all_;  // of all points, if the space is small
};

}  // namespace

std::unique_ptr<Tuner> MakeModelTuner(const SearchSpace& space, uint64_t seed,
                                      const std::vector<Examples>& others) {
  return std::make_unique<ModelTuner>(space, seed, others);
}

}  // namespace assay::tune
