#include "suites/tune/log_tool/check_logs.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "compiler/graph/graph.h"
#include "compiler/ops/instance_text.h"
#include "compiler/ops/kernel/op_strategy.h"
#include "compiler/ops/kernel/workload.h"
#include "compiler/ops/op_instance.h"
#include "compiler/tune/task/current_task.h"
#include "runtime/base/status_macros.h"
#include "suites/tune/log/network_record.h"

namespace assay::suites {
namespace {

constexpr size_t kDigestDigits = 16;

// A workload for a target, as this compiler has it.
struct KnownTask {
  std::string key;
  std::string anchor;
  tune::CurrentTask current;
};

absl::StatusOr<KnownTask> TaskFor(const std::string& workload,
                                  const std::string& target) {
  KnownTask task;
  ASSAY_ASSIGN_OR_RETURN(task.current, tune::CurrentTaskOf(workload, target));
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<graph::Graph> body,
                         ops::ParseWorkload(workload));
  task.key = ops::WorkloadKey(*body);
  if (const graph::Node* anchor = ops::AnchorOf(*body); anchor != nullptr) {
    task.anchor = ops::InstanceText(ops::InstanceOf(*anchor));
  }
  return task;
}

bool IsDigest(const std::string& text) {
  return text.size() == kDigestDigits &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return absl::ascii_isxdigit(c) && !absl::ascii_isupper(c);
         });
}

// Returns what is wrong with the verdict, or an empty text.
std::string VerdictProblem(const TuningVerdict& verdict) {
  if (verdict.low <= verdict.ratio && verdict.ratio <= verdict.high) return "";
  return absl::StrCat("the ratio ", verdict.ratio, " is not in its interval [",
                      verdict.low, ", ", verdict.high, "]");
}

// Returns what is wrong with the result of a trial, or an empty text.
std::string ResultProblem(const TuningRecord& record) {
  if (record.status != TrialStatus::kOk) {
    const char* what = !record.samples_ns.empty()   ? "samples"
                       : record.verdict.has_value() ? "a verdict"
                                                    : nullptr;
    if (what == nullptr) return "";
    return absl::StrCat("the trial has ", what, ", although its status is `",
                        TrialStatusName(record.status), "`");
  }
  return record.verdict.has_value() ? VerdictProblem(*record.verdict) : "";
}

class Checker {
 public:
  void Add(const Log& log) {
    // Damaged lines and records by line.
    std::map<int64_t, std::string> problems;
    for (const DamagedLine& damaged : log.damaged) {
      problems[damaged.line] = damaged.reason;
    }
    for (size_t i = 0; i < log.records.size(); ++i) {
      ++check_.records;
      if (!lines_.insert(log.records[i].ToJson()).second) ++check_.duplicates;
      std::string problem = Problem(log.records[i]);
      if (!problem.empty()) problems[log.lines[i]] = std::move(problem);
    }
    for (size_t i = 0; i < log.networks.size(); ++i) {
      const NetworkRecord& network = log.networks[i];
      ++check_.records;
      if (!lines_.insert(network.ToJson()).second) ++check_.duplicates;
      std::string problem = network.device.empty()
                                ? "the record names no device"
                                : VerdictProblem(network.verdict);
      if (!problem.empty()) problems[log.network_lines[i]] = problem;
    }
    for (const auto& [line, problem] : problems) {
      check_.problems.push_back(
          absl::StrCat(log.path, ":", line, ": ", problem));
    }
  }

  LogCheck Take() { return std::move(check_); }

 private:
  // Returns what is wrong with a record, or an empty text.
  std::string Problem(const TuningRecord& record) {
    if (record.device.empty()) return "the record names no device";
    if (!IsDigest(record.template_digest)) {
      return absl::StrCat("`", record.template_digest,
                          "` is no template digest");
    }
    const absl::StatusOr<KnownTask>& task = Known(record);
    if (!task.ok()) {
      return absl::StrCat("the kernel cannot be compiled: ",
                          task.status().message());
    }
    if (task->key != record.task) {
      return absl::StrCat("the task is `", record.task,
                          "`, but the key of the workload is `", task->key,
                          "`");
    }
    if (task->anchor != record.anchor) {
      return absl::StrCat("the anchor is `", record.anchor,
                          "`, but that of the workload is `", task->anchor,
                          "`");
    }
    if (task->current.template_digest != record.template_digest) {
      ++check_.older_templates;
    } else if (const absl::Status point = CheckPoint(record, task->current);
               !point.ok()) {
      return absl::StrCat("the point is in no search space: ", point.message());
    }
    return ResultProblem(record);
  }

  const absl::StatusOr<KnownTask>& Known(const TuningRecord& record) {
    const std::pair<std::string, std::string> key = {record.workload,
                                                     record.target};
    const auto known = tasks_.find(key);
    if (known != tasks_.end()) return known->second;
    return tasks_.emplace(key, TaskFor(record.workload, record.target))
        .first->second;
  }

  static absl::Status CheckPoint(const TuningRecord& record,
                                 const tune::CurrentTask& task) {
    if (task.space.has_value()) {
      return task.space->IndexOf(record.implementation, record.config).status();
    }
    if (record.implementation.empty() && record.config.entries().empty()) {
      return absl::OkStatus();
    }
    return absl::NotFoundError("the kernel has no implementations");
  }

  LogCheck check_;
  std::set<std::string> lines_;
  // By workload and target.
  std::map<std::pair<std::string, std::string>, absl::StatusOr<KnownTask>>
      tasks_;
};

}  // namespace

LogCheck CheckLogs(const std::vector<Log>& logs) {
  Checker checker;
  for (const Log& log : logs) checker.Add(log);
  return checker.Take();
}

std::string CheckText(const LogCheck& check) {
  std::string text;
  for (const std::string& problem : check.problems) {
    absl::StrAppend(&text, problem, "\n");
  }
  absl::StrAppend(&text, check.records, " records, ", check.problems.size(),
                  " problems, ", check.older_templates,
                  " records of older templates, ", check.duplicates,
                  " duplicates\n");
  return text;
}

}  // namespace assay::suites
