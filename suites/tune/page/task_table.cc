#include "suites/tune/page/task_table.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "reports/render/markup.h"
#include "runtime/text/duration.h"
#include "suites/tune/page/format.h"

namespace assay::suites {
namespace {

using reports::EscapeMarkup;

struct Column {
  const char* title;
  // Explains the column.
  const char* help;
  // Returns the `td` element of a task.
  std::string (*cell)(const PageTask& task, const PagePlace& place);
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

std::optional<double> BestRate(const PageTask& task) {
  if (!task.best_nanos().has_value() || task.flops <= 0) return std::nullopt;
  return task.Rate(*task.best_nanos());
}

std::string TrialsCell(const PageTask& task, const PagePlace&) {
  return Number(task.trials.size(),
                [&](double) { return absl::StrCat(task.trials.size()); });
}

std::string ErrorsCell(const PageTask& task, const PagePlace&) {
  const int64_t errors = CountErrors(task.errors);
  return Number(errors, [&](double) {
    return absl::StrCat("<span title=\"", DescribeErrors(task.errors), "\">",
                        errors, "</span>");
  });
}

std::string DefaultCell(const PageTask& task, const PagePlace&) {
  return Time(task.default_nanos);
}

std::string BestCell(const PageTask& task, const PagePlace&) {
  return Time(task.best_nanos());
}

std::string RateCell(const PageTask& task, const PagePlace&) {
  return Number(BestRate(task),
                [&](double) { return FormatRate(task, *task.best_nanos()); });
}

std::string PeakCell(const PageTask& task, const PagePlace& place) {
  return Number(place.PartOfPeak(task), FormatPercent);
}

std::string RatioCell(const PageTask& task, const PagePlace&) {
  std::optional<double> ratio;
  if (task.judged.has_value()) ratio = task.judged->verdict.ratio;
  return Number(ratio, [&](double) {
    return absl::StrCat(task.judged->verdict.RatioText(), " ",
                        VerdictHtml(task.judged->verdict));
  });
}

std::string ShareCell(const PageTask& task, const PagePlace&) {
  return Number(task.share, FormatPercent);
}

std::string SavedCell(const PageTask& task, const PagePlace&) {
  return Number(task.saved, FormatPercent);
}

std::vector<Column> Columns(const PagePlace& place) {
  std::vector<Column> columns = {
      {"Default", "time of the point that the compiler uses without tuning",
       DefaultCell},
      {"Best", "shortest time of a trial", BestCell},
      {"GFLOP/s", "of the best trial; nominal, of the plain algorithm",
       RateCell}};
  if (!place.peaks.empty()) {
    columns.push_back(
        {"Of peak",
         "part that the best trial reaches of the machine's peak of what it "
         "computes with",
         PeakCell});
  }
  columns.push_back(
      {"Time / default",
       "ratio of times, measured side by side, with its confidence "
       "interval; below 1 is faster than the default",
       RatioCell});
  if (place.network.has_value()) {
    columns.push_back({"Of network",
                       "estimated part of the network's time before tuning",
                       ShareCell});
    columns.push_back({"Saves",
                       "estimated part of the network's time that is saved",
                       SavedCell});
  }
  columns.push_back({"Trials", "points that were tried", TrialsCell});
  columns.push_back({"Errors", "trials that failed", ErrorsCell});
  return columns;
}

}  // namespace

std::string TaskTableHtml(const PagePlace& place,
                          const std::vector<std::string>& ids) {
  const std::vector<Column> columns = Columns(place);
  std::string html =
      "<div class=\"scroll wide\" role=\"region\" tabindex=\"0\" "
      "aria-label=\"Tasks\">\n<table class=\"tasks\">\n<thead><tr><th "
      "scope=\"col\">Task</th>";
  for (const Column& column : columns) {
    absl::StrAppend(&html, "<th scope=\"col\" class=\"number\" title=\"",
                    column.help, "\">", column.title, "</th>");
  }
  html += "</tr></thead>\n<tbody>\n";
  for (size_t i = 0; i < place.tasks.size(); ++i) {
    const PageTask& task = place.tasks[i];
    absl::StrAppend(
        &html, "<tr><th scope=\"row\"><a href=\"#", ids[i], "\" title=\"",
        EscapeCut(task.anchor.empty() ? task.workload : task.anchor), "\">",
        EscapeMarkup(task.name), "</a></th>");
    for (const Column& column : columns) html += column.cell(task, place);
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>\n</div>\n";
}

}  // namespace assay::suites
