#include "reports/page/page_model.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "reports/stats/sign_interval.h"

namespace assay::reports {
namespace {

// Suite, model, device, whether each dimension has its default value, threads.
using CellName =
    std::tuple<std::string, std::string, std::string, std::vector<int>, int>;

CellName NameOf(const Row& row) {
  const CellKey& cell = row.cell;
  std::vector<int> variant;
  for (const Dimension& dimension : kDimensions) {
    variant.push_back(
        dimension.IsDefault(cell.variant) ? -1 : dimension.get(cell.variant));
  }
  return {row.suite, cell.model, cell.device, variant, cell.threads};
}

// Returns true for facts that differ in every run and are not reported.
bool IsVolatile(absl::string_view key) {
  return absl::StartsWith(key, "load") || absl::StartsWith(key, "frequency") ||
         absl::StartsWith(key, "temperature") || absl::StartsWith(key, "steal");
}

void Compare(const std::map<std::string, std::string>& before,
             const std::map<std::string, std::string>& after,
             std::vector<std::string>& differences) {
  std::map<std::string, std::string> all = before;
  all.insert(after.begin(), after.end());
  for (const auto& [key, unused] : all) {
    const auto value = [&key = key](const auto& facts) {
      const auto it = facts.find(key);
      return it == facts.end() ? std::string("unknown") : it->second;
    };
    if (!IsVolatile(key) && value(before) != value(after)) {
      differences.push_back(
          absl::StrCat(key, ": ", value(after), ", before ", value(before)));
    }
  }
}

Night NightOf(size_t run, const Row& row) {
  Night night;
  night.run = run;
  night.verdict = row.verdict;
  const stats::MedianInterval interval =
      stats::SignInterval(InMilliseconds(row.timing.samples_ns), kBandLevel);
  night.median_ms = interval.median;
  if (interval.bounded()) {
    night.lower_ms = interval.lower;
    night.upper_ms = interval.upper;
  }
  return night;
}

// Adds the differences between the environments of consecutive nights.
void AddEnvironments(absl::Span<const RunResult> history,
                     const std::vector<std::string>& fingerprints, Cell& cell) {
  for (size_t i = 1; i < cell.nights.size(); ++i) {
    const Environment& before = history[cell.nights[i - 1].run].environment;
    const Environment& after = history[cell.nights[i].run].environment;
    std::vector<std::string> differences;
    Compare(before.identity, after.identity, differences);
    Compare(before.state, after.state, differences);
    const bool identity = fingerprints[i - 1] != fingerprints[i];
    if (identity && differences.empty()) {
      differences.push_back(absl::StrCat("fingerprint: ", fingerprints[i],
                                         ", before ", fingerprints[i - 1]));
    }
    if (differences.empty()) continue;
    cell.environments.push_back(
        {i, identity, absl::StrJoin(differences, "; ")});
  }
}

// Adds the change points of each sequence of nights on the same machine.
void AddChanges(double level, Cell& cell) {
  std::vector<size_t> ends;
  for (const EnvironmentChange& change : cell.environments) {
    if (change.identity) ends.push_back(change.night);
  }
  ends.push_back(cell.nights.size());
  stats::ChangePointOptions options;
  options.level = level / static_cast<double>(ends.size());
  size_t first = 0;
  for (const size_t end : ends) {
    std::vector<double> logs;
    for (size_t i = first; i < end; ++i) {
      logs.push_back(std::log(cell.nights[i].median_ms));
    }
    for (stats::ChangePoint change : FindChangePoints(logs, options)) {
      change.index += static_cast<int64_t>(first);
      change.before = std::exp(change.before);
      change.after = std::exp(change.after);
      cell.changes.push_back(change);
    }
    first = end;
  }
}

}  // namespace

PageModel BuildPageModel(absl::Span<const RunResult> history) {
  struct Followed {
    Cell cell;
    std::vector<std::string> fingerprints;  // by night
  };
  std::map<CellName, Followed> cells;
  std::map<std::string, SuiteCensus> suites;
  for (size_t run = 0; run < history.size(); ++run) {
    for (const Row& row : history[run].rows) {
      Followed& followed = cells[NameOf(row)];
      followed.cell.row = &row;
      followed.cell.run = run;
      if (!row.timing.samples_ns.empty() && !row.emulated) {
        followed.cell.nights.push_back(NightOf(run, row));
        followed.fingerprints.push_back(row.fingerprint);
      }
      suites[row.suite].run = run;
    }
  }
  PageModel model;
  for (auto& [name, followed] : cells) {
    Cell& cell = followed.cell;
    SuiteCensus& suite = suites[cell.row->suite];
    cell.status =
        &StatusOf(cell.run == suite.run ? stats::VerdictName(cell.row->verdict)
                                        : kNotRun);
    ++suite.cells;
    if (cell.status->judged()) {
      ++suite.judged;
    } else {
      ++suite.not_judged[cell.status];
    }
    AddEnvironments(history, followed.fingerprints, cell);
    AddChanges(kPageLevel / static_cast<double>(cells.size()), cell);
    model.cells.push_back(std::move(cell));
  }
  std::sort(model.cells.begin(), model.cells.end(),
            [](const Cell& a, const Cell& b) {
              // Pointers into Statuses() are ordered by severity.
              return std::make_pair(a.status, NameOf(*a.row)) <
                     std::make_pair(b.status, NameOf(*b.row));
            });
  for (auto& [name, suite] : suites) {
    suite.suite = name;
    model.suites.push_back(std::move(suite));
  }
  return model;
}

}  // namespace assay::reports
