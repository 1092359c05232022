#include "suites/tune/page/tuning_page.h"

#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "reports/page/assets.h"
#include "reports/page/document.h"
#include "reports/page/elements.h"
#include "runtime/text/duration.h"
#include "suites/kernels/peak/arithmetic.h"
#include "suites/tune/page/assets.h"
#include "suites/tune/page/curve.h"
#include "suites/tune/page/format.h"
#include "suites/tune/page/task_html.h"

namespace assay::suites {
namespace {

std::string Plural(int64_t count, absl::string_view noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

// An entry of a `dl` element of the class `machine`. `html` is not escaped.
std::string EntryHtml(absl::string_view term, absl::string_view html) {
  return absl::StrCat("<div><dt>", term, "</dt><dd>", html, "</dd></div>\n");
}

// Returns `2026-11-24 12:00` and the time span; nothing if no time is known.
std::string TimesHtml(const TuningPageModel& model) {
  if (model.first_time > model.last_time) return "";
  const absl::Duration span = model.last_time - model.first_time;
  constexpr char kMinute[] = "%Y-%m-%d %H:%M";
  const absl::TimeZone utc = absl::UTCTimeZone();
  return absl::StrCat(
      "<time>", absl::FormatTime(kMinute, model.first_time, utc),
      "</time> to <time>", absl::FormatTime(kMinute, model.last_time, utc),
      "</time> UTC (",
      absl::FormatDuration(absl::Trunc(
          span, span < absl::Hours(1) ? absl::Seconds(1) : absl::Minutes(1))),
      ")");
}

// Returns the runs of tuners, such as `xgb, seed 7`.
std::string TunersHtml(const TuningPageModel& model) {
  std::set<std::string> runs;
  for (const PagePlace& place : model.places) {
    for (const PageTask& task : place.tasks) {
      for (const PageRun& run : task.runs) {
        runs.insert(
            absl::StrCat(run.tuner.empty() ? "unknown" : EscapeCut(run.tuner),
                         ", seed ", run.seed));
      }
    }
  }
  return absl::StrJoin(runs, "; ");
}

std::string TopHtml(const TuningPageInputs& inputs,
                    const TuningPageModel& model) {
  size_t tasks = 0;
  for (const PagePlace& place : model.places) {
    tasks += place.tasks.size();
  }
  std::string html = absl::StrCat(
      "<header class=\"top\">\n<h1>Tuning",
      inputs.title.empty() ? "" : absl::StrCat(" of ", EscapeCut(inputs.title)),
      "</h1>\n");
  if (tasks == 0) {
    return html + "<p class=\"lead\">The log has no trials.</p>\n</header>\n";
  }
  absl::StrAppend(&html, "<p class=\"lead\">",
                  Plural(static_cast<int64_t>(tasks), "task"), ", ",
                  Plural(model.trials, "trial"), "</p>\n",
                  "<dl class=\"machine\">\n");
  const std::string times = TimesHtml(model);
  if (!times.empty()) html += EntryHtml("time", times);
  html += EntryHtml("tuner", TunersHtml(model));
  html += EntryHtml("errors", DescribeErrors(model.errors));
  if (model.outdated > 0) {
    html += EntryHtml("left out",
                      absl::StrCat(Plural(model.outdated, "record"),
                                   " of templates that have changed since"));
  }
  html += "</dl>\n";
  if (!inputs.command.empty()) html += reports::CommandHtml(inputs.command);
  return html + "</header>\n";
}

std::string NetworkHtml(const NetworkEstimate& network) {
  const double saved = 1 - network.tuned_nanos / network.default_nanos;
  std::string html =
      absl::StrCat("<p class=\"coverage\"><b>", FormatPercent(saved),
                   "</b> of the network's time is saved: an estimated ",
                   runtime::FormatDuration(1e-9 * network.tuned_nanos),
                   " per inference instead of ",
                   runtime::FormatDuration(1e-9 * network.default_nanos));
  if (network.unknown_tasks > 0) {
    absl::StrAppend(&html, ", without ", Plural(network.unknown_tasks, "task"),
                    " whose time is not in the log");
  }
  return html + ".</p>\n";
}

std::string PlaceHtml(const PagePlace& place, size_t index,
                      const ImplementationClasses& classes) {
  const std::string id = absl::StrCat("place-", index);
  std::string html = absl::StrCat(
      "<section aria-labelledby=\"", id, "\">\n<h2 id=\"", id, "\">",
      EscapeCut(place.place.device), ", ",
      Plural(place.place.threads, "thread"), "</h2>\n<dl class=\"machine\">\n",
      EntryHtml("target", EscapeCut(place.place.target)));
  if (!place.peaks.empty()) {
    html += EntryHtml("peak", ToString(place.peaks));
  }
  html += "</dl>\n";
  if (place.network.has_value()) html += NetworkHtml(*place.network);
  std::vector<std::string> ids;
  for (size_t i = 0; i < place.tasks.size(); ++i) {
    ids.push_back(absl::StrCat("task-", index, "-", i));
  }
  absl::StrAppend(&html, TaskTableHtml(place, ids), "<div class=\"grid\">\n");
  for (size_t i = 0; i < place.tasks.size(); ++i) {
    html += TaskCardHtml(place.tasks[i], place, ids[i], classes);
  }
  return html + "</div>\n</section>\n";
}

constexpr char kLegend[] =
    "<details class=\"legend\"><summary>How to read this page</summary>\n"
    "<p>A task is a kernel of a network; equal kernels are one task. A trial "
    "builds, checks and measures one point of the search space of a task. In "
    "the charts, each dot is a trial, in the colour of its implementation; the "
    "step line is the best rate so far, and the dashed line is the default, "
    "which the compiler uses without tuning. Ticks below the axis are trials "
    "that failed.</p>\n"
    "<p>The best of many noisy times is shorter than the truth. Therefore a "
    "point is accepted, and marked with a ring, only if a side-by-side "
    "comparison with the default says that it is faster. Time / default is the "
    "ratio of this comparison with its confidence interval. Estimates for the "
    "network use these ratios and count other tasks as unchanged.</p>\n"
    "<p>GFLOP/s are nominal: they count the operations of the plain algorithm, "
    "of which fast algorithms need fewer, so they can exceed the peak. The "
    "peak is that of what the kernel computes with: float32 vectors, a third "
    "of bfloat16 tile products for bf16x3, or products of bytes. A click on a "
    "title sorts the table.</p></details>\n";

}  // namespace

std::string RenderTuningPage(const TuningPageInputs& inputs) {
  const TuningPageModel model = BuildTuningPageModel(inputs);
  const ImplementationClasses classes =
      ClassifyImplementations(model.implementations);
  reports::HtmlDocument document;
  document.title = absl::StrCat(
      "Assay: tuning", inputs.title.empty() ? "" : " of ", inputs.title);
  document.styles = {reports::PageStyle(), TuningStyle()};
  document.scripts = {TuningScript()};
  document.body = TopHtml(inputs, model) + "<main>\n";
  if (!model.places.empty()) document.body += kLegend;
  for (size_t i = 0; i < model.places.size(); ++i) {
    document.body += PlaceHtml(model.places[i], i, classes);
  }
  document.body += "</main>\n";
  return RenderDocument(document);
}

}  // namespace assay::suites
