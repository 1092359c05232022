#include "reports/site/site_model.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "absl/strings/ascii.h"
#include "reports/stats/summary.h"
#include "reports/stats/verdict.h"
#include "reports/store/summary/summarize.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

// Medians of so many nights are compared to see whether a level still holds.
constexpr size_t kLevelNights = 5;

// Returns the median of at most kLevelNights nights of [first, end), from its
// beginning or its end.
double LevelOf(const SiteCell& cell, size_t first, size_t end, bool newest) {
  if (end - first > kLevelNights) {
    if (newest) {
      first = end - kLevelNights;
    } else {
      end = first + kLevelNights;
    }
  }
  std::vector<double> medians;
  for (size_t i = first; i < end; ++i) {
    medians.push_back(cell.nights[i]->median);
  }
  return stats::Median(medians);
}

// Returns true if the cell is still at least half as much slower as the event
// says.
bool StillSlower(const SiteCell& cell, const SiteEvent& event) {
  if (event.metric != Metric::kLatency || !(event.change > 0)) return true;
  const auto after = std::lower_bound(
      cell.nights.begin(), cell.nights.end(), event.run,
      [](const RowSummary* night, uint32_t run) { return night->run < run; });
  const auto split = static_cast<size_t>(after - cell.nights.begin());
  if (split == 0 || split == cell.nights.size()) return true;
  const double before = LevelOf(cell, 0, split, /*newest=*/true);
  const double now = LevelOf(cell, split, cell.nights.size(), /*newest=*/true);
  return now / before - 1 >= static_cast<double>(event.change) / 2;
}

// The newest run of each suite on each device.
using Newest = std::map<std::pair<std::string, std::string>, uint32_t>;

Newest NewestRuns(const StoreSummary& store) {
  Newest newest;
  for (const SummarizedCell& cell : store.cells()) {
    uint32_t& run = newest[{cell.suite, cell.key.device}];
    run = std::max(run, cell.rows.back()->run);
  }
  return newest;
}

absl::Status FillCell(const StoreSummary& store, const Newest& newest,
                      SiteCell& cell) {
  const SummarizedCell& of = *cell.cell;
  cell.newest = of.rows.back();
  cell.nights = of.nights;
  if (!cell.nights.empty()) cell.newest_night = cell.nights.back();
  const uint32_t run = newest.at({of.suite, of.key.device});
  cell.status =
      cell.newest->run == run ? &StatusOfRow(*cell.newest) : &StatusOf(kNotRun);
  for (const SiteEvent& event : *cell.events) {
    if (event.published) cell.published = event.run;
  }
  ASSAY_ASSIGN_OR_RETURN(const std::string* machine,
                         store.Text(cell.newest->machine));
  Row row;
  ASSAY_RETURN_IF_ERROR(ParseMachineText(*machine, &row));
  cell.fingerprint = row.fingerprint;
  return absl::OkStatus();
}

int64_t SilencedBy(const SiteInput& input, const SiteCell& cell) {
  const Level level = {cell.name, cell.fingerprint,
                       cell.newest_night == nullptr
                           ? 0.0
                           : static_cast<double>(cell.newest_night->median)};
  const Acknowledgement* by =
      SilencedBy(input.acknowledgements, level, input.now);
  return by == nullptr ? -1 : by - input.acknowledgements.data();
}

bool NeedsAttention(const SiteModel& model, const SiteCell& cell) {
  if (cell.cell == nullptr) return false;
  const bool ignored =
      cell.silenced >= 0 &&
      model.input->acknowledgements[static_cast<size_t>(cell.silenced)].kind ==
          Acknowledgement::Kind::kIgnore;
  const absl::string_view status = cell.status->name;
  if (status == "wrong_output" || status == "infrastructure") return !ignored;
  if (cell.silenced >= 0) return false;
  const auto runs = static_cast<uint32_t>(model.runs().size());
  const SiteEvent* last = nullptr;
  for (const SiteEvent& event : *cell.events) {
    if (event.published) last = &event;
  }
  return last != nullptr && last->run + kAttentionNights >= runs &&
         StillSlower(cell, *last);
}

