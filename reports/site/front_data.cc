#include "reports/site/front_data.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "reports/history/change.h"
#include "reports/page/status.h"
#include "reports/result/variant.h"
#include "reports/site/data_script.h"
#include "reports/store/summary/summarize.h"
#include "reports/store/summary/texts.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

const char* KindOf(const Status& status) {
  if (status.name == "wrong_output" || status.name == "infrastructure" ||
      status.name == "regressed") {
    return "bad";
  }
  if (status.name == "improved") return "good";
  return status.judged() ? "quiet" : "unjudged";
}

SiteJson StatusesJson() {
  SiteJson json = SiteJson::array();
  const auto count = static_cast<int64_t>(Statuses().size());
  for (const Status& status : Statuses()) {
    json.push_back({{"name", std::string(status.name)},
                    {"label", Words(status.name)},
                    {"severity", count - StatusNumber(status)},
                    {"kind", KindOf(status)},
                    {"sign", std::string(status.symbol)},
                    {"why", std::string(status.why_not_judged)}});
  }
  return json;
}

// The small history: a byte for each of the newest nights between the extremes
// of the cell, from 0 to 254; 255 if it is missing.
struct Spark {
  std::string bytes;
  float lowest = kNoValue;
  float highest = kNoValue;
};

Spark SparkOf(const SiteCell& cell, uint32_t runs) {
  Spark spark;
  spark.bytes.assign(kSparkNights, '\xff');
  const uint32_t first =
      runs > kSparkNights ? runs - static_cast<uint32_t>(kSparkNights) : 0;
  std::vector<const RowSummary*> nights;
  for (auto i = cell.nights.rbegin(); i != cell.nights.rend(); ++i) {
    const RowSummary* row = *i;
    if (row->run < first) break;
    nights.push_back(row);
    if (!(spark.lowest <= row->median)) spark.lowest = row->median;
    if (!(spark.highest >= row->median)) spark.highest = row->median;
  }
  for (const RowSummary* row : nights) {
    const float range = spark.highest - spark.lowest;
    const float share = range > 0 ? (row->median - spark.lowest) / range : 0.5f;
    // The newest run is at the end.
    const size_t at = kSparkNights - (runs - row->run);
    spark.bytes[at] = static_cast<char>(std::lround(share * 254));
  }
  return spark;
}

// Reads the reasons of cells whose status people look at.
absl::StatusOr<std::string> ReasonOf(const SiteModel& model,
                                     const SiteCell& cell) {
  if (cell.cell == nullptr) return std::string("no longer in the store");
  if (!cell.status->judged() && cell.status->name != "infrastructure") {
    return std::string(cell.status->why_not_judged);
  }
  if (KindOf(*cell.status) == std::string("quiet")) return std::string();
  ASSAY_ASSIGN_OR_RETURN(const Record record,
                         model.store().ReadRecord(*cell.newest));
  return record.result.rows[0].reason;
}

absl::Status AddCells(const SiteModel& model, Texts& strings,
                      DataScript& script) {
  const auto runs = static_cast<uint32_t>(model.runs().size());
  std::map<const char*, std::vector<int64_t>> integers;
  std::map<const char*, std::vector<float>> numbers;
  std::string sparks;
  constexpr const char* kIntegers[] = {"suite",   "model",     "device",
                                       "variant", "threads",   "status",
                                       "reason",  "published", "acknowledged"};
  for (const SiteCell& cell : model.cells) {
    Spark spark;
    spark.bytes.assign(kSparkNights, '\xff');
    std::string suite = cell.name;
    CellKey key;
    if (cell.cell != nullptr) {
      suite = cell.cell->suite;
      key = cell.cell->key;
      spark = SparkOf(cell, runs);
    }
    ASSAY_ASSIGN_OR_RETURN(const std::string reason, ReasonOf(model, cell));
    const int64_t values[] = {strings.NumberOf(suite),
                              strings.NumberOf(key.model),
                              strings.NumberOf(key.device),
                              strings.NumberOf(VariantText(key.variant)),
                              key.threads,
                              StatusNumber(*cell.status),
                              strings.NumberOf(reason),
                              cell.published,
                              cell.silenced};
    for (size_t i = 0; i < std::size(kIntegers); ++i) {
      integers[kIntegers[i]].push_back(values[i]);
    }
    const ComparisonSummary* compared =
        cell.cell == nullptr || cell.cell->comparisons.empty()
            ? nullptr
            : &cell.cell->comparisons.back();
    numbers["median_ms"].push_back(
        cell.newest_night == nullptr ? kNoValue : cell.newest_night->median);
    numbers["change"].push_back(compared == nullptr ? kNoValue
                                                    : compared->change);
    numbers["lower"].push_back(compared == nullptr ? kNoValue
                                                   : compared->lower);
    numbers["upper"].push_back(compared == nullptr ? kNoValue
                                                   : compared->upper);
    numbers["spark_lo"].push_back(spark.lowest);
    numbers["spark_hi"].push_back(spark.highest);
    sparks += spark.bytes;
  }
  script.Open("cells");
  for (const char* name : kIntegers) script.Integers(name, integers[name]);
  for (const char* name :
       {"median_ms", "change", "lower", "upper", "spark_lo", "spark_hi"}) {
    script.Numbers(name, numbers[name]);
  }
  script.Bytes("spark", sparks);
  script.Close();
  return absl::OkStatus();
}

