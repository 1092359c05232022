#include "reports/factorial/explain.h"

#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "reports/factorial/factorial.h"
#include "reports/result/variant.h"
#include "reports/stats/verdict.h"

namespace assay::reports {
namespace {

constexpr double kLevel = 0.99;

// A factor of a design: how to read its value from a row, and its two values.
struct Factor {
  std::string name;
  std::function<std::string(const Row&)> value_of;
  std::string values[2];

  std::string Text(bool second) const {
    return absl::StrCat(name, " ", values[second ? 1 : 0]);
  }
};

// All that can be a factor.
std::vector<Factor> AllFactors() {
  std::vector<Factor> factors;
  for (const Dimension& dimension : kDimensions) {
    if (!IsReported(dimension)) continue;
    factors.push_back({dimension.name,
                       [&dimension](const Row& row) {
                         return std::string(dimension.NameOf(row.cell.variant));
                       },
                       {}});
  }
  factors.push_back(
      {"threads",
       [](const Row& row) { return absl::StrCat(row.cell.threads); },
       {}});
  return factors;
}

// The factors with two values in these rows. Those with one value do not
// distinguish the rows.
std::vector<Factor> FactorsOf(const std::vector<const Row*>& rows) {
  std::vector<Factor> factors;
  for (Factor& factor : AllFactors()) {
    std::vector<std::string> values;
    for (const Row* row : rows) {
      const std::string value = factor.value_of(*row);
      if (values.empty() || (values.size() == 1 && values[0] != value)) {
        values.push_back(value);
      }
    }
    if (values.size() != 2) continue;
    // `on` is an addition to `off`, not the reverse.
    if (values[0] == "on" || values[0] == "tuned") {
      std::swap(values[0], values[1]);
    }
    factor.values[0] = values[0];
    factor.values[1] = values[1];
    factors.push_back(std::move(factor));
  }
  return factors;
}

// Returns true if nothing was measured because both commits have the same
// artifact.
bool IsSameArtifact(const Row& row) {
  return !row.comparison.paired.has_value() &&
         row.verdict == stats::Verdict::kEquivalent;
}

std::vector<double> LogRatios(const Row& row) {
  if (IsSameArtifact(row)) return {0, 0};
  const PairedComparison& paired = *row.comparison.paired;
  std::vector<double> ratios;
  for (size_t i = 0; i < paired.run_ns.size(); ++i) {
    ratios.push_back(std::log(paired.run_ns[i] / paired.base_ns[i]));
  }
  return ratios;
}

std::string Percent(double log_ratio) {
  return absl::StrFormat("%+.1f %%", 100 * std::expm1(log_ratio));
}

std::string WithInterval(const Effect& effect) {
  return absl::StrCat(Percent(effect.estimate), " [", Percent(effect.lower),
                      ", ", Percent(effect.upper), "]");
}

std::string WhereText(const FactorialFinding& finding,
                      const std::vector<Factor>& factors) {
  std::vector<std::string> parts;
  for (const auto& [factor, second] : finding.where) {
    parts.push_back(factors[factor].Text(second));
  }
  const std::string where = absl::StrJoin(parts, " and ");
  switch (finding.sort) {
    case FactorialFinding::Sort::kNowhere:
      return "not significant";
    case FactorialFinding::Sort::kEverywhere:
      return "equally in all cells";
    case FactorialFinding::Sort::kOnly:
      return absl::StrCat("only with ", where);
    case FactorialFinding::Sort::kMore:
      return absl::StrCat("more with ", where);
  }
  return "";
}

std::string ModelText(const std::vector<const Row*>& rows) {
  const std::vector<Factor> factors = FactorsOf(rows);
  if (factors.empty()) return "";
  std::vector<FactorialCell> cells;
  for (const Row* row : rows) {
    FactorialCell cell;
    for (const Factor& factor : factors) {
      cell.second.push_back(factor.value_of(*row) == factor.values[1]);
    }
    cell.samples = LogRatios(*row);
    cells.push_back(std::move(cell));
  }
  const auto effects = FactorialEffects(cells, kLevel);
  if (!effects.ok()) return "";
  const FactorialFinding finding = Classify(cells, *effects);
  const CellKey& key = rows[0]->cell;
  std::string text =
      absl::StrCat(key.model, " on ", key.device, ": ",
                   WithInterval((*effects)[0]), " in the mean of ", rows.size(),
                   " cells, ", WhereText(finding, factors), "\n");
  for (const Effect& effect : *effects) {
    if (effect.factors.empty() || !effect.IsSignificant()) continue;
    std::vector<std::string> parts;
    for (const size_t factor : effect.factors) {
      parts.push_back(absl::StrCat(factors[factor].Text(true), " instead of ",
                                   factors[factor].values[0]));
    }
    absl::StrAppend(&text, "  ", absl::StrJoin(parts, ", with "), ": ",
                    WithInterval(effect), "\n");
  }
  return text;
}

}  // namespace

std::string FactorialText(const RunResult& result) {
  std::map<std::pair<std::string, std::string>, std::vector<const Row*>> models;
  for (const Row& row : result.rows) {
    if (!row.comparison.paired.has_value() && !IsSameArtifact(row)) continue;
    models[{row.cell.model, row.cell.device}].push_back(&row);
  }
  std::string text;
  for (const auto& [key, rows] : models) {
    if (absl::c_all_of(rows, [](const Row* r) { return IsSameArtifact(*r); })) {
      continue;
    }
    text += ModelText(rows);
  }
  return text;
}

}  // namespace assay::reports
