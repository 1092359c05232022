#include "reports/factorial/factorial.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "reports/stats/binomial.h"
#include "reports/stats/summary.h"
#include "runtime/base/check.h"

namespace assay::reports {
namespace {

double MeanOf(const FactorialCell& cell) {
  return stats::Summarize(cell.samples).mean;
}

// +1 or -1: the sign of a cell in the contrast of these factors.
double SignOf(const FactorialCell& cell, const std::vector<size_t>& factors) {
  double sign = 1;
  for (const size_t factor : factors) {
    if (!cell.second[factor]) sign = -sign;
  }
  return sign;
}

Effect EffectOf(absl::Span<const FactorialCell> cells,
                std::vector<size_t> factors, double level) {
  const auto n = static_cast<double>(cells.size());
  // Half of the cells have each sign; there is no difference in the mean of
  // all.
  const double weight = factors.empty() ? 1 / n : 2 / n;
  Effect effect;
  double variance = 0;
  double satterthwaite = 0;
  for (const FactorialCell& cell : cells) {
    const stats::Summary summary = stats::Summarize(cell.samples);
    const auto samples = static_cast<double>(cell.samples.size());
    effect.estimate += weight * SignOf(cell, factors) * summary.mean;
    // The variance of the mean.
    const double part = weight * weight * summary.std * summary.std / samples;
    variance += part;
    satterthwaite += part * part / (samples - 1);
  }
  const double degrees =
      satterthwaite > 0 ? variance * variance / satterthwaite : 1;
  const double margin = StudentQuantile(level, degrees) * std::sqrt(variance);
  effect.lower = effect.estimate - margin;
  effect.upper = effect.estimate + margin;
  effect.factors = std::move(factors);
  return effect;
}

// The largest significant effect of so many factors; null if there is none.
const Effect* Strongest(absl::Span<const Effect> effects, size_t factors) {
  const Effect* strongest = nullptr;
  for (const Effect& effect : effects) {
    if (effect.factors.size() != factors || !effect.IsSignificant()) continue;
    if (strongest == nullptr ||
        std::abs(effect.estimate) > std::abs(strongest->estimate)) {
      strongest = &effect;
    }
  }
  return strongest;
}

// True if the cell has these values of the factors.
bool IsAt(const FactorialCell& cell,
          const std::vector<std::pair<size_t, bool>>& where) {
  return absl::c_all_of(where, [&](const std::pair<size_t, bool>& value) {
    return cell.second[value.first] == value.second;
  });
}

}  // namespace

double StudentQuantile(double level, double degrees) {
  CHECK(level > 0 && level < 1 && degrees > 0);
  // P(|t| > x) falls from 1 to 0.
  const auto exceeds = [&](double x) {
    return std::exp(stats::LogRegularizedBeta(degrees / 2, 0.5,
                                              degrees / (degrees + x * x)));
  };
  double lower = 0;
  double upper = 1;
  while (exceeds(upper) > 1 - level) upper *= 2;
  for (int i = 0; i < 100; ++i) {
    const double middle = (lower + upper) / 2;
    (exceeds(middle) > 1 - level ? lower : upper) = middle;
  }
  return upper;
}

absl::StatusOr<std::vector<Effect>> FactorialEffects(
    absl::Span<const FactorialCell> cells, double level) {
  if (cells.empty()) return absl::InvalidArgumentError("there are no cells");
  const size_t factors = cells[0].second.size();
  std::set<std::vector<bool>> combinations;
  for (const FactorialCell& cell : cells) {
    if (cell.second.size() != factors || cell.samples.size() < 2) {
      return absl::InvalidArgumentError("a cell has too few values");
    }
    if (!combinations.insert(cell.second).second) {
      return absl::InvalidArgumentError("a combination occurs twice");
    }
  }
  if (factors >= 20 || combinations.size() != (size_t{1} << factors)) {
    return absl::InvalidArgumentError("the design is not complete");
  }
  std::vector<Effect> effects = {EffectOf(cells, {}, level)};
  for (size_t i = 0; i < factors; ++i) {
    effects.push_back(EffectOf(cells, {i}, level));
  }
  for (size_t i = 0; i < factors; ++i) {
    for (size_t j = i + 1; j < factors; ++j) {
      effects.push_back(EffectOf(cells, {i, j}, level));
    }
  }
  return effects;
}

FactorialFinding Classify(absl::Span<const FactorialCell> cells,
                          absl::Span<const Effect> effects) {
  FactorialFinding finding;
  if (absl::c_none_of(effects,
                      [](const Effect& e) { return e.IsSignificant(); })) {
    return finding;
  }
  // A change that needs two values at once makes the effects of both factors
  // and that of the pair equally large.
  const Effect* single = Strongest(effects, 1);
  const Effect* pair = Strongest(effects, 2);
  const bool needs_both =
      pair != nullptr &&
      (single == nullptr ||
       std::abs(pair->estimate) >= std::abs(single->estimate) / 2);
  const Effect* strongest = needs_both ? pair : single;
  if (strongest == nullptr) {
    finding.sort = FactorialFinding::Sort::kEverywhere;
    return finding;
  }
  // The values of its factors with the largest change.
  std::map<std::vector<bool>, std::pair<double, int>> groups;
  for (const FactorialCell& cell : cells) {
    std::vector<bool> values;
    for (const size_t factor : strongest->factors) {
      values.push_back(cell.second[factor]);
    }
    auto& [sum, count] = groups[values];
    sum += MeanOf(cell);
    ++count;
  }
  const auto mean = [](const auto& group) {
    return std::abs(group.second.first / group.second.second);
  };
  const auto largest = std::max_element(
      groups.begin(), groups.end(),
      [&](const auto& a, const auto& b) { return mean(a) < mean(b); });
  for (size_t i = 0; i < strongest->factors.size(); ++i) {
    finding.where.emplace_back(strongest->factors[i], largest->first[i]);
  }
  double other = 0;
  double most = 0;
  for (const FactorialCell& cell : cells) {
    const double change = std::abs(MeanOf(cell));
    double& side = IsAt(cell, finding.where) ? most : other;
    side = std::max(side, change);
  }
  finding.sort = other < most / 4 ? FactorialFinding::Sort::kOnly
                                  : FactorialFinding::Sort::kMore;
  return finding;
}

}  // namespace assay::reports
