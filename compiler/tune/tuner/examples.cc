#include "compiler/tune/tuner/examples.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace assay::tune {
namespace {

// The seconds to which labels are relative; nullopt if all trials have failed.
std::optional<double> Reference(const SearchSpace& space,
                                const std::vector<Measured>& results) {
  std::optional<double> fastest;
  for (const Measured& result : results) {
    if (!result.seconds.has_value()) continue;
    if (result.point == space.default_point()) return result.seconds;
    fastest = std::min(fastest.value_or(*result.seconds), *result.seconds);
  }
  return fastest;
}

}  // namespace

Examples ExamplesOf(const SearchSpace& space,
                    const std::vector<Measured>& results) {
  Examples examples = {
      space.feature_names(), FeatureRows(space.feature_names().size()), {}};
  const std::optional<double> reference = Reference(space, results);
  for (const Measured& result : results) {
    examples.rows.Add(space.Features(result.point));
    const float label =
        result.seconds.has_value()
            ? static_cast<float>(std::log(*result.seconds / *reference))
            : kMaxLabel;
    examples.labels.push_back(std::min(label, kMaxLabel));
  }
  return examples;
}

}  // namespace assay::tune
