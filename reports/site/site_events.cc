#include "reports/site/site_events.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "reports/history/events.h"
#include "reports/history/machine_levels.h"
#include "reports/site/block_events.h"
#include "reports/site/window_series.h"
#include "reports/stats/summary.h"
#include "reports/stats/verdict.h"
#include "runtime/base/parallel/for_all.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

// Part of the key of what is kept in the cache. Increment it when the analysis
// changes.
constexpr int kAnalysisVersion = 3;

// The runs [first, end), analyzed together with those since `before`.
struct Block {
  uint32_t before = 0;
  uint32_t before_digest = 0;  // for latencies of programs with a digest
  uint32_t first = 0;
  uint32_t end = 0;
  bool complete = false;
};

float Relative(double difference) {
  return static_cast<float>(std::expm1(difference));
}

std::vector<Block> BlocksOf(const StoreSummary& store,
                            const SiteEventOptions& options) {
  const auto runs = static_cast<uint32_t>(store.runs().size());
  int64_t rows = 0;
  for (const SummarizedRun& run : store.runs()) {
    rows += static_cast<int64_t>(run.rows.size());
  }
  if (rows <= options.rows_at_once) return {{0, 0, 0, runs, false}};
  std::vector<int64_t> days;
  for (const SummarizedRun& run : store.runs()) {
    // A start time that is no time does not reorder the runs.
    const int64_t last = days.empty() ? 0 : days.back();
    days.push_back(std::max(last, DayOf(run.header.started_at, last)));
  }
  std::vector<Block> blocks;
  for (uint32_t first = 0; first < runs;) {
    const int64_t number = days[first] / options.block_days;
    uint32_t end = first;
    while (end < runs && days[end] / options.block_days == number) ++end;
    const auto before = [&](int64_t count) {
      uint32_t run = first;
      while (run > 0 && days[run - 1] >= number * options.block_days - count) {
        --run;
      }
      return run;
    };
    blocks.push_back({before(options.days_before),
                      before(options.days_before_digest), first, end,
                      end < runs});
    first = end;
  }
  return blocks;
}

// The spread of the unchanged programs of a night around their median.
float NoiseOf(const std::vector<double>& differences) {
  if (static_cast<int64_t>(differences.size()) < kMinUnchanged) {
    return kNoValue;
  }
  const double median = stats::Median(differences);
  std::vector<double> distances;
  for (const double d : differences) distances.push_back(std::abs(d - median));
  // A difference has the noise of two nights.
  return static_cast<float>(1.4826 * stats::Median(distances) / std::sqrt(2.0));
}

// The differences of the logarithms of unchanged programs between neighbouring
// nights, by machine and run of the later night.
using Differences =
    std::map<std::string, absl::flat_hash_map<size_t, std::vector<double>>>;

void AddDifferences(const Series& series, uint32_t first, Differences* all) {
  for (size_t i = 1; i < series.points.size(); ++i) {
    const Point& before = series.points[i - 1];
    const Point& now = series.points[i];
    if (now.run < first || now.machine != before.machine) continue;
    const Step* step = StepAt(series, i);
    if (step != nullptr && !step->change.causes.same_program()) continue;
    (*all)[series.MachineAt(now)][now.run].push_back(now.value - before.value);
  }
}

// Returns the event without its texts.
SiteEvent EventOf(const Event& event, const Series& series) {
  SiteEvent result;
  result.run = static_cast<uint32_t>(series.points[event.point].run);
  result.run_before =
      event.point == 0
          ? result.run
          : static_cast<uint32_t>(series.points[event.point - 1].run);
  result.found = result.run;
  result.metric = series.metric;
  result.causes = event.causes;
  result.other_machine = event.other_machine;
  result.published = event.published;
  if (event.change.has_value()) {
    result.change = static_cast<float>(*event.change);
  }
  if (event.shift.has_value()) {
    result.shift = true;
    result.found = static_cast<uint32_t>(
        series.points[static_cast<size_t>(event.shift->found)].run);
  } else if (event.side_by_side.has_value() && event.change.has_value()) {
    const SideBySide& compared = *event.side_by_side;
    if (std::isfinite(compared.upper)) {
      result.lower = static_cast<float>(compared.lower);
      result.upper = static_cast<float>(compared.upper);
    }
    result.improved = compared.verdict == stats::Verdict::kImproved;
  }
  return result;
}

