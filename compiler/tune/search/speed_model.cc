#include "compiler/tune/search/speed_model.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "runtime/base/random.h"

namespace assay::tune {
namespace {

// Rows of all other tasks together; the time of fitting grows with them.
constexpr size_t kMaxBaseRows = 2048;
// A few rows of other tasks mislead more than they teach.
constexpr size_t kMinBaseRows = 16;
constexpr TreeOptions kBaseTrees = {/*trees=*/100, /*depth=*/6,
                                    /*learning_rate=*/0.2};
constexpr TreeOptions kOwnTrees = {/*trees=*/50, /*depth=*/4,
                                   /*learning_rate=*/0.3};

using Columns = std::map<std::string, size_t>;

Columns ColumnsOf(const std::vector<std::string>& names) {
  Columns columns;
  for (size_t i = 0; i < names.size(); ++i) columns[names[i]] = i;
  return columns;
}

// Returns the rows of `other` whose implementation is one of `space`.
std::vector<size_t> RelatedRows(const SearchSpace& space, const Examples& other,
                                const Columns& columns) {
  std::vector<size_t> related;
  for (size_t r = 0; r < other.rows.size(); ++r) {
    for (const auto& implementation : space.implementations()) {
      const auto column = columns.find(implementation.name);
      if (column == columns.end() || other.rows[r][column->second] != 1) {
        continue;
      }
      related.push_back(r);
      break;
    }
  }
  return related;
}

// Adds up to `most` random rows of `other` with the columns of `space`.
void AddRows(const SearchSpace& space, const Examples& other, size_t most,
             Rng& rng, FeatureRows* rows, std::vector<float>* labels) {
  const Columns columns = ColumnsOf(other.names);
  std::vector<size_t> related = RelatedRows(space, other, columns);
  const std::vector<std::string>& names = space.feature_names();
  for (size_t i = 0; i < std::min(related.size(), most); ++i) {
    const auto j = static_cast<size_t>(rng.UniformInt(
        static_cast<int64_t>(i), static_cast<int64_t>(related.size()) - 1));
    std::swap(related[i], related[j]);
    std::vector<float> row(names.size(),
                           std::numeric_limits<float>::quiet_NaN());
    for (size_t c = 0; c < names.size(); ++c) {
      const auto column = columns.find(names[c]);
      if (column != columns.end()) {
        row[c] = other.rows[related[i]][column->second];
      }
    }
    rows->Add(row);
    labels->push_back(other.labels[related[i]]);
  }
}

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

SpeedModel::SpeedModel(const SearchSpace& space,
                       const std::vector<Examples>& others)
    : space_(space) {
  FeatureRows rows(space.feature_names().size());
  std::vector<float> labels;
  Rng rng(SeedFor(0, "base"));
  for (const Examples& other : others) {
    AddRows(space, other, kMaxBaseRows / others.size(), rng, &rows, &labels);
  }
  if (rows.size() < kMinBaseRows) return;
  base_ = std::make_unique<BoostedTrees>(rows, labels, kBaseTrees);
}

void SpeedModel::Fit(const std::vector<Measured>& results) {
  Examples examples = ExamplesOf(space_, results);
  own_ = nullptr;
  const std::vector<float> base = Predict(examples.rows);
  for (size_t i = 0; i < base.size(); ++i) examples.labels[i] -= base[i];
  own_ =
      std::make_unique<BoostedTrees>(examples.rows, examples.labels, kOwnTrees);
}

std::vector<float> SpeedModel::Predict(const FeatureRows& rows) const {
  std::vector<float> sum(rows.size(), 0.0f);
  for (const BoostedTrees* trees : {base_.get(), own_.get()}) {
    if (trees == nullptr) continue;
    const std::vector<float> part = trees->Predict(rows);
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
  }
  return sum;
}

}  // namespace assay::tune
