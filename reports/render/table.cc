#include "reports/render/table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "reports/render/census.h"
#include "reports/render/format_ratio.h"
#include "runtime/text/text_table.h"

namespace assay::reports {
namespace {

using Column = runtime::TextTable::Column;

constexpr char kBoard[] = "board";
constexpr char kVsUntuned[] = "vs untuned";
constexpr char kPeak[] = "peak(MB)";

std::vector<Column> Columns() {
  std::vector<Column> columns = {{"model"}, {"device"}, {kBoard}};
  for (const Dimension& dimension : kDimensions) {
    if (IsReported(dimension)) columns.push_back({dimension.name});
  }
  for (const char* title :
       {"threads", "mean(ms)", "std(ms)", "median", "p90", "p99", "speedup",
        kVsUntuned, "GFLOP/s", "kernels", "max|err|", "compile(s)", "size(MB)",
        "load(ms)", "arena(MB)", kPeak, "baseline", "delta"}) {
    columns.push_back({title, runtime::TextTable::kRight});
  }
  columns.push_back({"verdict"});
  return columns;
}

std::string Megabytes(int64_t bytes) {
  return absl::StrFormat("%.2f", static_cast<double>(bytes) / 1e6);
}

std::string Milliseconds(const std::optional<double>& ms) {
  return ms.has_value() ? absl::StrFormat("%.3f", *ms) : "-";
}

// Three significant digits, without an exponent.
std::string Rounded(double ms) {
  const int digits =
      ms > 0 ? 2 - static_cast<int>(std::floor(std::log10(ms))) : 2;
  return absl::StrFormat("%.*f", std::max(0, digits), ms);
}

// A quantile of the latency with its interval, or, if there are too few samples
// for an upper bound, its lower bound. It is never the maximum of the samples.
std::string Quantile(const Row& row, double p) {
  const std::optional<stats::QuantileInterval> q = LatencyQuantile(row, p);
  if (!q.has_value() || row.timing.samples_ns.size() < 2) return "-";
  if (!std::isfinite(q->lower)) return "-";
  if (!q->bounded()) return absl::StrCat(">", Rounded(q->lower));
  return absl::StrCat(Rounded(q->value), " [", Rounded(q->lower), ", ",
                      Rounded(q->upper), "]");
}

// The change with the interval of a side-by-side comparison or the threshold of
// a screen.
std::string Delta(const Row& row) {
  if (row.comparison.paired.has_value()) {
    return absl::StrFormat(
        "%+.1f%% [%+.1f, %+.1f]", 100 * row.comparison.paired->change,
        100 * row.comparison.paired->lower, 100 * row.comparison.paired->upper);
  }
  if (!row.comparison.delta.has_value()) return "-";
  std::string text = absl::StrFormat("%+.1f%%", 100 * *row.comparison.delta);
  if (row.comparison.threshold.has_value()) {
    absl::StrAppendFormat(&text, " (%.1f%%)", 100 * *row.comparison.threshold);
  }
  return text;
}

// The size of the arena, and in brackets its excess over the live bytes.
std::string Arena(const Row& row) {
  if (row.build.kernels == 0) return "-";
  const std::string size = Megabytes(row.build.arena_bytes);
  if (row.build.live_bytes == 0) return size;
  const double above = static_cast<double>(row.build.arena_bytes) /
                           static_cast<double>(row.build.live_bytes) -
                       1;
  return absl::StrFormat("%s (%+.0f%%)", size, 100 * above);
}

std::vector<std::string> ToCells(const Row& row) {
  const std::optional<stats::Summary> timing = LatencySummary(row);
  const auto statistic = [&](double stats::Summary::* member) {
    return timing.has_value() ? Milliseconds((*timing).*member) : "-";
  };
  const std::optional<double> gflops = GflopPerSecond(row);
  const auto ratio = [](const std::optional<stats::Ratio>& speedup) {
    return speedup.has_value() ? FormatRatio(*speedup) : "-";
  };
  // A single sample has no spread.
  const bool spread = row.timing.samples_ns.size() > 1;
  std::string median = statistic(&stats::Summary::median);
  if (timing.has_value() && !row.timing.disturbances.empty()) median += "*";
  std::vector<std::string> cells = {
      row.cell.model,
      row.emulated ? absl::StrCat(row.cell.device, " (emulated)")
                   : row.cell.device,
      row.board.empty() ? "-" : row.board,
  };
  for (const Dimension& dimension : kDimensions) {
    if (IsReported(dimension)) {
      cells.emplace_back(dimension.NameOf(row.cell.variant));
    }
  }
  const std::vector<std::string> others = {
      absl::StrCat(row.cell.threads),
      statistic(&stats::Summary::mean),
      spread ? statistic(&stats::Summary::std) : "-",
      std::move(median),
      Quantile(row, 0.9),
      Quantile(row, 0.99),
      ratio(row.comparison.speedup_vs_unfused),
      ratio(row.comparison.speedup_vs_untuned),
      gflops.has_value() ? absl::StrFormat("%.1f", *gflops) : "-",
      row.build.kernels > 0 ? absl::StrCat(row.build.kernels) : "-",
      row.correctness.max_abs_error.has_value()
          ? absl::StrFormat("%.1e", *row.correctness.max_abs_error)
          : "-",
      row.build.compile_ms.has_value()
          ? absl::StrFormat("%.2f", *row.build.compile_ms / 1e3)
          : "-",
      row.build.artifact_bytes > 0 ? Megabytes(row.build.artifact_bytes) : "-",
      row.timing.load_ms.has_value()
          ? absl::StrFormat("%.2f", *row.timing.load_ms)
          : "-",
      Arena(row),
      row.timing.peak_rss_bytes.has_value()
          ? Megabytes(*row.timing.peak_rss_bytes)
          : "-",
      Milliseconds(row.comparison.baseline_ms),
      Delta(row),
      std::string(stats::VerdictName(row.verdict)),
  };
  cells.insert(cells.end(), others.begin(), others.end());
  return cells;
}

std::string Notes(const RunResult& result) {
  std::string notes;
  std::set<double> bounds;
  bool any_interval = false;
  bool any_few = false;  // too few samples for an upper bound of p99
  bool any_peak = false;
  bool any_speedup = false;
  bool any_vs_untuned = false;
  bool any_gflops = false;
  bool any_size = false;
  bool any_load = false;
  bool any_arena = false;
  bool any_delta = false;
  bool any_paired = false;
  bool any_emulated = false;
  for (const Row& row : result.rows) {
    if (row.correctness.max_abs_error_bound.has_value()) {
      bounds.insert(*row.correctness.max_abs_error_bound);
    }
    const auto p99 = LatencyQuantile(row, 0.99);
    any_interval |= row.timing.samples_ns.size() > 1;
    any_few |= row.timing.samples_ns.size() > 1 && !p99->bounded();
    any_peak |= row.timing.peak_rss_bytes.has_value();
    any_speedup |= row.comparison.speedup_vs_unfused.has_value();
    any_vs_untuned |= row.comparison.speedup_vs_untuned.has_value();
    any_gflops |= GflopPerSecond(row).has_value();
    any_size |= row.build.artifact_bytes > 0;
    any_load |= row.timing.load_ms.has_value();
    any_arena |= row.build.live_bytes > 0;
    any_delta |=
        row.comparison.delta.has_value() && !row.comparison.paired.has_value();
    any_paired |= row.comparison.paired.has_value();
    any_emulated |= row.emulated;
  }
  if (bounds.size() == 1) {
    absl::StrAppendFormat(&notes,
                          "max|err|: error of the output; tolerance %.1e\n",
                          *bounds.begin());
  } else if (bounds.size() > 1) {
    absl::StrAppendFormat(
        &notes,
        "max|err|: error of the output; tolerance %.1e to %.1e by model\n",
        *bounds.begin(), *bounds.rbegin());
  }
  if (any_interval) {
    absl::StrAppend(
        &notes, "p90, p99: percentiles of the samples; in brackets, the 95 % ",
        "interval",
        any_few ? absl::StrCat(
                      "; >: at least, from too few samples for an upper bound "
                      "(p99 needs ",
                      stats::SamplesForUpperBound(0.99, stats::kQuantileLevel),
                      ", see --repeat)")
                : "",
        "\n");
  }
  if (any_speedup) {
    notes +=
        "speedup: of fusion, median ratio of interleaved samples; in brackets, "
        "its 95 % interval\n";
  }
  if (any_vs_untuned) {
    notes +=
        "vs untuned: speedup of tuning, median ratio of interleaved samples; "
        "in brackets, its 95 % interval\n";
  }
  if (any_gflops) {
    notes +=
        "GFLOP/s: nominal, of the plain algorithms; Winograd and Strassen need "
        "fewer operations, and float32 may be split in bfloat16 parts\n";
  }
  if (any_size) {
    notes += "size: of the artifact's file, that is, of code and constants\n";
  }
  if (any_load) {
    notes +=
        "load: from the bytes of the artifact to a program that is ready to "
        "run\n";
  }
  if (any_arena) {
    notes +=
        "arena: of intermediate values; in brackets, excess over the peak of "
        "live bytes\n";
  }
  if (any_peak) {
    notes +=
        "peak: of the resident memory of a process that loads and runs the "
        "artifact\n";
  }
  if (any_delta) {
    notes +=
        "delta: change of the median; in brackets, the threshold of the "
        "screen\n";
  }
  if (any_paired) {
    notes +=
        "delta [from, to]: change against the other artifact, measured side by "
        "side, with its interval\n";
  }
  if (any_emulated) {
    notes +=
        "emulated: outputs are checked; times of an emulator are not "
        "meaningful\n";
  }
  return notes;
}

std::string CanaryNote(const Canary& canary) {
  std::string text;
  std::set<std::pair<int, std::string>> unreliable;
  for (const CanaryTrial& trial : canary) {
    absl::StrAppendFormat(
        &text, "canary: %s%s, %s%s: %s: %s\n",
        trial.board.empty() ? "" : absl::StrCat("on ", trial.board, ", "),
        trial.share == 0
            ? std::string("a kernel against its twin")
            : absl::StrFormat("with %.0f %% more work", 100 * trial.share),
        trial.threads == 1 ? std::string("one thread")
                           : absl::StrFormat("%d threads", trial.threads),
        trial.separate ? ", two processes" : "",
        stats::VerdictName(trial.verdict), trial.reason);
    if (!IsSound(canary, trial.threads, trial.board)) {
      unreliable.insert({trial.threads, trial.board});
    }
  }
  for (const auto& [threads, board] : unreliable) {
    absl::StrAppend(&text, "canary: side-by-side results of this session with ",
                    threads, " threads", board.empty() ? "" : " on ", board,
                    " are not reliable\n");
  }
  return text;
}

// The first source nodes; results.json has all of them.
std::string SourcesOf(const OperatorTime& op) {
  constexpr size_t kMaxShown = 6;
  const size_t shown = std::min(kMaxShown, op.sources.size());
  std::string text =
      absl::StrJoin(op.sources.begin(),
                    op.sources.begin() + static_cast<ptrdiff_t>(shown), ", ");
  if (shown < op.sources.size()) {
    absl::StrAppend(&text, " and ", op.sources.size() - shown, " more");
  }
  return text;
}

}  // namespace

std::string DisturbanceNotes(const RunResult& result) {
  std::map<std::string, std::vector<std::string>> rows;  // by disturbance
  for (const Row& row : result.rows) {
    if (row.timing.disturbances.empty()) continue;
    rows[absl::StrJoin(row.timing.disturbances, "; ")].push_back(absl::StrCat(
        row.cell.model, " on ", row.cell.device, ", ",
        VariantText(row.cell.variant), ", threads ", row.cell.threads));
  }
  std::string notes;
  for (const auto& [disturbance, names] : rows) {
    absl::StrAppend(&notes, "*: times are doubtful, because ", disturbance);
    if (names.size() < result.rows.size()) {
      absl::StrAppend(&notes, " (", absl::StrJoin(names, "; "), ")");
    }
    notes += "\n";
  }
  return notes;
}

bool HasSeveralBoards(const RunResult& result) {
  std::set<std::string> boards;
  for (const Row& row : result.rows) boards.insert(row.board);
  return boards.size() > 1;
}

std::set<absl::string_view> UnusedColumns(const RunResult& result) {
  std::set<absl::string_view> unused = {kVsUntuned, kPeak};
  for (const Dimension& dimension : kDimensions) {
    if (!dimension.states_default &&
        absl::c_none_of(result.rows, [&](const Row& row) {
          return dimension.IsStated(row.cell.variant);
        })) {
      unused.insert(dimension.name);
    }
  }
  for (const Row& row : result.rows) {
    if (row.comparison.speedup_vs_untuned.has_value()) unused.erase(kVsUntuned);
    if (row.timing.peak_rss_bytes.has_value()) unused.erase(kPeak);
  }
  return unused;
}

bool NeedsExplanation(const Row& row) {
  const std::optional<PairedComparison>& paired = row.comparison.paired;
  if (paired.has_value() && paired->tail_slower) return true;
  switch (row.verdict) {
    case stats::Verdict::kPass:
    case stats::Verdict::kEquivalent:
    case stats::Verdict::kNoBaseline:
    case stats::Verdict::kEmulated:
      return false;
    default:
      return true;
  }
}

TableCells CellsOf(const Row& row) {
  const std::vector<Column> columns = Columns();
  const std::vector<std::string> cells = ToCells(row);
  TableCells result;
  for (size_t i = 0; i < cells.size(); ++i) {
    result.emplace_back(columns[i].title, cells[i]);
  }
  return result;
}

std::string ResultsTable(const RunResult& result) {
  std::set<absl::string_view> unused = UnusedColumns(result);
  if (!HasSeveralBoards(result)) unused.insert(kBoard);
  std::vector<Column> columns = Columns();
  columns.erase(std::remove_if(columns.begin(), columns.end(),
                               [&](const Column& column) {
                                 return unused.count(column.title) > 0;
                               }),
                columns.end());
  runtime::TextTable table(std::move(columns));
  for (const Row& row : result.rows) {
    std::vector<std::string> shown;
    for (const auto& [title, cell] : CellsOf(row)) {
      if (unused.count(title) == 0) shown.push_back(cell);
    }
    table.AddRow(std::move(shown));
  }
  std::string text = table.ToString();

  if (!result.rows.empty()) {
    absl::StrAppend(&text, "\n", Census(result), "\n", Notes(result),
                    DisturbanceNotes(result));
  }
  text += CanaryNote(result.canary);
  for (const Row& row : result.rows) {
    if (!NeedsExplanation(row)) continue;
    absl::StrAppend(&text, "\n", row.cell.model, " on ", row.cell.device, ", ",
                    VariantText(row.cell.variant), ", threads ",
                    row.cell.threads, ": ", stats::VerdictName(row.verdict),
                    row.reason.empty() ? "" : ": ", row.reason,
                    "\n  reproduce: ", row.reproduce, "\n");
  }
  return text;
}

std::string OperatorTable(const Row& row) {
  if (row.timing.operators.empty()) return "";
  std::vector<OperatorTime> sorted = row.timing.operators;
  std::sort(sorted.begin(), sorted.end(),
            [](const OperatorTime& a, const OperatorTime& b) {
              return std::tie(b.ms, a.kernel, a.sources) <
                     std::tie(a.ms, b.kernel, b.sources);
            });
  double sum = 0;
  for (const OperatorTime& op : sorted) sum += op.ms;
  const double whole = row.timing.operators_whole_ms.value_or(sum);
  std::string text = absl::StrFormat(
      "%s on %s, %s, threads %d: %d kernel calls\n", row.cell.model,
      row.cell.device, VariantText(row.cell.variant), row.cell.threads,
      sorted.size());
  absl::StrAppendFormat(&text, "%9s %6s %6s %8s %7s  %s\n", "ms", "%time",
                        "sum%", "GFLOP/s", "GB/s", "kernel <- nodes");
  double so_far = 0;
  for (const OperatorTime& op : sorted) {
    so_far += op.ms;
    const auto rate = [&](int64_t amount) {
      return op.ms > 0 && amount > 0
                 ? absl::StrFormat("%.1f",
                                   static_cast<double>(amount) / op.ms / 1e6)
                 : std::string("-");
    };
    absl::StrAppendFormat(&text, "%9.4f %5.1f%% %5.1f%% %8s %7s  %s <- %s\n",
                          op.ms, 100 * op.ms / whole, 100 * so_far / whole,
                          rate(op.flops), rate(op.bytes), op.kernel,
                          SourcesOf(op));
  }
  absl::StrAppendFormat(
      &text,
      "%9.4f %5.1f%%  all kernels\n%9.4f 100.0%%  whole inferences, "
      "interleaved; %+.1f%% is outside of kernels, or noise\n",
      sum, 100 * sum / whole, whole, 100 * (whole - sum) / whole);
  return text;
}

}  // namespace assay::reports