bool HasImproved(const SiteModel& model, const SiteCell& cell) {
  if (cell.cell == nullptr) return false;
  const auto runs = static_cast<uint32_t>(model.runs().size());
  return std::any_of(cell.events->begin(), cell.events->end(),
                     [&](const SiteEvent& e) {
                       return e.improved && e.run + kAttentionNights >= runs;
                     });
}

}  // namespace

int64_t StatusNumber(const Status& status) {
  return &status - Statuses().data();
}

const Status& StatusOfRow(const RowSummary& row) {
  return StatusOf(stats::VerdictName(static_cast<stats::Verdict>(row.verdict)));
}

std::string CommitKey(const std::string& commit) {
  // `COMMIT+` is a tree with changes.
  std::string key = absl::AsciiStrToLower(commit.substr(0, 12));
  const bool is_commit =
      key.size() >= 7 && std::all_of(key.begin(), key.end(), [](char c) {
        return absl::ascii_isxdigit(static_cast<unsigned char>(c));
      });
  return is_commit ? key : "";
}

absl::string_view SiteMetricName(Metric metric) {
  switch (metric) {
    case Metric::kLatency:
      return "latency";
    case Metric::kLoad:
      return "load";
    case Metric::kReference:
      return "reference";
    case Metric::kMemory:
      return "memory";
    case Metric::kKernel:
      return "kernel";
  }
  return "";
}

absl::StatusOr<SiteModel> MakeSiteModel(const SiteInput& input,
                                        std::vector<std::string> known,
                                        const SiteEventOptions& options) {
  SiteModel model;
  model.input = &input;
  ASSAY_ASSIGN_OR_RETURN(model.events, FindSiteEvents(*input.store, options));
  for (std::string& name : known) {
    // A name that is there twice keeps its first ID.
    model.ids.try_emplace(name, model.cells.size());
    model.cells.emplace_back().name = std::move(name);
  }
  const Newest newest = NewestRuns(*input.store);
  for (size_t i = 0; i < input.store->cells().size(); ++i) {
    const SummarizedCell& cell = input.store->cells()[i];
    const auto id = model.ids.try_emplace(cell.name, model.cells.size());
    if (id.second) model.cells.emplace_back().name = cell.name;
    model.id_of.push_back(id.first->second);
    SiteCell& of = model.cells[id.first->second];
    of.cell = &cell;
    of.events = &model.events.of_cell[i];
    ASSAY_RETURN_IF_ERROR(FillCell(*input.store, newest, of));
    of.silenced = SilencedBy(input, of);
  }
  for (SiteCell& cell : model.cells) {
    if (cell.cell == nullptr) cell.status = &StatusOf(kNotRun);
  }
  for (size_t id = 0; id < model.cells.size(); ++id) {
    const SiteCell& cell = model.cells[id];
    if (NeedsAttention(model, cell)) model.attention.push_back(id);
    if (HasImproved(model, cell)) model.improvements.push_back(id);
  }
  const auto by_severity = [&](size_t a, size_t b) {
    const SiteCell& x = model.cells[a];
    const SiteCell& y = model.cells[b];
    // Wrong outputs and failures precede regressions; of those, the newest is
    // first. A regression of an earlier night has another status by now.
    const auto rank = [](const SiteCell& c) {
      return std::make_tuple(std::min(StatusNumber(*c.status), int64_t{2}),
                             -c.published);
    };
    return std::make_tuple(rank(x), a) < std::make_tuple(rank(y), b);
  };
  std::sort(model.attention.begin(), model.attention.end(), by_severity);
  std::sort(model.improvements.begin(), model.improvements.end(), by_severity);
  return model;
}

}  // namespace assay::reports
