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
#include "suites/tune/network/network_judge.h"

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
  TuningSummary log;            // what the log says
};

bool IsSlower(const TuningVerdict& verdict) {
  const bool is_decided = verdict.verdict == stats::Verdict::kImproved ||
                          verdict.verdict == stats::Verdict::kEquivalent;
  return verdict.verdict == stats::Verdict::kRegressed ||
         (!is_decided && verdict.ratio > kMaxUndecidedRatio);
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
  Acceptance(const Model& model, const target::Target& target,
             const NetworkRecord& header, const Log& log,
             const NetworkTools& tools)
      : graph_(*model.graph),
        target_(target),
        header_(header),
        log_(RecordsAt(log, PlaceOf(header))),
        tools_(tools) {}

  absl::StatusOr<AcceptedNetwork> Run() {
    if (log_.records.empty()) return AcceptedNetwork();
    ASSAY_ASSIGN_OR_RETURN(untuned_, driver::Compile(graph_, target_));
    for (int comparisons = 1;; ++comparisons) {
      ASSAY_ASSIGN_OR_RETURN(const TunedProgram tuned, CompileTuned());
      NetworkRecord record = header_;
      record.untuned = runtime::Digest(untuned_);
      record.tuned = runtime::Digest(tuned.artifact);
      AcceptedNetwork accepted;
      accepted.dropped = CountDropped(tuned.log.current);
      if (record.tuned == record.untuned) return accepted;
      std::vector<UsedPoint> used = UsedPoints(tuned);
      const bool is_known = FindKnown(&record);
      if (!is_known) ASSAY_RETURN_IF_ERROR(Compare(tuned, &used, &record));
      const bool is_slower = IsSlower(record.verdict);
      if (is_slower) {
        const bool all = used.empty() || comparisons >= kMaxNetworkComparisons;
        record.dropped = all ? AllPoints(tuned.log) : WorstOf(used);
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
  absl::StatusOr<TunedProgram> CompileTuned() const {
    driver::CompileOptions options;
    TunedProgram tuned;
    ASSAY_ASSIGN_OR_RETURN(tuned.log,
                           ApplyTuning(log_, graph_, target_, header_.device,
                                       header_.threads, &options));
    ASSAY_ASSIGN_OR_RETURN(tuned.artifact,
                           driver::Compile(graph_, target_, options));
    ASSAY_ASSIGN_OR_RETURN(const std::vector<tune::Task> tasks,
                           tune::ExtractTasks(graph_, target_, options,
                                              tune::LayoutChoices::kDefault));
    for (const tune::Task& task : tasks) tuned.tasks.insert(task.key);
    return tuned;
  }

  static std::vector<UsedPoint> UsedPoints(const TunedProgram& tuned) {
    std::vector<UsedPoint> used;
    for (const tune::Task& task : tuned.log.tasks) {
      const auto found = tuned.log.best.tasks.find(task.key);
      if (tuned.tasks.count(task.key) == 0 ||
          found == tuned.log.best.tasks.end()) {
        continue;
      }
      const tune::CurrentTask& current = tuned.log.current.at(task.key);
      const JudgedPoint* accepted = found->second.accepted();
      if (accepted != nullptr) {
        used.push_back({PointOf(task, current, accepted->point), &task,
                        accepted->verdict.high});
      } else if (IsOtherLayout(task) && found->second.default_ns > 0) {
        used.push_back({PointOf(task, current, current.default_point), &task});
      }
    }
    return used;
  }

  // Returns the points without which the log does not change the network.
  std::vector<DroppedPoint> AllPoints(const TuningSummary& log) const {
    std::map<std::string, DroppedPoint> points;  // by Text()
    const auto add = [&](const DroppedPoint& point) {
      points.emplace(Text(point), point);
    };
    for (const tune::Task& task : log.tasks) {
      const tune::CurrentTask& current = log.current.at(task.key);
      if (IsOtherLayout(task)) {
        add(PointOf(task, current, current.default_point));
      }
    }
    for (const TuningRecord& record : log_.records) {
      const auto task = log.current.find(record.task);
      if (task != log.current.end() && record.verdict.has_value() &&
          record.template_digest == task->second.template_digest &&
          record.verdict->verdict == stats::Verdict::kImproved) {
        add({record.task, record.template_digest, record.implementation,
             record.config});
      }
    }
    for (const NetworkRecord& network : log_.networks) {
      for (const DroppedPoint& point : network.dropped) {
        points.erase(Text(point));
      }
    }
    std::vector<DroppedPoint> all;
    for (auto& [text, point] : points) all.push_back(std::move(point));
    return all;
  }

  static DroppedPoint PointOf(const tune::Task& task,
                              const tune::CurrentTask& current,
                              const driver::TunedKernel& point) {
    return {task.key, current.template_digest, point.implementation,
            point.config};
  }

  // Completes `record` if the log has its comparison. If it has several, those
  // that say that the network is slower prevail.
  bool FindKnown(NetworkRecord* record) const {
    const NetworkRecord* known = nullptr;
    for (const NetworkRecord& earlier : log_.networks) {
      if (earlier.untuned == record->untuned &&
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

  int CountDropped(const tune::CurrentTasks& current) const {
    std::set<std::string> points;
    for (const NetworkRecord& network : log_.networks) {
      if (network.network != header_.network) continue;
      for (const DroppedPoint& point : network.dropped) {
        const auto task = current.find(point.task);
        if (task != current.end() &&
            task->second.template_digest == point.template_digest) {
          points.insert(Text(point));
        }
      }
    }
    return static_cast<int>(points.size());
  }

  const graph::Graph& graph_;
  const target::Target& target_;
  const NetworkRecord& header_;
  Log log_;  // of the place
  const NetworkTools& tools_;
  runtime::Artifact untuned_;
};

}  // namespace

std::string Describe(const NetworkRecord& header,
                     const AcceptedNetwork& accepted) {
  const std::string what =
      accepted.comparison.has_value()
          ? accepted.comparison->Summary()
          : absl::StrCat(header.network, ", ", header.threads,
                         header.threads == 1 ? " thread: " : " threads: ",
                         "the same program as untuned");
  return absl::StrCat(what, "; ", accepted.kept,
                      accepted.kept == 1 ? " point" : " points", " kept, ",
                      accepted.dropped, " dropped");
}

absl::StatusOr<AcceptedNetwork> AcceptNetwork(const Model& model,
                                              const target::Target& target,
                                              const NetworkRecord& header,
                                              const Log& log,
                                              const NetworkTools& tools) {
  return Acceptance(model, target, header, log, tools).Run();
}

}  // namespace assay::suites
