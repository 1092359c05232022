#include "reports/page/card.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "reports/history/change.h"
#include "reports/history/events.h"
#include "reports/history/series.h"
#include "reports/page/elements.h"
#include "reports/page/status.h"
#include "reports/render/attribution_table.h"
#include "reports/render/markup.h"
#include "reports/result/row_fields.h"
#include "reports/stats/sign_interval.h"

namespace assay::reports {
namespace {

// Formats `ms` with as many decimals as give `like` four significant digits.
std::string Milliseconds(double ms, double like) {
  const double magnitude = like > 0 ? std::floor(std::log10(like)) : 0;
  const int digits = std::clamp(3 - static_cast<int>(magnitude), 0, 9);
  return absl::StrFormat("%.*f", digits, ms);
}

// Formats a ratio as `+1.2 %` with one decimal and a no-break space. Never
// returns `-0.0 %`.
std::string Percent(double ratio) {
  if (!std::isfinite(ratio)) return "unbounded";
  const double tenths = std::round(1000 * ratio);
  return absl::StrFormat("%+.1f\u00a0%%", tenths == 0 ? 0.0 : tenths / 10);
}

std::string UnsignedPercent(double ratio) {
  const std::string text = Percent(ratio);
  return text[0] == '+' ? text.substr(1) : text;
}

// Rounds to four significant digits, the resolution of a chart.
double Rounded(double ms) {
  return std::strtod(absl::StrFormat("%.4g", ms).c_str(), nullptr);
}

std::string LatencyHtml(const Row& row) {
  if (row.timing.samples_ns.empty()) return FactHtml("Median", "not timed", "");
  const stats::MedianInterval interval =
      stats::SignInterval(InMilliseconds(row.timing.samples_ns), kBandLevel);
  const double median = interval.median;
  std::string note =
      interval.bounded()
          ? absl::StrFormat("%.0f %% in [%s, %s]", 100 * kBandLevel,
                            Milliseconds(interval.lower, median),
                            Milliseconds(interval.upper, median))
          : absl::StrCat(row.timing.samples_ns.size(), " samples, no interval");
  if (row.emulated) {
    note = "emulated, not meaningful";
  } else if (!row.timing.disturbances.empty()) {
    absl::StrAppend(&note, "; doubtful, because ",
                    absl::StrJoin(row.timing.disturbances, "; "));
  }
  return FactHtml("Median", absl::StrCat(Milliseconds(median, median), " ms"),
                  note);
}

// The comparison with the other program or with the baseline.
std::string ComparisonHtml(const Row& row) {
  if (row.comparison.paired.has_value()) {
    const PairedComparison& paired = *row.comparison.paired;
    return absl::StrCat(
        FactHtml("Side by side", Percent(paired.change),
                 absl::StrCat("in [", Percent(paired.lower), ", ",
                              Percent(paired.upper), "]")),
        FactHtml("Detectable", UnsignedPercent(paired.detectable), ""));
  }
  if (!row.comparison.delta.has_value()) return "";
  std::string note;
  if (row.comparison.threshold.has_value()) {
    note =
        absl::StrCat("threshold ", UnsignedPercent(*row.comparison.threshold));
  }
  return FactHtml("vs. baseline", Percent(*row.comparison.delta), note);
}

// The kernels that account for at least 10 % of the difference.
std::string AttributionHtml(const Row& row) {
  if (!row.comparison.paired.has_value() ||
      !row.comparison.paired->attribution.has_value() ||
      row.comparison.paired->attribution->kernels.empty()) {
    return "";
  }
  std::string html =
      "<p class=\"quiet\">Kernels that account for the difference</p>\n<ul "
      "class=\"marks\">\n";
  const Attribution& attribution = *row.comparison.paired->attribution;
  for (const KernelChange& kernel : attribution.kernels) {
    if (std::abs(kernel.change_ms) < 0.1 * std::abs(attribution.whole_ms)) {
      break;
    }
    absl::StrAppendFormat(&html, "<li>%s: %+.3g ms in [%.3g, %.3g]</li>\n",
                          EscapeMarkup(KernelName(kernel)), kernel.change_ms,
                          kernel.lower_ms, kernel.upper_ms);
  }
  return html + "</ul>\n";
}

// The signs of events in the list and in the chart.
constexpr char kSlower[] = "▲";
constexpr char kFaster[] = "▼";
constexpr char kProgram[] = "●";
constexpr char kMethod[] = "□";
constexpr char kState[] = "◇";
constexpr char kOtherMachine[] = "◆";

std::string SignOf(const CellEvent& mark) {
  const Event& event = mark.event;
  if (event.shift.has_value()) {
    return event.shift->errors > 0 ? kSlower : kFaster;
  }
  if (!event.causes.same_program()) {
    const bool is_improved =
        event.side_by_side.has_value() &&
        event.side_by_side->verdict == stats::Verdict::kImproved;
    return event.published ? kSlower : is_improved ? kFaster : kProgram;
  }
  if (event.causes.Has(Cause::kMethod)) return kMethod;
  return event.other_machine ? kOtherMachine : kState;
}

std::string EventText(const CellEvent& mark) {
  const Event& event = mark.event;
  std::string text;
  if (mark.metric == Metric::kLoad) text = "loading, ";
  if (mark.metric == Metric::kMemory) text = "peak of the memory, ";
  if (mark.metric == Metric::kReference) text = "the reference runtime, ";
  absl::StrAppend(&text, event.shift.has_value() && event.causes.none()
                             ? "unknown cause"
                             : CausesText(event.causes));
  absl::StrAppend(&text, event.other_machine ? ", another one: " : ": ",
                  event.what);
  if (!event.causes.same_program() && event.side_by_side.has_value() &&
      event.side_by_side->with_night_before) {
    absl::StrAppend(&text, "; ", Percent(event.side_by_side->change), " in [",
                    Percent(event.side_by_side->lower), ", ",
                    Percent(event.side_by_side->upper), "]");
  }
  return absl::StrCat(text, "; ", event.reason);
}

std::string MarksHtml(const Cell& cell, absl::Span<const RunResult> history) {
  if (cell.events.empty()) return "";
  std::string html = "<ul class=\"marks\">\n";
  for (auto mark = cell.events.rbegin(); mark != cell.events.rend(); ++mark) {
    absl::StrAppend(
        &html, "<li><span class=\"sign\" aria-hidden=\"true\">", SignOf(*mark),
        "</span> <time>",
        EscapeMarkup(NightName(history[cell.nights[mark->night].run])),
        "</time> ", EscapeMarkup(EventText(*mark)), "</li>\n");
  }
  return html + "</ul>\n";
}

std::string ChartHtml(const Cell& cell, absl::string_view name,
                      absl::Span<const RunResult> history) {
  const size_t nights = cell.nights.size();
  if (nights == 0) {
    return "<p class=\"quiet\">This cell was never timed.</p>\n";
  }
  const Night& last = cell.nights.back();
  const std::string latest =
      absl::StrCat(NightName(history[last.run]), ": ",
                   Milliseconds(last.median_ms, last.median_ms), " ms");
  // The ARIA role is slider, because arrow keys select a night.
  return absl::StrCat(
      "<figure>\n<div class=\"chart\" role=\"slider\" tabindex=\"0\"",
      " aria-label=\"Night of the history of ", name,
      "\" aria-valuemin=\"1\" aria-valuemax=\"", nights, "\" aria-valuenow=\"",
      nights, "\" aria-valuetext=\"", EscapeMarkup(latest), "\"></div>\n",
      "<figcaption class=\"readout\">", EscapeMarkup(latest),
      "</figcaption>\n</figure>\n", MarksHtml(cell, history),
      "<details class=\"nights\"><summary>", nights,
      nights == 1 ? " night" : " nights",
      " as a table</summary><div class=\"scroll\" role=\"region\" ",
      "tabindex=\"0\" aria-label=\"Nights of ", name, "\"></div></details>\n");
}

std::string FieldsHtml(const Row& row, absl::string_view name) {
  std::string html = absl::StrCat(
      "<details><summary>All fields</summary><div class=\"scroll\" ",
      "role=\"region\" tabindex=\"0\" aria-label=\"Fields of ", name,
      "\"><table class=\"fields\"><tbody>\n");
  for (const auto& [field, value] : FieldsOf(row)) {
    absl::StrAppend(&html, "<tr><th scope=\"row\">", field, "</th><td>",
                    EscapeMarkup(value), "</td></tr>\n");
  }
  return html + "</tbody></table></div></details>\n";
}

}  // namespace

std::string Moment(const std::string& started_at) {
  // 2024-05-01T12:00:00Z
  if (started_at.size() != 20 || started_at[10] != 'T') return started_at;
  return absl::StrCat(started_at.substr(0, 10), " ", started_at.substr(11, 5));
}

std::string NightName(const RunResult& run) {
  return absl::StrCat(Moment(run.started_at), run.commit.empty() ? "" : " ",
                      run.commit.substr(0, 10));
}

std::string CardHtml(const Cell& cell, int64_t index,
                     absl::Span<const RunResult> history) {
  const Row& row = *cell.row;
  const std::string model = EscapeMarkup(row.cell.model);
  const std::string configuration = absl::StrCat(
      EscapeMarkup(row.cell.device), ", ", VariantText(row.cell.variant), ", ",
      row.cell.threads, row.cell.threads == 1 ? " thread" : " threads");
  const std::string name = absl::StrCat(model, " on ", configuration);
  std::string html = absl::StrCat(
      "<article id=\"cell-", index, "\" data-suite=\"", EscapeMarkup(row.suite),
      "\" data-model=\"", model, "\" data-verdict=\"", cell.status->name,
      "\">\n<header><h3>", model, "</h3> ", BadgeHtml(*cell.status),
      "</header>\n<p class=\"quiet\">", EscapeMarkup(row.suite), " on ",
      configuration, ", <time>",
      EscapeMarkup(Moment(history[cell.run].started_at)), "</time></p>\n");
  if (!cell.status->judged()) {
    absl::StrAppend(&html, "<p>Not judged: ", cell.status->why_not_judged,
                    ".</p>\n");
  }
  if (!row.reason.empty()) {
    absl::StrAppend(&html, "<p class=\"reason\">", EscapeMarkup(row.reason),
                    "</p>\n");
  }
  absl::StrAppend(&html, "<dl class=\"facts\">\n", LatencyHtml(row),
                  ComparisonHtml(row), "</dl>\n", AttributionHtml(row),
                  ChartHtml(cell, name, history), FieldsHtml(row, name));
  if (!row.reproduce.empty()) {
    absl::StrAppend(&html, "<div class=\"command\">",
                    CommandHtml(row.reproduce),
                    "<button type=\"button\" class=\"copy\" ",
                    "aria-label=\"Copy the command that measures ", name,
                    " again\">Copy</button></div>\n");
  }
  return html + "</article>\n";
}

nlohmann::json ChartData(const Cell& cell) {
  nlohmann::json data = {{"run", nlohmann::json::array()},
                         {"median", nlohmann::json::array()},
                         {"lower", nlohmann::json::array()},
                         {"upper", nlohmann::json::array()},
                         {"verdict", nlohmann::json::array()}};
  const auto bound = [](const std::optional<double>& ms) {
    return ms.has_value() ? nlohmann::json(Rounded(*ms)) : nlohmann::json();
  };
  for (const Night& night : cell.nights) {
    data["run"].push_back(night.run);
    data["median"].push_back(Rounded(night.median_ms));
    data["lower"].push_back(bound(night.lower_ms));
    data["upper"].push_back(bound(night.upper_ms));
    const absl::string_view verdict = stats::VerdictName(night.verdict);
    const absl::Span<const Status> statuses = Statuses();
    data["verdict"].push_back(
        std::find_if(statuses.begin(), statuses.end(),
                     [&](const Status& s) { return s.name == verdict; }) -
        statuses.begin());
  }
  for (const LevelChange& level : cell.levels) {
    // The sign is that of the last event of this night in the list.
    std::string text;
    for (const CellEvent& mark : cell.events) {
      if (mark.night == level.night && mark.metric == Metric::kLatency) {
        text = SignOf(mark);
      }
    }
    if (level.change.has_value() && text != kProgram) {
      absl::StrAppend(&text, " ", Percent(*level.change));
    }
    data["changes"].push_back(
        {level.night, Rounded(level.before_ms), Rounded(level.after_ms), text});
  }
  for (const CellEvent& mark : cell.events) {
    const Event& event = mark.event;
    if (mark.metric != Metric::kLatency || event.shift.has_value()) continue;
    if (!event.causes.Has(Cause::kMachine) &&
        !event.causes.Has(Cause::kMethod)) {
      continue;
    }
    data["environments"].push_back(
        {mark.night, event.causes.Has(Cause::kMethod) ? kMethod
                     : event.other_machine            ? kOtherMachine
                                                      : kState});
  }
  return data;
}

}  // namespace assay::reports
