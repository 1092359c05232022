#include "suites/tune/network/accept_network.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "compiler/driver/compile.h"
#include "compiler/tune/task/tasks.h"
#include "runtime/base/status_macros.h"
#include "runtime/base/utc_now.h"
#include "suites/comparison/align_kernels.h"
#include "suites/tune/apply_tuning.h"
#include "suites/tune/current_task.h"
#include "suites/tune/log/best_records.h"
#include "suites/tune/network/kernel_ratio.h"

namespace assay::suites {
namespace {

// A point that the tuned network uses.
struct UsedPoint {
  DroppedPoint point;
  const tune::Task* task = nullptr;
  // Upper end of the interval of its own comparison; 1 for a default point.
  double high = 1;
  // The time of its kernels in the network, relative to the untuned network; 1
  // if it is unknown.
  double ratio = 1;
};

// The network as the compiler makes it with the log.
struct TunedProgram {
  runtime::Artifact artifact;
  std::set<std::string> tasks;  // keys
};

bool IsSlower(const TuningVerdict& verdict) {
  switch (verdict.verdict) {
    case stats::Verdict::kImproved:
    case stats::Verdict::kEquivalent:
      return false;
    case stats::Verdict::kRegressed:
      return true;
    default:
      return verdict.ratio > kMaxUndecidedRatio;
  }
}

// Returns true for a convolution in a layout that only a log can choose.
bool IsOtherLayout(const tune::Task& task) {
  return task.calls == 0 && absl::StartsWith(task.anchor, "conv2d(");
}

// Returns a text that is the same for the same point of a task.
std::string Text(const DroppedPoint& point) {
  return absl::StrCat(point.task, " ", point.template_digest, " ",
                      point.implementation, " ", point.config.ToString());
}

// Returns the points that are dropped if the network is slower.
std::vector<DroppedPoint> WorstOf(std::vector<UsedPoint> used) {
  std::sort(used.begin(), used.end(),
            [](const UsedPoint& a, const UsedPoint& b) {
              return std::tuple(-a.ratio, -a.high, a.point.task) <
                     std::tuple(-b.ratio, -b.high, b.point.task);
            });
  const auto slower = static_cast<size_t>(absl::c_count_if(
      used, [](const UsedPoint& point) { return point.ratio > 1; }));
  used.resize(slower > 0 ? slower : (used.size() + 1) / 2);
  std::vector<DroppedPoint> worst;
  for (UsedPoint& used_point : used) {
    worst.push_back(std::move(used_point.point));
  }
  return worst;
}

class Acceptance {
 public:
  Acceptance(const NetworkPlace& place, Log log, const NetworkTools& tools)
      : place_(place),
        log_(std::move(log)),
        tools_(tools),
        where_({place.target.ToString(), place.device, place.threads}) {}

  absl::StatusOr<AcceptedNetwork> Run() {
    std::set<std::string> recorded;  // tasks
    for (const TuningRecord& record : log_.records) {
      if (PlaceOf(record) == where_) recorded.insert(record.task);
    }
    if (recorded.empty()) return AcceptedNetwork();
    ASSAY_RETURN_IF_ERROR(CompileUntuned(recorded));
    for (int comparisons = 1;; ++comparisons) {
      ASSAY_ASSIGN_OR_RETURN(const TunedProgram tuned, CompileTuned());
      NetworkRecord record = NewRecord(tuned.artifact);
      AcceptedNetwork accepted;
      accepted.dropped = CountDropped();
      if (record.tuned == record.untuned) return accepted;
      std::vector<UsedPoint> used = UsedPoints(tuned.tasks);
      const bool is_known = FindKnown(&record);
      if (!is_known) ASSAY_RETURN_IF_ERROR(Compare(tuned, &used, &record));
      const bool is_slower = IsSlower(record.verdict);
      if (is_slower) {
        const bool all = used.empty() || comparisons >= kMaxNetworkComparisons;
        record.dropped = all ? AllPoints() : WorstOf(used);
        if (record.dropped.empty()) {
          return absl::InternalError(
              absl::StrCat("the log changes the network `", record.network,
                           "`, but none of its points"));
        }
      }
      if (is_slower || !is_known) {
        ASSAY_RETURN_IF_ERROR(tools_.append(record));
        log_.networks.push_back(record);
      }
      if (is_slower) continue;
      accepted.kept = static_cast<int>(used.size());
      accepted.comparison = std::move(record);
      return accepted;
    }
  }

