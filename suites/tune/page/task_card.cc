#include "suites/tune/page/task_card.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

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
