#include "reports/page/page.h"

#include <map>
#include <set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "nlohmann/json.hpp"
#include "reports/page/assets.h"
#include "reports/page/card.h"
#include "reports/page/document.h"
#include "reports/page/page_model.h"
#include "reports/page/status.h"
#include "reports/render/markup.h"

namespace assay::reports {
namespace {

std::string Cells(int64_t count) {
  return absl::StrCat(count, count == 1 ? " cell" : " cells");
}

std::string TimeHtml(const std::string& started_at) {
  return absl::StrCat("<time datetime=\"", EscapeMarkup(started_at), "\">",
                      EscapeMarkup(Moment(started_at)), " UTC</time>");
}

std::string MachineHtml(const RunResult& newest) {
  const Environment& e = newest.environment;
  const auto identity = [&](const char* key) {
    const auto it = e.identity.find(key);
    return it == e.identity.end() ? std::string("unknown") : it->second;
  };
  std::string html = absl::StrCat(
      "<p class=\"lead\">", TimeHtml(newest.started_at), ", on ",
      EscapeMarkup(identity("cpu")), ", ", EscapeMarkup(identity("processors")),
      " processors", newest.commit.empty() ? "" : ", commit ",
      EscapeMarkup(newest.commit.substr(0, 10)),
      "</p>\n<details><summary>Machine</summary>",
      "<dl class=\"machine\">\n<div><dt>fingerprint</dt><dd>",
      EscapeMarkup(e.fingerprint), "</dd></div>\n");
  for (const auto* facts : {&e.identity, &e.state}) {
    for (const auto& [key, value] : *facts) {
      absl::StrAppend(&html, "<div><dt>", EscapeMarkup(key), "</dt><dd>",
                      EscapeMarkup(value), "</dd></div>\n");
    }
  }
  return html + "</dl></details>\n";
}

// A table of the suites, with the time of a suite's newest run if it is not the
// newest run of all.
std::string SuitesHtml(const PageModel& model,
                       absl::Span<const RunResult> history) {
  std::string html =
      "<details><summary>By suite, with reasons</summary>\n"
      "<table class=\"census\"><thead><tr><th scope=\"col\">Suite</th>"
      "<th scope=\"col\">Judged</th><th scope=\"col\">Not judged</th></tr>"
      "</thead><tbody>\n";
  for (const SuiteCensus& suite : model.suites) {
    std::vector<std::string> why;
    for (const auto& [status, count] : suite.not_judged) {
      why.push_back(absl::StrCat("<li>", count, " ", Words(status->name), ": ",
                                 status->why_not_judged, "</li>"));
    }
    absl::StrAppend(
        &html, "<tr><th scope=\"row\">", EscapeMarkup(suite.suite),
        suite.run + 1 == history.size()
            ? ""
            : absl::StrCat(" <small>", TimeHtml(history[suite.run].started_at),
                           "</small>"),
        "</th><td>", suite.judged, " of ", suite.cells, "</td><td>",
        why.empty() ? "none"
                    : absl::StrCat("<ul>", absl::StrJoin(why, ""), "</ul>"),
        "</td></tr>\n");
  }
  return html + "</tbody></table></details>\n";
}

std::string CensusHtml(const PageModel& model,
                       absl::Span<const RunResult> history) {
  int64_t judged = 0;
  std::map<const Status*, int64_t> not_judged;
  for (const SuiteCensus& suite : model.suites) {
    judged += suite.judged;
    for (const auto& [status, count] : suite.not_judged) {
      not_judged[status] += count;
    }
  }
  std::vector<std::string> counts;
  for (const auto& [status, count] : not_judged) {
    counts.push_back(absl::StrCat(count, " ", Words(status->name)));
  }
  return absl::StrCat(
      "<section aria-labelledby=\"coverage\">\n<h2 id=\"coverage\">Coverage",
      "</h2>\n<p class=\"coverage\">",
      judged == 0 ? "<strong>Nothing was judged.</strong> " : "", "<b>", judged,
      "</b> of ", Cells(static_cast<int64_t>(model.cells.size())), " judged",
      counts.empty() ? "" : "; not judged: ", absl::StrJoin(counts, ", "),
      "</p>\n", model.suites.empty() ? "" : SuitesHtml(model, history),
      "</section>\n");
}

// The first option selects all; the script identifies it by its position.
std::string SelectHtml(absl::string_view id, absl::string_view label,
                       absl::string_view all,
                       const std::set<std::string>& choices) {
  std::string html = absl::StrCat("<span><label for=\"", id, "\">", label,
                                  "</label> <select id=\"", id,
                                  "\"><option value=\"*\">", all, "</option>");
  for (const std::string& choice : choices) {
    absl::StrAppend(&html, "<option value=\"", EscapeMarkup(choice), "\">",
                    EscapeMarkup(choice), "</option>");
  }
  return html + "</select></span>\n";
}

std::string FiltersHtml(const PageModel& model) {
  std::map<const Status*, int64_t> counts;
  std::set<std::string> suites;
  std::set<std::string> models;
  for (const Cell& cell : model.cells) {
    ++counts[cell.status];
    suites.insert(cell.row->suite);
    models.insert(cell.row->cell.model);
  }
  std::string html =
      "<form class=\"filters\" aria-label=\"Filters\">\n"
      "<div class=\"verdicts\" role=\"group\" aria-label=\"Verdict\">\n";
  for (const auto& [status, count] : counts) {
    absl::StrAppend(
        &html, "<button type=\"button\" data-verdict=\"", status->name,
        "\" aria-pressed=\"false\" class=\"s-", status->name, "\"><b>", count,
        "</b> <span class=\"sign\" aria-hidden=\"true\">", status->symbol,
        "</span> ", Words(status->name), "</button>\n");
  }
  absl::StrAppend(&html, "</div>\n<div class=\"choices\">\n",
                  SelectHtml("suite", "Suite", "all suites", suites),
                  SelectHtml("model", "Model", "all models", models),
                  "<button type=\"reset\">Show all</button>\n</div>\n",
                  "<p role=\"status\" class=\"quiet\" id=\"shown\">",
                  Cells(static_cast<int64_t>(model.cells.size())),
                  "</p>\n</form>\n");
  return html;
}

// Serialises JSON for a script element: the text contains no `<`.
std::string ScriptJson(const nlohmann::json& json) {
  return absl::StrReplaceAll(
      json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
      {{"<", "\\u003c"}, {">", "\\u003e"}, {"&", "\\u0026"}});
}

nlohmann::json PageData(const PageModel& model,
                        absl::Span<const RunResult> history) {
  nlohmann::json data = {{"runs", nlohmann::json::array()},
                         {"times", nlohmann::json::array()},
                         {"statuses", nlohmann::json::array()},
                         {"cells", nlohmann::json::array()}};
  for (const RunResult& run : history) {
    data["runs"].push_back(NightName(run));
    absl::Time time;
    const bool sound = absl::ParseTime(absl::RFC3339_full, run.started_at,
                                       &time, /*err=*/nullptr);
    data["times"].push_back(sound ? nlohmann::json(absl::ToUnixSeconds(time))
                                  : nlohmann::json());
  }
  for (const Status& status : Statuses()) {
    data["statuses"].push_back({Words(status.name), status.symbol});
  }
  for (const Cell& cell : model.cells) {
    data["cells"].push_back(ChartData(cell));
  }
  return data;
}

constexpr char kLegend[] =
    "<details class=\"legend\"><summary>How to read this page</summary>\n"
    "<p>The line is the median latency of each night in milliseconds; the band "
    "is its 99 % confidence interval from the samples of that night. The "
    "variation between nights is larger than that, so a difference between two "
    "nights is no evidence of a change of the program.</p>\n"
    "<p>A solid line marks a night in which the program changed; the level of "
    "each program is drawn as a horizontal line. ▲ and ▼ mean that it is "
    "slower "
    "or faster, measured side by side with the program of the night before; ● "
    "means that no difference was found, or that nobody measured it. Times of "
    "loading, of the reference runtime and of other programs have no digest; "
    "they get ▲ or ▼ after a shift that has lasted for about two weeks. A "
    "dashed "
    "line marks a change of the method (□), of the machine's state (◇) or of "
    "the machine itself (◆). Every other movement is noise or the machine's. "
    "Rely on the verdict, which is based on a side-by-side measurement of two "
    "builds if the card says so.</p>\n"
    "<p>If a chart has the focus, the arrow keys, Home and End select a night."
    "</p></details>\n";

}  // namespace

std::string RenderPage(absl::Span<const RunResult> history) {
  const PageModel model = BuildPageModel(history);
  HtmlDocument document;
  document.title = "Assay: nightly runs";
  document.styles = {ChartStyle(), PageStyle()};
  document.scripts = {ChartScript(), PageScript()};
  document.body = absl::StrCat(
      "<a class=\"skip\" href=\"#cells\">Skip to the cells</a>\n",
      "<header class=\"top\">\n<h1>Nightly runs</h1>\n",
      history.empty() ? "<p class=\"lead\">There is no run yet.</p>\n"
                      : MachineHtml(history[history.size() - 1]),
      "</header>\n<main>\n", CensusHtml(model, history),
      "<section aria-labelledby=\"cells\">\n<h2 id=\"cells\" tabindex=\"-1\">",
      "Cells</h2>\n", kLegend, FiltersHtml(model),
      "<noscript><p>Charts and filters require JavaScript.</p></noscript>\n",
      "<div class=\"grid\">\n");
  for (size_t i = 0; i < model.cells.size(); ++i) {
    document.body += CardHtml(model.cells[i], static_cast<int64_t>(i), history);
  }
  absl::StrAppend(&document.body, "</div>\n</section>\n</main>\n",
                  "<script type=\"application/json\" id=\"data\">",
                  ScriptJson(PageData(model, history)), "</script>\n");
  return RenderDocument(document);
}

}  // namespace assay::reports