 private:
  absl::Status CompileUntuned(const std::set<std::string>& recorded) {
    const graph::Graph& graph = *place_.model->graph;
    ASSAY_ASSIGN_OR_RETURN(untuned_, driver::Compile(graph, place_.target));
    ASSAY_ASSIGN_OR_RETURN(std::vector<tune::Task> tasks,
                           tune::ExtractTasks(graph, place_.target, {},
                                              tune::LayoutChoices::kAll));
    for (tune::Task& task : tasks) {
      if (recorded.count(task.key) == 0) continue;
      ASSAY_ASSIGN_OR_RETURN(current_[task.key],
                             CurrentTaskOf(*task.kernel, place_.target));
      tasks_.push_back(std::move(task));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<TunedProgram> CompileTuned() const {
    const graph::Graph& graph = *place_.model->graph;
    driver::CompileOptions options;
    ASSAY_RETURN_IF_ERROR(ApplyTuning(log_, graph, place_.target, place_.device,
                                      place_.threads, &options)
                              .status());
    TunedProgram tuned;
    ASSAY_ASSIGN_OR_RETURN(tuned.artifact,
                           driver::Compile(graph, place_.target, options));
    ASSAY_ASSIGN_OR_RETURN(const std::vector<tune::Task> tasks,
                           tune::ExtractTasks(graph, place_.target, options,
                                              tune::LayoutChoices::kDefault));
    for (const tune::Task& task : tasks) tuned.tasks.insert(task.key);
    return tuned;
  }

  // Returns the points that these tasks use.
  std::vector<UsedPoint> UsedPoints(const std::set<std::string>& tasks) const {
    const BestRecords best =
        FindBestRecords(log_.records, where_, current_, log_.networks);
    std::vector<UsedPoint> used;
    for (const tune::Task& task : tasks_) {
      const auto found = best.tasks.find(task.key);
      if (tasks.count(task.key) == 0 || found == best.tasks.end()) continue;
      const JudgedPoint* accepted = found->second.accepted();
      if (accepted != nullptr) {
        used.push_back(
            {PointOf(task, accepted->point), &task, accepted->verdict.high});
      } else if (IsOtherLayout(task) && found->second.default_ns > 0) {
        used.push_back({DefaultPointOf(task), &task});
      }
    }
    return used;
  }

  // Returns the points without which the log does not change the network.
  std::vector<DroppedPoint> AllPoints() const {
    std::map<std::string, DroppedPoint> points;  // by Text()
    const auto add = [&](const DroppedPoint& point) {
      points.emplace(Text(point), point);
    };
    for (const tune::Task& task : tasks_) {
      if (IsOtherLayout(task)) add(DefaultPointOf(task));
      for (const TuningRecord& record : log_.records) {
        const DroppedPoint point =
            PointOf(task, {record.implementation, record.config});
        if (record.task == task.key && PlaceOf(record) == where_ &&
            record.template_digest == point.template_digest &&
            record.verdict.has_value() &&
            record.verdict->verdict == stats::Verdict::kImproved) {
          add(point);
        }
      }
    }
    for (const NetworkRecord& network : log_.networks) {
      if (!(PlaceOf(network) == where_)) continue;
      for (const DroppedPoint& point : network.dropped) {
        points.erase(Text(point));
      }
    }
    std::vector<DroppedPoint> all;
    for (auto& [text, point] : points) all.push_back(std::move(point));
    return all;
  }

  DroppedPoint PointOf(const tune::Task& task,
                       const driver::TunedKernel& point) const {
    return {task.key, current_.at(task.key).template_digest,
            point.implementation, point.config};
  }
  DroppedPoint DefaultPointOf(const tune::Task& task) const {
    return PointOf(task, current_.at(task.key).default_point);
  }

  NetworkRecord NewRecord(const runtime::Artifact& tuned) const {
    NetworkRecord record;
    record.network = place_.model->name;
    record.model = place_.model->digest;
    record.target = where_.target;
    record.device = where_.device;
    record.board = place_.board;
    record.threads = where_.threads;
    record.untuned = runtime::Digest(untuned_);
    record.tuned = runtime::Digest(tuned);
    return record;
  }

  // Completes `record` if the log has its comparison. If it has several, those
  // that say that the network is slower prevail.
  bool FindKnown(NetworkRecord* record) const {
    const NetworkRecord* known = nullptr;
    for (const NetworkRecord& earlier : log_.networks) {
      if (PlaceOf(earlier) == where_ && earlier.untuned == record->untuned &&
          earlier.tuned == record->tuned &&
          (known == nullptr || IsSlower(earlier.verdict))) {
        known = &earlier;
      }
    }
    if (known == nullptr) return false;
    record->untuned_ns = known->untuned_ns;
    record->tuned_ns = known->tuned_ns;
    record->verdict = known->verdict;
    record->time = known->time;
    return true;
  }

  // Measures both programs. Sets the ratios of `used`.
  absl::Status Compare(const TunedProgram& tuned, std::vector<UsedPoint>* used,
                       NetworkRecord* record) const {
    ASSAY_ASSIGN_OR_RETURN(const TunedComparison comparison,
                           tools_.compare(untuned_, tuned.artifact));
    record->verdict = comparison.verdict;
    record->tuned_ns = comparison.point_ns;
    record->untuned_ns = comparison.default_ns;
    record->time = UtcNow();
    const std::vector<AlignedKernels> parts =
        AlignKernels(untuned_.calls, tuned.artifact.calls);
    for (UsedPoint& point : *used) {
      point.ratio =
          KernelRatio(parts, comparison.loads, point.task->nodes).value_or(1);
    }
    return absl::OkStatus();
  }

  int CountDropped() const {
    std::set<std::string> points;
    for (const NetworkRecord& network : log_.networks) {
      if (!(PlaceOf(network) == where_)) continue;
      if (network.network != place_.model->name) continue;
      for (const DroppedPoint& point : network.dropped) {
        const auto task = current_.find(point.task);
        if (task != current_.end() &&
            task->second.template_digest == point.template_digest) {
          points.insert(Text(point));
        }
      }
    }
    return static_cast<int>(points.size());
  }

  const NetworkPlace& place_;
  Log log_;
  const NetworkTools& tools_;
  const TuningPlace where_;
  runtime::Artifact untuned_;
  // The tasks with records, with all layouts.
  std::vector<tune::Task> tasks_;
  CurrentTasks current_;
};

}  // namespace

std::string Describe(const NetworkPlace& place,
                     const AcceptedNetwork& accepted) {
  const std::string what =
      accepted.comparison.has_value()
          ? accepted.comparison->Summary()
          : absl::StrCat(place.model->name, ", ", place.threads,
                         place.threads == 1 ? " thread: " : " threads: ",
                         "the same program as untuned");
  return absl::StrCat(what, "; ", accepted.kept,
                      accepted.kept == 1 ? " point" : " points", " kept, ",
                      accepted.dropped, " dropped");
}

absl::StatusOr<AcceptedNetwork> AcceptNetwork(const NetworkPlace& place,
                                              Log log,
                                              const NetworkTools& tools) {
  return Acceptance(place, std::move(log), tools).Run();
}

}  // namespace assay::suites