SiteJson AcknowledgementsJson(const SiteModel& model) {
  SiteJson json = SiteJson::array();
  for (const Acknowledgement& a : model.input->acknowledgements) {
    json.push_back({{"kind", std::string(KindName(a.kind))},
                    {"cell", a.cell},
                    {"author", a.author},
                    {"reason", a.reason},
                    {"made_at", a.made_at},
                    {"until", a.until}});
  }
  return json;
}

// The commits of the newest runs, and how many cells got slower and faster.
SiteJson CommitsJson(const SiteModel& model) {
  const auto& runs = model.runs();
  const size_t first =
      runs.size() > kFrontCommits ? runs.size() - kFrontCommits : 0;
  std::vector<int64_t> published(runs.size());
  std::vector<int64_t> improved(runs.size());
  for (const SiteCell& cell : model.cells) {
    if (cell.events == nullptr) continue;
    for (const SiteEvent& event : *cell.events) {
      if (event.published) ++published[event.run];
      if (event.improved) ++improved[event.run];
    }
  }
  SiteJson json = SiteJson::array();
  for (size_t run = first; run < runs.size(); ++run) {
    if (runs[run].header.commit.empty()) continue;
    json.push_back({{"sha", runs[run].header.commit},
                    {"started_at", runs[run].header.started_at},
                    {"run", run},
                    {"published", published[run]},
                    {"improved", improved[run]}});
  }
  return json;
}

SiteJson CensusJson(const SiteModel& model) {
  struct Suite {
    int64_t cells = 0;
    int64_t judged = 0;
    std::map<int64_t, int64_t> not_judged;  // by number of the status
  };
  std::map<std::string, Suite> suites;
  for (const SiteCell& cell : model.cells) {
    if (cell.cell == nullptr) continue;
    Suite& suite = suites[cell.cell->suite];
    ++suite.cells;
    if (cell.status->judged()) {
      ++suite.judged;
    } else {
      ++suite.not_judged[StatusNumber(*cell.status)];
    }
  }
  SiteJson json = SiteJson::array();
  for (const auto& [name, suite] : suites) {
    SiteJson not_judged = SiteJson::object();
    for (const auto& [status, count] : suite.not_judged) {
      not_judged[std::string(Statuses()[static_cast<size_t>(status)].name)] =
          count;
    }
    json.push_back({{"suite", name},
                    {"cells", suite.cells},
                    {"judged", suite.judged},
                    {"not_judged", not_judged}});
  }
  return json;
}

std::string StringOf(const SiteJson& json, const char* name) {
  const auto at = json.is_object() ? json.find(name) : json.end();
  return at == json.end() || !at->is_string() ? "" : at->get<std::string>();
}

}  // namespace

