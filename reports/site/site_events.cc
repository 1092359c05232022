#include "reports/site/site_events.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "absl/base/casts.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "reports/history/events.h"
#include "reports/history/for_all.h"
#include "reports/history/machine_levels.h"
#include "reports/site/window_series.h"
#include "reports/stats/summary.h"
#include "reports/stats/verdict.h"
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

// The result of a block. Levels are relative to the machine's last night before
// the block.
struct BlockEvents {
  std::vector<std::pair<size_t, SiteEvent>> events;  // with their cells
  std::map<std::string, std::vector<SiteMachineNight>> machines;
};

float Relative(double difference) {
  return static_cast<float>(std::expm1(difference));
}

std::vector<Block> BlocksOf(const StoreSummary& store,
                            const SiteEventOptions& options) {
  const auto runs = static_cast<uint32_t>(store.runs().size());
  int64_t rows = 0;
  for (const SummarizedCell& cell : store.cells()) {
    rows += static_cast<int64_t>(cell.rows.size());
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
    (*all)[now.machine][now.run].push_back(now.value - before.value);
  }
}

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
  result.what = event.what;
  result.reason = event.reason;
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

// Returns the series of all cells in the runs of the block and before it.
absl::StatusOr<std::vector<CellSeries>> SeriesOf(const StoreSummary& store,
                                                 const Block& block) {
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
      const std::string* last = nullptr;
      for (const Point& point : cell.series.points) {
        if (last == nullptr || *last != point.machine) {
          machines.insert(point.machine);
        }
        last = &point.machine;
      }
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
    result.events.emplace_back(cell_of[event.series], EventOf(event, of));
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

// The form in which a block is kept: fixed parts, and each text once.
struct KeptEvent {
  uint32_t cell, run, run_before, found;
  float change, lower, upper;
  uint32_t what, reason;
  uint8_t metric, causes, flags, unused;
};
static_assert(sizeof(KeptEvent) == 40);

constexpr Cause kCauses[] = {Cause::kCode, Cause::kLayout, Cause::kMachine,
                             Cause::kMethod};

std::string Keep(const BlockEvents& block, const StoreSummary& store,
                 uint32_t first) {
  Texts texts;
  std::vector<KeptEvent> kept;
  for (const auto& [cell, e] : block.events) {
    uint8_t causes = 0;
    for (size_t i = 0; i < std::size(kCauses); ++i) {
      if (e.causes.Has(kCauses[i])) causes |= static_cast<uint8_t>(1u << i);
    }
    const auto flags =
        static_cast<uint8_t>((e.other_machine ? 1 : 0) | (e.shift ? 2 : 0) |
                             (e.published ? 4 : 0) | (e.improved ? 8 : 0));
    kept.push_back({texts.NumberOf(store.cells()[cell].name), e.run,
                    e.run_before, e.found - first, e.change, e.lower, e.upper,
                    texts.NumberOf(e.what), texts.NumberOf(e.reason),
                    static_cast<uint8_t>(e.metric), causes, flags, 0});
  }
  nlohmann::json head = {{"texts", nlohmann::json::array()},
                         {"machines", nlohmann::json::object()}};
  for (size_t i = 0; i < texts.size(); ++i) {
    head["texts"].push_back(texts.Text(static_cast<uint32_t>(i)));
  }
  for (const auto& [machine, nights] : block.machines) {
    head["machines"][machine] = std::string();
    std::string& bytes = head["machines"][machine].get_ref<std::string&>();
    for (const SiteMachineNight& n : nights) {
      absl::StrAppend(&bytes, n.run, " ", n.unchanged, " ",
                      absl::Hex(absl::bit_cast<uint64_t>(n.level)));
      for (const float value : {n.movement, n.lower, n.upper, n.noise}) {
        absl::StrAppend(&bytes, " ",
                        absl::Hex(absl::bit_cast<uint32_t>(value)));
      }
      bytes += "\n";
    }
  }
  std::string text =
      head.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  text += '\0';
  text.append(reinterpret_cast<const char*>(kept.data()),
              kept.size() * sizeof(KeptEvent));
  return text;
}

std::optional<std::vector<SiteMachineNight>> ParseNights(
    const std::string& text) {
  std::vector<SiteMachineNight> nights;
  for (const absl::string_view line :
       absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    const std::vector<std::string> words = absl::StrSplit(line, ' ');
    SiteMachineNight n;
    uint64_t level = 0;
    uint32_t values[4];
    if (words.size() != 7 || !absl::SimpleAtoi(words[0], &n.run) ||
        !absl::SimpleAtoi(words[1], &n.unchanged) ||
        !absl::SimpleHexAtoi(words[2], &level)) {
      return std::nullopt;
    }
    for (size_t i = 0; i < 4; ++i) {
      if (!absl::SimpleHexAtoi(words[3 + i], &values[i])) return std::nullopt;
    }
    n.level = absl::bit_cast<double>(level);
    n.movement = absl::bit_cast<float>(values[0]);
    n.lower = absl::bit_cast<float>(values[1]);
    n.upper = absl::bit_cast<float>(values[2]);
    n.noise = absl::bit_cast<float>(values[3]);
    nights.push_back(n);
  }
  return nights;
}

// Returns nullopt if the text is damaged, or about cells that are gone.
std::optional<BlockEvents> ReadKept(
    const std::string& text, uint32_t first,
    const absl::flat_hash_map<std::string, size_t>& cells) {
  const size_t end = text.find('\0');
  if (end == std::string::npos ||
      (text.size() - end - 1) % sizeof(KeptEvent) != 0) {
    return std::nullopt;
  }
  const nlohmann::json head =
      nlohmann::json::parse(text.begin(), text.begin() + end, nullptr, false);
  if (!head.is_object() || !head["texts"].is_array() ||
      !head["machines"].is_object()) {
    return std::nullopt;
  }
  std::vector<std::string> texts;
  for (const auto& t : head["texts"]) {
    if (!t.is_string()) return std::nullopt;
    texts.push_back(t.get<std::string>());
  }
  std::vector<KeptEvent> kept((text.size() - end - 1) / sizeof(KeptEvent));
  if (!kept.empty()) {
    std::memcpy(kept.data(), text.data() + end + 1,
                kept.size() * sizeof(KeptEvent));
  }
  BlockEvents block;
  for (const KeptEvent& k : kept) {
    if (k.cell >= texts.size() || k.what >= texts.size() ||
        k.reason >= texts.size() ||
        k.metric > static_cast<uint8_t>(Metric::kReference)) {
      return std::nullopt;
    }
    const auto cell = cells.find(texts[k.cell]);
    if (cell == cells.end()) return std::nullopt;
    SiteEvent e;
    e.run = k.run;
    e.run_before = k.run_before;
    e.found = k.found + first;
    e.metric = static_cast<Metric>(k.metric);
    for (size_t i = 0; i < std::size(kCauses); ++i) {
      if ((k.causes & (1u << i)) != 0) e.causes.Add(kCauses[i]);
    }
    e.other_machine = (k.flags & 1) != 0;
    e.shift = (k.flags & 2) != 0;
    e.published = (k.flags & 4) != 0;
    e.improved = (k.flags & 8) != 0;
    e.change = k.change;
    e.lower = k.lower;
    e.upper = k.upper;
    e.what = texts[k.what];
    e.reason = texts[k.reason];
    block.events.emplace_back(cell->second, std::move(e));
  }
  for (const auto& [machine, nights] : head["machines"].items()) {
    if (!nights.is_string()) return std::nullopt;
    auto parsed = ParseNights(nights.get<std::string>());
    if (!parsed.has_value()) return std::nullopt;
    block.machines[machine] = *std::move(parsed);
  }
  return block;
}

void Append(BlockEvents block, SiteEvents* all) {
  for (auto& [cell, event] : block.events) {
    all->of_cell[cell].push_back(std::move(event));
  }
  for (auto& [machine, nights] : block.machines) {
    std::vector<SiteMachineNight>& known = all->machines[machine];
    const double before = known.empty() ? 0 : known.back().level;
    for (SiteMachineNight& night : nights) {
      night.level += before;
      known.push_back(night);
    }
  }
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
  // The digest of everything up to the end of a block.
  std::string key;
  for (const Block& block : BlocksOf(store, options)) {
    std::string name = key;
    for (uint32_t run = block.first; run < block.end; ++run) {
      absl::StrAppend(&name, store.runs()[run].name, "\n",
                      store.runs()[run].state);
    }
    key = Sha256Hex(absl::StrCat(kAnalysisVersion, " ", options.block_days, " ",
                                 options.days_before, " ",
                                 options.days_before_digest, "\n", name));
    const std::string place = absl::StrCat("block ", block.first);
    if (block.complete) {
      const std::optional<std::string> kept = store.Get(place, key);
      if (kept.has_value()) {
        std::optional<BlockEvents> events = ReadKept(*kept, block.first, cells);
        if (events.has_value()) {
          Append(*std::move(events), &all);
          continue;
        }
      }
    }
    ASSAY_ASSIGN_OR_RETURN(BlockEvents events, Analyze(store, block, all));
    // Events that cannot be kept are computed again.
    if (block.complete) {
      store.Put(place, key, Keep(events, store, block.first)).IgnoreError();
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