// The levels of machines are estimated from so many cells. More would not make
// them better, but take longer.
constexpr size_t kLevelCells = 2000;

// Returns the levels of the machines in these series.
MachineLevels LevelsOf(const StoreSummary& store,
                       absl::Span<const CellSeries> cells) {
  const size_t stride = (store.cells().size() + kLevelCells - 1) / kLevelCells;
  std::vector<Series> sample;
  for (const CellSeries& cell : cells) {
    if (cell.cell % std::max<size_t>(stride, 1) == 0) {
      sample.push_back(cell.series);
    }
  }
  return MachineLevels(sample, kMinUnchanged);
}

// Returns the first run of the last known shift of a series; 0 if there is
// none.
uint32_t LastShift(absl::Span<const SiteEvent> known, Metric metric) {
  uint32_t run = 0;
  for (const SiteEvent& event : known) {
    if (event.shift && event.metric == metric) run = std::max(run, event.run);
  }
  return run;
}

// The number of cells that a thread takes at once.
constexpr size_t kPart = 128;

// Loads the texts of the rows of the block and before it, of which most are
// needed.
absl::Status LoadTexts(const StoreSummary& store, const Block& block) {
  std::vector<bool> is_needed;
  for (uint32_t run = block.before; run < block.end; ++run) {
    for (const RowSummary& row : store.runs()[run].rows) {
      for (const uint32_t text : {row.program, row.method, row.machine}) {
        if (text >= is_needed.size()) is_needed.resize(text + 1);
        is_needed[text] = true;
      }
    }
  }
  std::vector<uint32_t> texts;
  for (uint32_t text = 0; text < is_needed.size(); ++text) {
    if (is_needed[text]) texts.push_back(text);
  }
  return store.LoadTexts(texts);
}

// Returns the series of all cells in the runs of the block and before it.
absl::StatusOr<std::vector<CellSeries>> SeriesOf(const StoreSummary& store,
                                                 const Block& block) {
  ASSAY_RETURN_IF_ERROR(LoadTexts(store, block));
  const size_t count = store.cells().size();
  std::vector<absl::StatusOr<std::vector<CellSeries>>> parts(
      (count + kPart - 1) / kPart);
  ForAll(parts.size(), [&](size_t part) {
    WindowSeries window(store);
    parts[part] =
        window.Build({block.before, block.before_digest, block.end,
                      part * kPart, std::min(count, (part + 1) * kPart)});
  });
  std::vector<CellSeries> all;
  for (absl::StatusOr<std::vector<CellSeries>>& part : parts) {
    ASSAY_RETURN_IF_ERROR(part.status());
    all.insert(all.end(), std::make_move_iterator(part->begin()),
               std::make_move_iterator(part->end()));
  }
  return all;
}

absl::StatusOr<BlockEvents> Analyze(const StoreSummary& store,
                                    const Block& block,
                                    const SiteEvents& known) {
  ASSAY_ASSIGN_OR_RETURN(std::vector<CellSeries> cells, SeriesOf(store, block));
  MachineLevels levels = LevelsOf(store, cells);
  std::vector<size_t> cell_of;
  std::vector<Series> series;
  NewEvents wanted;
  wanted.first_run = block.first;
  Differences differences;
  std::set<std::string> machines;
  for (CellSeries& cell : cells) {
    if (cell.series.metric == Metric::kLatency) {
      AddDifferences(cell.series, block.first, &differences);
      machines.insert(cell.series.machines.begin(), cell.series.machines.end());
    }
    cell_of.push_back(cell.cell);
    wanted.shifted.push_back(
        LastShift(known.of_cell[cell.cell], cell.series.metric));
    series.push_back(std::move(cell.series));
  }
  const AnalyzedHistory analyzed =
      FindEvents(std::move(series), std::move(levels), wanted);
  BlockEvents result;
  for (const Event& event : analyzed.events) {
    const Series& of = analyzed.series[event.series];
    // The steps of the program, of the method and of the machine are those of
    // the latency.
    if (of.metric != Metric::kLatency && !event.shift.has_value()) continue;
    SiteEvent found = EventOf(event, of);
    found.what = result.texts.emplace_back(event.what);
    found.reason = result.texts.emplace_back(event.reason);
    result.events.emplace_back(cell_of[event.series], found);
  }
  for (const std::string& machine : machines) {
    double before = 0;
    for (const MachineNight& night :
         analyzed.levels.NightsOf(Metric::kLatency, machine)) {
      if (night.run < block.first) {
        before = night.level;
        continue;
      }
      SiteMachineNight of_block;
      of_block.run = static_cast<uint32_t>(night.run);
      of_block.unchanged = night.unchanged;
      of_block.level = night.level - before;
      if (night.movement.has_value()) {
        of_block.movement = Relative(night.movement->change);
        of_block.lower = Relative(night.movement->lower);
        of_block.upper = Relative(night.movement->upper);
      }
      const auto& of_machine = differences[machine];
      const auto unchanged = of_machine.find(night.run);
      if (unchanged != of_machine.end()) {
        of_block.noise = NoiseOf(unchanged->second);
      }
      result.machines[machine].push_back(of_block);
    }
  }
  return result;
}

