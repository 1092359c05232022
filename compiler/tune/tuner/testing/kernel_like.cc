#include "compiler/tune/tuner/testing/kernel_like.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/random.h"

namespace assay::tune {
namespace {

constexpr int kKnobs = 4;

SearchSpace MakeSpace(int64_t points) {
  // A knob of an implementation has this number of values.
  const auto values = static_cast<int64_t>(
      std::lround(std::pow(static_cast<double>(points) / 2, 1.0 / kKnobs)));
  std::vector<SearchSpace::Implementation> implementations;
  for (const char* name : {"op.first", "op.second"}) {
    SearchSpace::Implementation implementation;
    implementation.name = name;
    for (int knob = 0; knob < kKnobs; ++knob) {
      std::vector<int64_t> all;
      for (int64_t i = 0; i < std::max<int64_t>(values, 2); ++i) {
        all.push_back(i);
      }
      implementation.configs.DefineKnob(absl::StrCat("knob", knob), all);
    }
    implementation.preferred =
        implementation.configs.At(implementation.configs.size() / 3);
    implementations.push_back(implementation);
  }
  return SearchSpace(implementations);
}

}  // namespace

KernelLike::KernelLike(int64_t points, uint64_t seed)
    : seed_(seed), space_(MakeSpace(points)) {
  best_ = std::numeric_limits<double>::infinity();
  for (int64_t point = 0; point < space_.size(); ++point) {
    best_ = std::min(best_, Seconds(point).value_or(best_));
  }
}

std::optional<double> KernelLike::Seconds(int64_t point) const {
  Rng own(SeedFor(seed_, absl::StrCat("point ", point)));
  if (point != space_.default_point() && own.UniformInt(0, 9) == 0) {
    return std::nullopt;
  }
  const SearchSpace::Choice choice = space_.At(point);
  Rng shape(SeedFor(seed_, choice.implementation));
  // Each knob has a best value; the last one depends on the first.
  double seconds = choice.implementation == "op.first" ? 1.0 : 1.3;
  double first = 0;
  for (int knob = 0; knob < kKnobs; ++knob) {
    const auto name = absl::StrCat("knob", knob);
    const auto values = static_cast<double>(
        space_.implementations()[0].configs.knobs()[0].candidates.size());
    const double value =
        static_cast<double>(choice.config.Knob(name)) / (values - 1);
    double best = shape.UniformFloat(0, 1);
    const double weight = shape.UniformFloat(0.2f, 3);
    if (knob == 0) first = value;
    if (knob == kKnobs - 1) best = std::abs(best - first);
    seconds += weight * (value - best) * (value - best);
    // Beyond a limit, registers spill.
    if (value > best + 0.4) seconds += 1;
  }
  return seconds * (1 + 0.02 * own.UniformFloat(0, 1));
}

}  // namespace assay::tune
