#include "compiler/tune/search/testing/kernel_like.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/ops/config.h"
#include "runtime/base/random.h"

namespace assay::tune {
namespace {

constexpr int kKnobs = 4;

// Best values of the knobs, and how much they matter. Values are in [0, 1].
struct Shape {
  double best[kKnobs];
  double weight[kKnobs];
};

Shape ShapeOf(uint64_t seed, const std::string& implementation) {
  Rng rng(SeedFor(seed, implementation));
  Shape shape;
  for (int knob = 0; knob < kKnobs; ++knob) {
    shape.best[knob] = rng.UniformFloat(0, 1);
    shape.weight[knob] = rng.UniformFloat(0.2f, 3);
  }
  return shape;
}

// Returns the value of a knob as a part of the largest one.
double ValueOf(const ops::Config& config, int knob, int64_t values) {
  return static_cast<double>(config.Knob(absl::StrCat("knob", knob))) /
         static_cast<double>(values - 1);
}

// The model knows which knobs matter, but neither that the last knob depends on
// the first, nor the cliffs, and it is wrong about the best values.
double ModelledSeconds(const Shape& shape, const ops::Config& config,
                       int64_t values) {
  double seconds = 1;
  for (int knob = 0; knob < kKnobs; ++knob) {
    const double distance =
        ValueOf(config, knob, values) - shape.best[knob] - 0.2;
    seconds += shape.weight[knob] * distance * distance;
  }
  return seconds;
}

SearchSpace MakeSpace(int64_t points, uint64_t seed) {
  // A knob of an implementation has this number of values.
  const auto values = std::max<int64_t>(
      2, std::lround(std::pow(static_cast<double>(points) / 2, 1.0 / kKnobs)));
  std::vector<SearchSpace::Implementation> implementations;
  for (const char* name : {"op.first", "op.second"}) {
    SearchSpace::Implementation implementation;
    implementation.name = name;
    for (int knob = 0; knob < kKnobs; ++knob) {
      std::vector<int64_t> all;
      for (int64_t i = 0; i < values; ++i) all.push_back(i);
      implementation.configs.DefineKnob(absl::StrCat("knob", knob), all);
    }
    implementation.preferred =
        implementation.configs.At(implementation.configs.size() / 3);
    const Shape shape = ShapeOf(seed, name);
    implementation.seconds = [shape, values](const ops::Config& config) {
      return ModelledSeconds(shape, config, values);
    };
    implementations.push_back(implementation);
  }
  return SearchSpace(implementations);
}

}  // namespace

KernelLike::KernelLike(int64_t points, uint64_t seed)
    : seed_(seed), space_(MakeSpace(points, seed)) {
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
  const Shape shape = ShapeOf(seed_, choice.implementation);
  const auto values = static_cast<int64_t>(
      space_.implementations()[0].configs.knobs()[0].candidates.size());
  // Each knob has a best value; that of the last one depends on the first.
  double seconds = choice.implementation == "op.first" ? 1.0 : 1.3;
  const double first = ValueOf(choice.config, 0, values);
  for (int knob = 0; knob < kKnobs; ++knob) {
    const double value = ValueOf(choice.config, knob, values);
    const double best = knob == kKnobs - 1 ? std::abs(shape.best[knob] - first)
                                           : shape.best[knob];
    seconds += shape.weight[knob] * (value - best) * (value - best);
    // Beyond a limit, registers spill.
    if (value > best + 0.4) seconds += 1;
  }
  return seconds * (1 + 0.02 * own.UniformFloat(0, 1));
}

}  // namespace assay::tune
