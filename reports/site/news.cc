#include "reports/site/news.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "reports/page/status.h"
#include "reports/render/markup.h"
#include "reports/site/front_data.h"
#include "runtime/base/plain_text.h"
#include "runtime/base/sha256.h"

namespace assay::reports {
namespace {

// The number of cells that an entry or a table lists.
constexpr size_t kListed = 20;

struct NewsEntry {
  std::string id;
  std::string updated;
  std::string title;
  std::string link;
  std::string text;
};

std::string Percent(float change) {
  return std::isfinite(change)
             ? absl::StrFormat("%+.1f %%", 100 * static_cast<double>(change))
             : "by an unknown amount";
}

std::string IntervalText(const SiteEvent& event) {
  if (!std::isfinite(event.lower) || !std::isfinite(event.upper)) return "";
  return absl::StrCat(" [", Percent(event.lower), ", ", Percent(event.upper),
                      "]");
}

std::string Cells(size_t count) {
  return absl::StrCat(count, count == 1 ? " cell" : " cells");
}

// A time that Atom accepts: that of a run, or the oldest one if a run has none.
std::string AtomTime(const std::string& started_at) {
  absl::Time time;
  if (!absl::ParseTime(absl::RFC3339_full, started_at, &time, nullptr)) {
    time = absl::UnixEpoch();
  }
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", time, absl::UTCTimeZone());
}

std::string IdOf(const std::string& kind, const std::string& name) {
  return absl::StrCat("urn:assay:", kind, ":", Sha256Hex(name).substr(0, 32));
}

using Changes = std::vector<std::pair<size_t, const SiteEvent*>>;

NewsEntry EntryOf(const SiteModel& model, uint32_t run, bool slower,
                  Changes changes) {
  const RunResult& header = model.runs()[run].header;
  std::sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) {
    const auto size = [](const SiteEvent& e) {
      return std::isfinite(e.change) ? -std::abs(e.change) : 0.0f;
    };
    return std::make_tuple(size(*a.second), a.first) <
           std::make_tuple(size(*b.second), b.first);
  });
  NewsEntry entry;
  entry.id = IdOf(slower ? "slower" : "faster", model.runs()[run].name);
  entry.updated = AtomTime(header.started_at);
  const std::string key = CommitKey(header.commit);
  entry.title =
      absl::StrCat(Cells(changes.size()), slower ? " slower" : " faster",
                   key.empty() ? "" : " at ", key);
  entry.link = key.empty() ? "index.html" : absl::StrCat("commit.html#", key);
  for (size_t i = 0; i < std::min(changes.size(), kListed); ++i) {
    const auto& [id, event] = changes[i];
    absl::StrAppend(
        &entry.text, model.cells[id].name,
        event->metric == Metric::kLatency
            ? ""
            : absl::StrCat(" (", SiteMetricName(event->metric), ")"),
        ": ", Percent(event->change), IntervalText(*event), ", ", event->what,
        "\n");
  }
  if (changes.size() > kListed) {
    absl::StrAppend(&entry.text, "and ", Cells(changes.size() - kListed),
                    " more\n");
  }
  return entry;
}

NewsEntry EntryOf(const SiteModel& model, const SiteBisection& bisection) {
  const BisectionSummary summary = SummaryOf(bisection);
  NewsEntry entry;
  entry.id = IdOf("bisection", bisection.name);
  // The newest run of the bad end, or the newest run of all.
  std::string bad;
  const auto at = bisection.report.find("bad");
  if (at != bisection.report.end() && at->is_string()) {
    bad = at->get<std::string>();
  }
  for (const SummarizedRun& run : model.runs()) {
    if (!bad.empty() && run.header.commit == bad) {
      entry.updated = AtomTime(run.header.started_at);
    }
  }
  if (entry.updated.empty()) entry.updated = AtomTime("");
  entry.title =
      summary.culprit.empty()
          ? absl::StrCat("Bisected: ", summary.cell, ", ",
                         Words(summary.status))
          : absl::StrCat("Culprit found: ", summary.culprit.substr(0, 12), " ",
                         summary.subject);
  entry.link = absl::StrCat("bisection.html#", bisection.name);
  entry.text = absl::StrCat(summary.cell, ": ", summary.change, "\n");
  return entry;
}

// Text in a cell of a table, without Markdown that it may contain.
std::string CellText(const std::string& text) {
  return absl::StrReplaceAll(PlainText(text), {{"|", "\\|"},
                                               {"`", "'"},
                                               {"<", "&lt;"},
                                               {"[", "\\["},
                                               {"@", "&#64;"},
                                               {"\n", " "}});
}

}  // namespace

