#include "suites/tune/page/task_html.h"

#include <algorithm>
#include <map>
#include <optional>

#include "absl/strings/str_cat.h"
#include "reports/page/elements.h"
#include "reports/page/status.h"
#include "reports/render/markup.h"
#include "runtime/text/duration.h"
#include "suites/tune/page/format.h"

namespace assay::suites {
namespace {

using reports::EscapeMarkup;
using reports::FactHtml;

// A cell of the line of a task.
struct Cell {
  const char* title;  // of the column
  const char* help;   // explains the column
  std::string html;   // a `td` element
};

// Returns a cell whose `html` shows `value`; a dash if there is no value.
template <typename Html>
std::string Number(const std::optional<double>& value, const Html& html) {
  if (!value.has_value()) return "<td class=\"number\" data-value=\"\">–</td>";
  return absl::StrCat("<td class=\"number\" data-value=\"", *value, "\">",
                      html(*value), "</td>");
}

std::string Time(const std::optional<double>& nanos) {
  return Number(nanos,
                [](double ns) { return runtime::FormatDuration(1e-9 * ns); });
}

// Returns the cells of a task. All tasks of a place have the same columns.
std::vector<Cell> CellsOf(const PageTask& task, const PagePlace& place) {
  std::optional<double> rate, ratio;
  if (task.best_nanos().has_value() && task.flops > 0) {
    rate = task.Rate(*task.best_nanos());
  }
  if (task.judged.has_value()) ratio = task.judged->verdict.ratio;
  std::vector<Cell> cells = {
      {"Default", "time of the point that the compiler uses without tuning",
       Time(task.default_nanos)},
      {"Best", "shortest time of a trial", Time(task.best_nanos())},
      {"GFLOP/s", "of the best trial; nominal, of the plain algorithm",
       Number(rate,
              [&](double) { return FormatRate(task, *task.best_nanos()); })}};
  if (!place.peaks.empty()) {
    cells.push_back(
        {"Of peak",
         "part that the best trial reaches of the machine's peak of what it "
         "computes with",
         Number(place.PartOfPeak(task), FormatPercent)});
  }
  cells.push_back({"Time / default",
                   "ratio of times, measured side by side, with its confidence "
                   "interval; below 1 is faster than the default",
                   Number(ratio, [&](double) {
                     return absl::StrCat(task.judged->verdict.RatioText(), " ",
                                         VerdictHtml(task.judged->verdict));
                   })});
  if (place.network.has_value()) {
    cells.push_back({"Of network",
                     "estimated part of the network's time before tuning",
                     Number(task.share, FormatPercent)});
    cells.push_back({"Saves",
                     "estimated part of the network's time that is saved",
                     Number(task.saved, FormatPercent)});
  }
  const size_t trials = task.trials.size();
  const int64_t errors = CountErrors(task.errors);
  cells.push_back(
      {"Trials", "points that were tried",
       Number(trials, [&](double) { return absl::StrCat(trials); })});
  cells.push_back({"Errors", "trials that failed", Number(errors, [&](double) {
                     return absl::StrCat("<span title=\"",
                                         DescribeErrors(task.errors), "\">",
                                         errors, "</span>");
                   })});
  return cells;
}

// Improvements that are listed; the best are kept.
constexpr size_t kImprovements = 20;

std::string FactsHtml(const PageTask& task, const PagePlace& place) {
  const auto rate = [&](double nanos) {
    return absl::StrCat(FormatRate(task, nanos), " ", task.RateUnit());
  };
  std::string html = "<dl class=\"facts\">\n";
  if (task.default_nanos.has_value()) {
    html +=
        FactHtml("Default", runtime::FormatDuration(1e-9 * *task.default_nanos),
                 rate(*task.default_nanos));
  } else {
    html += FactHtml("Default", "not timed", "");
  }
  if (task.best_nanos().has_value()) {
    const double nanos = *task.best_nanos();
    std::string note = rate(nanos);
    const std::optional<double> part = place.PartOfPeak(task);
    if (part.has_value()) {
      absl::StrAppend(&note, ", ", FormatPercent(*part), " of peak");
    }
    html += FactHtml("Best", runtime::FormatDuration(1e-9 * nanos), note);
  } else {
    html += FactHtml("Best", "none", "");
  }
  if (task.judged.has_value()) {
    html += FactHtml("Time / default", task.judged->verdict.RatioText(), "");
  }
  if (task.share.has_value()) {
    html +=
        FactHtml("Of network", FormatPercent(*task.share),
                 absl::StrCat(task.calls, task.calls == 1 ? " call" : " calls",
                              ", saves ", FormatPercent(*task.saved)));
  }
  return html + "</dl>\n";
}

std::string ScrollHtml(absl::string_view summary, absl::string_view label,
                       absl::string_view contents) {
  return absl::StrCat("<details><summary>", summary, "</summary><div ",
                      "class=\"scroll\" role=\"region\" tabindex=\"0\" ",
                      "aria-label=\"", EscapeMarkup(label), "\">\n", contents,
                      "</div></details>\n");
}

std::string HeadHtml(const std::vector<absl::string_view>& titles) {
  std::string html = "<table>\n<thead><tr>";
  for (const absl::string_view title : titles) {
    absl::StrAppend(&html, "<th scope=\"col\">", title, "</th>");
  }
  return html + "</tr></thead>\n<tbody>\n";
}

std::string PointsHtml(const PageTask& task) {
  if (task.improvements.empty()) return "";
  std::string table = HeadHtml({"Trial", "Time", task.RateUnit(), "Point"});
  const size_t shown = std::min(kImprovements, task.improvements.size());
  for (size_t i = 1; i <= shown; ++i) {
    const size_t index = task.improvements[task.improvements.size() - i];
    const PageTrial& trial = task.trials[index];
    absl::StrAppend(&table, "<tr><td>", index + 1, "</td><td>",
                    runtime::FormatDuration(1e-9 * *trial.nanos), "</td><td>",
                    FormatRate(task, *trial.nanos), "</td><td>",
                    EscapeCut(trial.record->implementation), " <code>",
                    EscapeCut(trial.record->config.ToString()),
                    "</code></td></tr>\n");
  }
  return ScrollHtml("Best points, one after another",
                    absl::StrCat("Best points of ", task.name),
                    absl::StrCat(table, "</tbody></table>\n"));
}

std::string ErrorsHtml(const PageTask& task) {
  if (task.errors.empty()) return "";
  std::map<TrialStatus, absl::string_view> messages;  // the first
  for (const PageTrial& trial : task.trials) {
    messages.emplace(trial.record->status, trial.record->error);
  }
  std::string table = HeadHtml({"Failure", "Trials", "First message"});
  for (const auto& [status, count] : task.errors) {
    absl::StrAppend(&table, "<tr><td>", reports::Words(TrialStatusName(status)),
                    "</td><td>", count, "</td><td>",
                    EscapeCut(messages[status]), "</td></tr>\n");
  }
  return ScrollHtml(absl::StrCat("Failures: ", CountErrors(task.errors)),
                    absl::StrCat("Failures of ", task.name),
                    absl::StrCat(table, "</tbody></table>\n"));
}

std::string WorkloadHtml(const PageTask& task) {
  std::string rows;
  const auto row = [&](absl::string_view name, absl::string_view text) {
    if (text.empty()) return;
    absl::StrAppend(&rows, "<tr><th scope=\"row\">", name, "</th><td>",
                    EscapeCut(text), "</td></tr>\n");
  };
  row("key", task.key);
  row("operator", task.anchor);
  row("kernel", task.workload);
  row("operations", absl::StrCat(task.flops));
  return ScrollHtml("Workload", absl::StrCat("Workload of ", task.name),
                    absl::StrCat("<table class=\"fields\"><tbody>\n", rows,
                                 "</tbody></table>\n"));
}

}  // namespace

std::string TaskTableHtml(const PagePlace& place,
                          const std::vector<std::string>& ids) {
  std::string titles, rows;
  for (size_t i = 0; i < place.tasks.size(); ++i) {
    const PageTask& task = place.tasks[i];
    absl::StrAppend(
        &rows, "<tr><th scope=\"row\"><a href=\"#", ids[i], "\" title=\"",
        EscapeCut(task.anchor.empty() ? task.workload : task.anchor), "\">",
        EscapeMarkup(task.name), "</a></th>");
    for (const Cell& cell : CellsOf(task, place)) {
      rows += cell.html;
      if (i > 0) continue;
      absl::StrAppend(&titles, "<th scope=\"col\" class=\"number\" title=\"",
                      cell.help, "\">", cell.title, "</th>");
    }
    rows += "</tr>\n";
  }
  return absl::StrCat(
      "<div class=\"scroll wide\" role=\"region\" tabindex=\"0\" ",
      "aria-label=\"Tasks\">\n<table class=\"tasks\">\n<thead><tr><th ",
      "scope=\"col\">Task</th>", titles, "</tr></thead>\n<tbody>\n", rows,
      "</tbody>\n</table>\n</div>\n");
}

std::string TaskCardHtml(const PageTask& task, const PagePlace& place,
                         absl::string_view id,
                         const ImplementationClasses& classes) {
  std::string html = absl::StrCat(
      "<article id=\"", id, "\">\n<header><h3>", EscapeMarkup(task.name),
      "</h3> ",
      task.judged.has_value() ? VerdictHtml(task.judged->verdict)
                              : "<span class=\"badge\">not compared</span>",
      "</header>\n", FactsHtml(task, place), CurveHtml(task, classes));
  if (task.outdated > 0) {
    absl::StrAppend(&html, "<p class=\"quiet\">", task.outdated,
                    task.outdated == 1 ? " record is" : " records are",
                    " left out: the template has changed since.</p>\n");
  }
  return absl::StrCat(html, PointsHtml(task), ErrorsHtml(task),
                      WorkloadHtml(task), "</article>\n");
}

}  // namespace assay::suites