void Append(BlockEvents block, SiteEvents* all) {
  for (auto& [cell, event] : block.events) {
    all->of_cell[cell].push_back(event);
  }
  all->texts.push_back(
      std::make_unique<std::deque<std::string>>(std::move(block.texts)));
  for (auto& [machine, nights] : block.machines) {
    std::vector<SiteMachineNight>& known = all->machines[machine];
    const double before = known.empty() ? 0 : known.back().level;
    for (SiteMachineNight& night : nights) {
      night.level += before;
      known.push_back(night);
    }
  }
}

// The name of a block in the cache.
std::string PlaceOf(const Block& block) {
  return absl::StrCat("block ", block.first);
}

// Returns a digest of everything up to the end of each block.
std::vector<std::string> KeysOf(const StoreSummary& store,
                                const std::vector<Block>& blocks,
                                const SiteEventOptions& options) {
  std::vector<std::string> keys;
  std::string key;
  for (const Block& block : blocks) {
    std::string name = key;
    for (uint32_t run = block.first; run < block.end; ++run) {
      absl::StrAppend(&name, store.runs()[run].name, "\n",
                      store.runs()[run].state);
    }
    key = Sha256Hex(absl::StrCat(kAnalysisVersion, " ", options.block_days, " ",
                                 options.days_before, " ",
                                 options.days_before_digest, "\n", name));
    keys.push_back(key);
  }
  return keys;
}

}  // namespace

int64_t DayOf(absl::string_view started_at, int64_t otherwise) {
  absl::Time time;
  if (!absl::ParseTime(absl::RFC3339_full, started_at, &time, nullptr)) {
    return otherwise;
  }
  return absl::ToUnixSeconds(time) / 86400;
}

absl::StatusOr<SiteEvents> FindSiteEvents(const StoreSummary& store,
                                          const SiteEventOptions& options) {
  SiteEvents all;
  all.of_cell.resize(store.cells().size());
  absl::flat_hash_map<std::string, size_t> cells;
  for (size_t i = 0; i < store.cells().size(); ++i) {
    cells[store.cells()[i].name] = i;
  }
  const std::vector<Block> blocks = BlocksOf(store, options);
  const std::vector<std::string> keys = KeysOf(store, blocks, options);
  std::vector<std::optional<BlockEvents>> kept(blocks.size());
  ForAll(blocks.size(), [&](size_t i) {
    if (!blocks[i].complete) return;
    const std::optional<std::string> text =
        store.Get(PlaceOf(blocks[i]), keys[i]);
    if (text.has_value()) kept[i] = ParseBlock(*text, blocks[i].first, cells);
  });
  for (size_t i = 0; i < blocks.size(); ++i) {
    const Block& block = blocks[i];
    if (kept[i].has_value()) {
      Append(*std::move(kept[i]), &all);
      continue;
    }
    ASSAY_ASSIGN_OR_RETURN(BlockEvents events, Analyze(store, block, all));
    // Events that cannot be kept are computed again.
    if (block.complete) {
      store
          .Put(PlaceOf(block), keys[i], FormatBlock(events, store, block.first))
          .IgnoreError();
    }
    Append(std::move(events), &all);
  }
  for (std::vector<SiteEvent>& events : all.of_cell) {
    std::sort(events.begin(), events.end(),
              [](const SiteEvent& a, const SiteEvent& b) {
                return std::make_tuple(a.run, a.metric, a.shift, a.found) <
                       std::make_tuple(b.run, b.metric, b.shift, b.found);
              });
  }
  return all;
}

}  // namespace assay::reports