std::string FeedXml(const SiteModel& model) {
  std::map<std::pair<uint32_t, bool>, Changes> by_run;
  for (size_t id = 0; id < model.cells.size(); ++id) {
    const SiteCell& cell = model.cells[id];
    if (cell.events == nullptr) continue;
    for (const SiteEvent& event : *cell.events) {
      if (event.published || event.improved) {
        by_run[{event.run, event.published}].emplace_back(id, &event);
      }
    }
  }
  std::vector<NewsEntry> entries;
  for (auto i = by_run.rbegin();
       i != by_run.rend() && entries.size() < kFeedEntries; ++i) {
    entries.push_back(
        EntryOf(model, i->first.first, i->first.second, i->second));
  }
  for (const SiteBisection& bisection : model.input->bisections) {
    entries.push_back(EntryOf(model, bisection));
  }
  std::sort(entries.begin(), entries.end(),
            [](const NewsEntry& a, const NewsEntry& b) {
              return std::tie(b.updated, a.id) < std::tie(a.updated, b.id);
            });
  if (entries.size() > kFeedEntries) entries.resize(kFeedEntries);
  const std::string updated = AtomTime(
      model.runs().empty() ? "" : model.runs().back().header.started_at);
  std::string xml = absl::StrCat(
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
      "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n"
      "<id>",
      IdOf("feed", model.input->store_name),
      "</id>\n<title>Assay: ", EscapeMarkup(model.input->store_name),
      "</title>\n<updated>", updated,
      "</updated>\n<author><name>Assay</name></author>\n"
      "<link rel=\"self\" href=\"feed.xml\"/>\n"
      "<link rel=\"alternate\" href=\"index.html\"/>\n");
  for (const NewsEntry& entry : entries) {
    absl::StrAppend(&xml, "<entry>\n<id>", entry.id, "</id>\n<title>",
                    EscapeMarkup(entry.title), "</title>\n<updated>",
                    entry.updated,
                    "</updated>\n<link rel=\"alternate\" href=\"",
                    EscapeMarkup(entry.link), "\"/>\n<content type=\"text\">");
    for (const absl::string_view line :
         absl::StrSplit(entry.text, '\n', absl::SkipEmpty())) {
      absl::StrAppend(&xml, EscapeMarkup(line), "\n");
    }
    absl::StrAppend(&xml, "</content>\n</entry>\n");
  }
  return xml + "</feed>\n";
}

std::string SummaryMarkdown(const SiteModel& model) {
  std::string text = absl::StrCat(kSummaryMarker, "\n## Assay\n\n");
  if (model.runs().empty()) return text + "There is no run yet.\n";
  const RunResult& newest = model.runs().back().header;
  std::map<const Status*, size_t> counts;
  for (const SiteCell& cell : model.cells) {
    if (cell.cell != nullptr) ++counts[cell.status];
  }
  absl::StrAppend(&text, "Newest run ", CellText(newest.started_at),
                  CommitKey(newest.commit).empty()
                      ? ""
                      : absl::StrCat(" at ", CommitKey(newest.commit)),
                  ". ");
  size_t judged = 0;
  std::vector<std::string> others;
  for (const auto& [status, count] : counts) {
    if (status->judged()) {
      judged += count;
    } else {
      others.push_back(absl::StrCat(count, " ", Words(status->name)));
    }
  }
  absl::StrAppend(&text, judged, " of ", Cells(model.ids.size()), " judged",
                  others.empty() ? "" : "; not judged: ",
                  absl::StrJoin(others, ", "), ".\n\n");
  if (model.attention.empty()) {
    absl::StrAppend(&text, "**Nothing needs attention.**\n");
  } else {
    absl::StrAppend(&text, "**", Cells(model.attention.size()),
                    model.attention.size() == 1 ? " needs" : " need",
                    " attention.**\n\n| cell | verdict | change | why |\n"
                    "|---|---|---|---|\n");
  }
  for (size_t i = 0; i < std::min(model.attention.size(), kListed); ++i) {
    const SiteCell& cell = model.cells[model.attention[i]];
    const SiteEvent* published = nullptr;
    for (const SiteEvent& event : *cell.events) {
      if (event.published) published = &event;
    }
    // The reason why a result is wrong or missing is that of its row.
    const bool is_timed = cell.newest->IsNight();
    std::string change;
    std::string why;
    if (!is_timed) {
      const absl::StatusOr<Record> record =
          model.store().ReadRecord(*cell.newest);
      if (record.ok()) why = record->result.rows[0].reason;
    } else if (published != nullptr) {
      change =
          absl::StrCat(Percent(published->change), IntervalText(*published));
      why = std::string(published->what);
    }
    absl::StrAppend(&text, "| ", CellText(cell.name), " | ",
                    Words(cell.status->name), " | ", change, " | ",
                    CellText(why), " |\n");
  }
  if (model.attention.size() > kListed) {
    absl::StrAppend(&text, "\nand ", Cells(model.attention.size() - kListed),
                    " more.\n");
  }
  if (!model.improvements.empty()) {
    absl::StrAppend(&text, "\n", Cells(model.improvements.size()),
                    model.improvements.size() == 1 ? " has" : " have",
                    " become faster within ", kAttentionNights, " nights.\n");
  }
  return text;
}

}  // namespace assay::reports