BisectionSummary SummaryOf(const SiteBisection& bisection) {
  BisectionSummary summary;
  const SiteJson cells = bisection.report.value("cells", SiteJson::array());
  if (!cells.is_array() || cells.empty() || !cells[0].is_object()) {
    return summary;
  }
  summary.cell = StringOf(cells[0], "cell");
  summary.status = StringOf(cells[0], "status");
  const SiteJson findings = cells[0].value("findings", SiteJson::array());
  if (!findings.is_array() || findings.empty() || !findings[0].is_object()) {
    return summary;
  }
  summary.change = StringOf(findings[0], "change");
  const SiteJson suspects = findings[0].value("suspects", SiteJson::array());
  if (suspects.is_array() && suspects.size() == 1) {
    summary.culprit = StringOf(suspects[0], "commit");
    summary.subject = StringOf(suspects[0], "subject");
  }
  return summary;
}

absl::StatusOr<std::string> FrontScript(
    const SiteModel& model, const std::vector<SiteDevice>& devices) {
  DataScript script("front");
  script.Json("version", 1);
  script.Json("generated",
              absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", model.input->now,
                               absl::UTCTimeZone()));
  script.Json("store", model.input->store_name);
  script.Json("nights", model.runs().size());
  SiteJson names = SiteJson::array();
  SiteJson device_list = SiteJson::array();
  for (const SiteDevice& device : devices) {
    if (device.in_newest_run) names.push_back(device.name);
    device_list.push_back({{"key", device.key},
                           {"name", device.name},
                           {"cells", device.cells},
                           {"last_seen", device.last_seen},
                           {"state", device.state}});
  }
  if (model.runs().empty()) {
    script.Json("newest", nullptr);
  } else {
    const RunResult& newest = model.runs().back().header;
    script.Json("newest", {{"run", model.runs().size() - 1},
                           {"started_at", newest.started_at},
                           {"commit", newest.commit},
                           {"devices", names}});
  }
  Texts strings;
  ASSAY_RETURN_IF_ERROR(AddCells(model, strings, script));
  SiteJson texts = SiteJson::array();
  for (size_t i = 0; i < strings.size(); ++i) {
    texts.push_back(strings.Text(static_cast<uint32_t>(i)));
  }
  script.Json("strings", texts);
  script.Json("statuses", StatusesJson());
  script.Json("attention", model.attention);
  script.Json("improvements", model.improvements);
  script.Json("acknowledgements", AcknowledgementsJson(model));
  script.Json("devices", device_list);
  script.Json("commits", CommitsJson(model));
  SiteJson bisections = SiteJson::array();
  for (const SiteBisection& bisection : model.input->bisections) {
    const BisectionSummary summary = SummaryOf(bisection);
    bisections.push_back({{"name", bisection.name},
                          {"status", summary.status},
                          {"cell", summary.cell},
                          {"culprit", summary.culprit},
                          {"change", summary.change}});
  }
  script.Json("bisections", bisections);
  script.Json("census", CensusJson(model));
  return std::move(script).Finish();
}

std::string NightsScript(const SiteModel& model) {
  const auto& runs = model.runs();
  // The suites in their order, and that of each cell.
  std::map<std::string, size_t> suites;
  for (const SummarizedCell& cell : model.store().cells()) {
    suites.try_emplace(cell.suite, 0);
  }
  std::vector<std::string> names;
  for (auto& [suite, number] : suites) {
    number = names.size();
    names.push_back(suite);
  }
  std::vector<size_t> suite_of;
  for (const SummarizedCell& cell : model.store().cells()) {
    suite_of.push_back(suites[cell.suite]);
  }
  SiteJson json = SiteJson::array();
  const Row same;
  for (size_t run = 0; run < runs.size(); ++run) {
    const RunResult& header = runs[run].header;
    const std::string changes =
        run == 0 ? ""
                 : ChangeOfCell({runs[run - 1].header, same}, {header, same})
                       .machine;
    std::vector<bool> has(names.size());
    for (const RowSummary& row : runs[run].rows) has[suite_of[row.cell]] = true;
    SiteJson measured = SiteJson::array();
    for (size_t i = 0; i < names.size(); ++i) {
      if (has[i]) measured.push_back(names[i]);
    }
    json.push_back({{"started_at", header.started_at},
                    {"commit", header.commit},
                    {"suites", measured},
                    {"host", header.environment.fingerprint},
                    {"changes", changes}});
  }
  DataScript script("nights");
  script.Json("runs", json);
  return std::move(script).Finish();
}

}  // namespace assay::reports
