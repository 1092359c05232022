#include "compiler/tune/search/tuner.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"

namespace assay::tune {

// Makes the next plan if all points of the current one have results.
void Tuner::Advance() {
  while (!exhausted()) {
    for (const int64_t point : plan_) {
      if (results_.find(point) == results_.end()) return;
    }
    for (const int64_t point : plan_) {
      history_.push_back({point, results_.at(point)});
      visited_.insert(point);
    }
    Rng rng(SeedFor(seed_, absl::StrCat("plan ", plans_)));
    plan_ = Plan(history_, visited_, rng);
    CHECK(!plan_.empty());
    if (plans_++ == 0 && !visited_.contains(space_.default_point())) {
      const auto usual =
          std::find(plan_.begin(), plan_.end(), space_.default_point());
      if (usual != plan_.end()) plan_.erase(usual);
      plan_.insert(plan_.begin(), space_.default_point());
    }
    next_ = 0;
  }
}

std::vector<int64_t> Tuner::Next(int count) {
  Advance();
  std::vector<int64_t> points;
  while (next_ < plan_.size() && static_cast<int>(points.size()) < count) {
    const int64_t point = plan_[next_++];
    if (results_.find(point) == results_.end()) points.push_back(point);
  }
  return points;
}

void Tuner::Update(const Measured& result) {
  CHECK(result.point >= 0 && result.point < space_.size()) << result.point;
  results_.try_emplace(result.point, result.seconds);
}

bool Tuner::exhausted() const { return num_results() == space_.size(); }

std::optional<Measured> Tuner::best() const {
  std::optional<Measured> best;
  for (const auto& [point, seconds] : results_) {
    if (!seconds.has_value()) continue;
    if (!best.has_value() || *seconds < *best->seconds) {
      best = {point, seconds};
    }
  }
  return best;
}

}  // namespace assay::tune
