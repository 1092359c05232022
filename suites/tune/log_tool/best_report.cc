#include "suites/tune/log_tool/best_report.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/result/json_reader.h"
#include "runtime/text/text_table.h"
#include "suites/tune/log/task_name.h"
#include "suites/tune/log_tool/current_tasks.h"

namespace assay::suites {
namespace {

using reports::Json;
using runtime::TextTable;

bool Matches(const TuningRecord& record, const BestFilter& filter) {
  return absl::StrContains(record.device, filter.device) &&
         (filter.threads == 0 || record.threads == filter.threads);
}

bool IsSame(const driver::TunedKernel& a, const driver::TunedKernel& b) {
  return a.implementation == b.implementation && a.config == b.config;
}

bool HasVerdict(const TuningRecord& record, stats::Verdict verdict) {
  return record.verdict.has_value() && record.verdict->verdict == verdict;
}

driver::TunedKernel PointOf(const TuningRecord& record) {
  return {record.implementation, record.config};
}

bool Contains(const std::vector<double>& samples, double value) {
  return std::find(samples.begin(), samples.end(), value) != samples.end();
}

// Returns true if `record` has BestOfTask::default_ns.
bool HasDefaultTime(const TuningRecord& record, const CurrentTask& task,
                    const BestOfTask& best) {
  if (record.status != TrialStatus::kOk) return false;
  return Contains(record.default_ns, best.default_ns) ||
         (IsSame(PointOf(record), task.default_point) &&
          Contains(record.samples_ns, best.default_ns));
}

// Returns true if `record` is the comparison by which a point was accepted, or
// says that a point with `improved` elsewhere, or the default point, must not
// be used.
bool Decides(const TuningRecord& record, const CurrentTask& task,
             const BestOfTask& best, bool improved_elsewhere) {
  const driver::TunedKernel point = PointOf(record);
  if (record.status == TrialStatus::kWrong) {
    return improved_elsewhere || IsSame(point, task.default_point);
  }
  if (record.status != TrialStatus::kOk) return false;
  if (HasVerdict(record, stats::Verdict::kRegressed)) return improved_elsewhere;
  const JudgedPoint* accepted = best.accepted();
  return accepted != nullptr && IsSame(point, accepted->point) &&
         HasVerdict(record, stats::Verdict::kImproved) &&
         record.verdict->high == accepted->verdict.high;
}

// A text that is the same for records of the same point.
std::string PointText(const TuningRecord& record) {
  return absl::StrCat(record.task, " ", record.implementation, " ",
                      record.config.ToString());
}

// The contents of a row of the table.
struct Shown {
  driver::TunedKernel point;
  double median_ns = 0;
  double default_median_ns = 0;
  double relative = 1;  // of the search
  std::optional<TuningVerdict> verdict;
};

std::optional<Shown> ShownOf(const BestOfTask& best) {
  if (best.judged.has_value()) {
    return Shown{best.judged->point, best.judged->median_ns,
                 best.judged->default_median_ns, 1, best.judged->verdict};
  }
  if (!best.fastest.has_value()) return std::nullopt;
  const double usual =
      best.default_point.has_value() ? best.default_point->median_ns : 0;
  return Shown{best.fastest->point, best.fastest->median_ns, usual,
               best.fastest->relative, std::nullopt};
}

// Returns the tasks in the order of the table.
std::vector<std::pair<std::string, const BestOfTask*>> Sorted(
    const BestRecords& best) {
  std::vector<std::pair<std::string, const BestOfTask*>> tasks;
  for (const auto& [key, task] : best.tasks) tasks.emplace_back(key, &task);
  std::sort(tasks.begin(), tasks.end(), [](const auto& a, const auto& b) {
    const double first = a.second->default_ns;
    const double second = b.second->default_ns;
    return first != second ? first > second : a.first < b.first;
  });
  return tasks;
}

std::string Microseconds(double nanos) {
  return nanos == 0 ? "-" : absl::StrFormat("%.1f", nanos * 1e-3);
}

std::vector<std::string> RowOf(const std::string& key, const BestOfTask& best) {
  const std::optional<Shown> shown = ShownOf(best);
  const std::string kernel = TaskName(best.workload, best.anchor);
  if (!shown.has_value()) {
    return {key, kernel, "-", "-", "-", "-", "-", "-", "no valid point"};
  }
  std::string ratio =
      best.default_ns > 0 ? absl::StrFormat("%.2f", shown->relative) : "-";
  std::string verdict = "not compared";
  if (shown->verdict.has_value()) {
    ratio = shown->verdict->RatioText();
    verdict = std::string(stats::VerdictName(shown->verdict->verdict));
  }
  const double gflops = static_cast<double>(best.flops) / shown->median_ns;
  const std::string& implementation = shown->point.implementation;
  const std::string config = shown->point.config.ToString();
  return {key,
          kernel,
          implementation.empty() ? "-" : implementation,
          config.empty() ? "-" : config,
          Microseconds(shown->default_median_ns),
          Microseconds(shown->median_ns),
          best.flops == 0 ? "-" : absl::StrFormat("%.1f", gflops),
          ratio,
          verdict};
}

Json PointJson(const driver::TunedKernel& point) {
  return {{"implementation", point.implementation},
          {"config", Json::parse(point.config.ToJson())}};
}

Json MeasuredJson(const std::optional<MeasuredPoint>& measured) {
  if (!measured.has_value()) return nullptr;
  Json json = PointJson(measured->point);
  json["median_ns"] = measured->median_ns;
  json["relative"] = measured->relative;
  json["samples_ns"] = measured->samples_ns;
  return json;
}

Json JudgedJson(const BestOfTask& best) {
  if (!best.judged.has_value()) return nullptr;
  const TuningVerdict& verdict = best.judged->verdict;
  Json json = PointJson(best.judged->point);
  json["median_ns"] = best.judged->median_ns;
  json["verdict"] = std::string(stats::VerdictName(verdict.verdict));
  json["ratio"] = verdict.ratio;
  json["interval"] = {verdict.low, verdict.high};
  json["accepted"] = best.accepted() != nullptr;
  return json;
}

// Returns the comparisons at `place`, without duplicates.
std::vector<NetworkRecord> NetworksAt(
    const TuningPlace& place, const std::vector<NetworkRecord>& networks) {
  std::vector<NetworkRecord> found;
  std::set<std::string> lines;
  for (const NetworkRecord& network : networks) {
    if (PlaceOf(network) == place && lines.insert(network.ToJson()).second) {
      found.push_back(network);
    }
  }
  return found;
}

std::string NetworkLine(const NetworkRecord& network) {
  const size_t dropped = network.dropped.size();
  if (dropped == 0) return absl::StrCat(network.Summary(), "\n");
  return absl::StrCat(network.Summary(), "; ", dropped,
                      dropped == 1 ? " point" : " points", " dropped\n");
}

}  // namespace

BestReport MakeBestReport(const Log& log, const BestFilter& filter) {
  const std::vector<TuningRecord>& records = log.records;
  BestReport report;
  std::set<TuningPlace> places;
  int64_t filtered = 0;
  for (const TuningRecord& record : records) {
    if (Matches(record, filter)) {
      places.insert(PlaceOf(record));
    } else {
      ++filtered;
    }
  }
  int64_t older = 0;
  for (const TuningPlace& place : places) {
    KnownTasks known = CurrentTasksOf(records, place);
    BestOfPlace found;
    found.place = place;
    found.tasks = std::move(known.tasks);
    found.networks = NetworksAt(place, log.networks);
    found.best = FindBestRecords(records, place, found.tasks, found.networks);
    older += found.best.unused.other_template;
    report.places.push_back(std::move(found));
    report.remarks.insert(report.remarks.end(), known.problems.begin(),
                          known.problems.end());
  }
  UnusedRecords unused;
  unused.other_template = older;
  for (const std::string& sentence : Describe(unused)) {
    report.remarks.push_back(sentence);
  }
  if (filtered > 0) {
    report.remarks.push_back(
        absl::StrCat(filtered, filtered == 1 ? " record was" : " records were",
                     " left out by --device or --threads"));
  }
  return report;
}

std::string BestTable(const BestReport& report) {
  std::string text;
  for (const BestOfPlace& found : report.places) {
    absl::StrAppend(&text, "device ", found.place.device, ", ",
                    found.place.threads,
                    found.place.threads == 1 ? " thread" : " threads", ", ",
                    found.place.target, "\n\n");
    TextTable table({{"task"},
                     {"kernel"},
                     {"implementation"},
                     {"configuration"},
                     {"default(us)", TextTable::kRight},
                     {"point(us)", TextTable::kRight},
                     {"GFLOP/s", TextTable::kRight},
                     {"point/default", TextTable::kRight},
                     {"verdict"}});
    for (const auto& [key, task] : Sorted(found.best)) {
      table.AddRow(RowOf(key, *task));
    }
    absl::StrAppend(&text, table.ToString(), "\n");
    for (const NetworkRecord& network : found.networks) {
      text += NetworkLine(network);
    }
    if (!found.networks.empty()) text += "\n";
  }
  for (const std::string& remark : report.remarks) {
    absl::StrAppend(&text, remark, "\n");
  }
  return text;
}

std::string BestJson(const BestReport& report) {
  Json tasks = Json::array();
  for (const BestOfPlace& found : report.places) {
    for (const auto& [key, task] : Sorted(found.best)) {
      tasks.push_back({{"device", found.place.device},
                       {"threads", found.place.threads},
                       {"target", found.place.target},
                       {"task", key},
                       {"workload", task->workload},
                       {"flops", task->flops},
                       {"default_ns", task->default_ns},
                       {"default", MeasuredJson(task->default_point)},
                       {"fastest", MeasuredJson(task->fastest)},
                       {"judged", JudgedJson(*task)}});
    }
  }
  return tasks.dump(1) + "\n";
}

std::vector<TuningRecord> RecordsForCompiler(
    const std::vector<TuningRecord>& records, const BestReport& report) {
  std::set<std::string> improved;  // points
  for (const TuningRecord& record : records) {
    if (HasVerdict(record, stats::Verdict::kImproved)) {
      improved.insert(PointText(record));
    }
  }
  std::vector<TuningRecord> kept;
  std::set<std::string> lines;
  std::set<std::pair<TuningPlace, std::string>> timed;  // tasks
  for (const TuningRecord& record : records) {
    for (const BestOfPlace& found : report.places) {
      if (!(PlaceOf(record) == found.place)) continue;
      const auto best = found.best.tasks.find(record.task);
      if (best == found.best.tasks.end()) continue;
      const CurrentTask& task = found.tasks.at(record.task);
      if (record.template_digest != task.template_digest) continue;
      const bool has_time = HasDefaultTime(record, task, best->second) &&
                            timed.insert({found.place, record.task}).second;
      if ((has_time || Decides(record, task, best->second,
                               improved.count(PointText(record)) > 0)) &&
          lines.insert(record.ToJson()).second) {
        kept.push_back(record);
      }
    }
  }
  return kept;
}

}  // namespace assay::suites
