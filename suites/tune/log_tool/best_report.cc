#include "suites/tune/log_tool/best_report.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/result/json_reader.h"
#include "runtime/text/text_table.h"
#include "suites/tune/log/task_name.h"

namespace assay::suites {
namespace {

using reports::Json;
using runtime::TextTable;

bool Matches(const TuningRecord& record, const BestFilter& filter) {
  return absl::StrContains(record.device, filter.device) &&
         (filter.threads == 0 || record.threads == filter.threads);
}

bool HasVerdict(const TuningRecord& record, stats::Verdict verdict) {
  return record.verdict.has_value() && record.verdict->verdict == verdict;
}

// Returns true if `record` has BestOfTask::default_ns.
bool HasDefaultTime(const TuningRecord& record, const tune::CurrentTask& task,
                    const BestOfTask& best) {
  if (record.status != TrialStatus::kOk) return false;
  return absl::c_linear_search(record.default_ns, best.default_ns) ||
         (PointOf(record) == task.default_point &&
          absl::c_linear_search(record.samples_ns, best.default_ns));
}

// Returns true if `record` is the comparison by which a point was accepted, or
// says that a point with `improved` elsewhere, or the default point, must not
// be used.
bool Decides(const TuningRecord& record, const tune::CurrentTask& task,
             const BestOfTask& best, bool improved_elsewhere) {
  const driver::TunedKernel point = PointOf(record);
  if (record.status == TrialStatus::kWrong) {
    return improved_elsewhere || point == task.default_point;
  }
  if (record.status != TrialStatus::kOk) return false;
  if (HasVerdict(record, stats::Verdict::kRegressed)) return improved_elsewhere;
  const JudgedPoint* accepted = best.accepted();
  return accepted != nullptr && point == accepted->point &&
         HasVerdict(record, stats::Verdict::kImproved) &&
         record.verdict->high == accepted->verdict.high;
}

// A text that is the same for records of the same point.
std::string PointText(const TuningRecord& record) {
  return absl::StrCat(record.task, " ", PointOf(record).ToString());
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
  const std::string kernel = TaskName(best.workload, best.anchor);
  JudgedPoint shown;
  std::string ratio = "-", verdict = "not compared";
  if (best.judged.has_value()) {
    shown = *best.judged;
    ratio = shown.verdict.RatioText();
    verdict = std::string(stats::VerdictName(shown.verdict.verdict));
  } else if (best.fastest.has_value()) {
    const auto& usual = best.default_point;
    shown.point = best.fastest->point;
    shown.median_ns = best.fastest->median_ns;
    shown.default_median_ns = usual.has_value() ? usual->median_ns : 0;
    if (best.default_ns > 0) {
      ratio = absl::StrFormat("%.2f", best.fastest->relative);
    }
  } else {
    return {key, kernel, "-", "-", "-", "-", "-", "-", "no valid point"};
  }
  const double gflops = static_cast<double>(best.flops) / shown.median_ns;
  const std::string& implementation = shown.point.implementation;
  const std::string config = shown.point.config.ToString();
  return {key,
          kernel,
          implementation.empty() ? "-" : implementation,
          config.empty() ? "-" : config,
          Microseconds(shown.default_median_ns),
          Microseconds(shown.median_ns),
          best.flops == 0 ? "-" : absl::StrFormat("%.1f", gflops),
          ratio,
          verdict};
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
  Json json = PointJson(best.judged->point);
  json["median_ns"] = best.judged->median_ns;
  json.update(VerdictJson(best.judged->verdict));
  json["accepted"] = best.accepted() != nullptr;
  return json;
}

std::vector<NetworkRecord> WithoutDuplicates(
    const std::vector<NetworkRecord>& networks) {
  std::vector<NetworkRecord> found;
  std::set<std::string> lines;
  for (const NetworkRecord& network : networks) {
    if (lines.insert(network.ToJson()).second) found.push_back(network);
  }
  return found;
}

// Returns the tasks of the records. Adds a sentence for each task that this
// compiler cannot compile for the target.
tune::CurrentTasks TasksOf(const std::vector<TuningRecord>& records,
                           const std::string& target,
                           std::vector<std::string>* remarks) {
  std::map<std::string, std::string> workloads;  // by key
  for (const TuningRecord& record : records) {
    std::string& workload = workloads[record.task];
    workload = std::max(workload, record.workload);
  }
  tune::CurrentTasks tasks;
  for (const auto& [key, workload] : workloads) {
    auto task = tune::CurrentTaskOf(workload, target);
    if (task.ok()) {
      tasks.emplace(key, *std::move(task));
    } else {
      remarks->push_back(
          absl::StrCat("the task `", key,
                       "` cannot be compiled: ", task.status().message()));
    }
  }
  return tasks;
}

std::string NetworkLine(const NetworkRecord& network) {
  const size_t dropped = network.dropped.size();
  if (dropped == 0) return absl::StrCat(network.Summary(), "\n");
  return absl::StrCat(network.Summary(), "; ", dropped,
                      dropped == 1 ? " point" : " points", " dropped\n");
}

}  // namespace

BestReport MakeBestReport(const Log& log, const BestFilter& filter) {
  BestReport report;
  std::set<TuningPlace> places;
  int64_t filtered = 0;
  for (const TuningRecord& record : log.records) {
    if (Matches(record, filter)) {
      places.insert(PlaceOf(record));
    } else {
      ++filtered;
    }
  }
  int64_t older = 0;
  for (const TuningPlace& place : places) {
    const Log there = RecordsAt(log, place);
    BestOfPlace found;
    found.place = place;
    found.tasks = TasksOf(there.records, place.target, &report.remarks);
    found.networks = WithoutDuplicates(there.networks);
    found.best =
        FindBestRecords(there.records, place, found.tasks, found.networks);
    older += found.best.unused.other_template;
    report.places.push_back(std::move(found));
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
    absl::StrAppend(&text, ToString(found.place), "\n\n");
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
      const tune::CurrentTask& task = found.tasks.at(record.task);
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
