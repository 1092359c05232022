#include "suites/tune/search/tune_task.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <thread>
#include <utility>

#include "absl/synchronization/mutex.h"
#include "compiler/tune/search/tuners.h"
#include "compiler/tune/task/template_digest.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"
#include "suites/tune/log/task_name.h"
#include "suites/tune/search/kernel_program.h"
#include "suites/tune/search/point_selection.h"

namespace assay::suites {
namespace {

// Returns the hints that are points of the space.
std::vector<int64_t> FirstPoints(const tune::Task& task,
                                 const tune::SearchSpace& space,
                                 const std::vector<AutoTvmConv2d>& hints) {
  std::vector<int64_t> points;
  for (const driver::TunedKernel& hint : HintsFor(hints, task)) {
    const auto point = space.IndexOf(hint.implementation, hint.config);
    if (point.ok()) points.push_back(*point);
  }
  return points;
}

// The devices of a run take tasks from one queue.
class Queue {
 public:
  Queue(const std::vector<PlannedTask>& tasks, size_t devices, double seconds)
      : tasks_(tasks), devices_(static_cast<int64_t>(devices)) {
    if (seconds > 0) {
      end_ = MonotonicNanos() + static_cast<int64_t>(seconds * 1e9);
    }
  }

  // Returns the next task, and the time at which its search must end. Returns
  // null if there is none, or if the run has ended.
  const PlannedTask* Take(int64_t* deadline) {
    const absl::MutexLock lock(&mutex_);
    const int64_t left = static_cast<int64_t>(tasks_.size() - next_);
    const int64_t now = MonotonicNanos();
    if (left == 0 || now >= end_ || !status_.ok()) return nullptr;
    *deadline = end_;
    if (end_ != kNever) {
      *deadline = now + (end_ - now) / std::max<int64_t>(1, left / devices_);
    }
    return &tasks_[next_++];
  }

  // Ends the run.
  void Stop(absl::Status status) {
    const absl::MutexLock lock(&mutex_);
    if (status_.ok()) status_ = std::move(status);
  }
  absl::Status status() {
    const absl::MutexLock lock(&mutex_);
    return status_;
  }

 private:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  const std::vector<PlannedTask>& tasks_;
  const int64_t devices_;
  int64_t end_ = kNever;
  absl::Mutex mutex_;
  size_t next_ = 0;
  absl::Status status_;
};

// Returns true if the failure of a task does not prevent that others are tuned.
bool IsOfTask(const absl::Status& status) {
  return absl::IsInternal(status) || absl::IsInvalidArgument(status) ||
         absl::IsNotFound(status) || absl::IsUnimplemented(status);
}

}  // namespace

absl::StatusOr<TuningRecord> HeaderOf(const tune::Task& task,
                                      const TuningDevice& device,
                                      const TuningOptions& options) {
  TuningRecord header;
  header.task = task.key;
  header.workload = task.workload;
  header.anchor = task.anchor;
  header.flops = task.flops;
  header.target = device.target.ToString();
  const runtime::DeviceFacts facts = device.trials->facts();
  header.device = facts.fingerprint;
  header.board = facts.board;
  header.threads = device.threads;
  ASSAY_ASSIGN_OR_RETURN(header.template_digest,
                         tune::TemplateDigest(*task.kernel, device.target));
  header.tuner = options.tuner;
  header.seed = static_cast<int64_t>(options.seed);
  return header;
}

absl::Status TuneTask(const tune::Task& task, const tune::SearchSpace& space,
                      const TuningDevice& device, const TuningOptions& options,
                      BuildPool* builders, const TuningLog& log) {
  ASSAY_ASSIGN_OR_RETURN(const TuningRecord header,
                         HeaderOf(task, device, options));
  ASSAY_ASSIGN_OR_RETURN(const KernelProgram program,
                         MakeKernelProgram(task, options.weights_bytes,
                                           device.threads, options.seed));
  TrialRunner trials(program, device.threads, device.trials, options.trial);
  SearchSetup setup = {&space, &program, device.target,
                       FirstPoints(task, space, options.hints)};
  setup.builders = builders;
  setup.trials = &trials;
  setup.overlap = device.overlap;
  setup.append = log.append;
  const std::unique_ptr<tune::Tuner> tuner =
      tune::MakeTuner(options.tuner, space, options.seed,
                      options.others.For(task.key, PlaceOf(header)));
  TaskSearch search(std::move(setup), header, tuner.get());
  search.Replay(*log.earlier);
  if (log.replay != nullptr) {
    for (const TuningRecord& record : *log.earlier) {
      if (IsOfSameSearch(record, header)) log.replay(record);
    }
  }
  ASSAY_RETURN_IF_ERROR(search.Run(options.limits));
  if (device.judge == nullptr) return absl::OkStatus();
  SelectionSetup selection = {&space, &program, device.judge, device.threads};
  selection.acceptance = options.acceptance;
  selection.seed = options.seed;
  selection.earlier = log.earlier;
  selection.append = log.append;
  return SelectPoint(selection, search);
}

std::vector<PlannedTask> PlanTasks(std::vector<tune::Task> tasks,
                                   const target::Target& target) {
  std::vector<PlannedTask> planned;
  for (tune::Task& task : tasks) {
    auto space = tune::SpaceOfKernel(*task.kernel, target);
    if (!space.ok()) continue;
    planned.push_back({std::move(task), *std::move(space)});
  }
  const auto seconds = [](const PlannedTask& p) {
    return p.task.calls * p.space.ModelledSeconds(p.space.default_point());
  };
  std::vector<std::pair<double, size_t>> order;
  for (size_t i = 0; i < planned.size(); ++i) {
    order.emplace_back(-seconds(planned[i]), i);
  }
  std::sort(order.begin(), order.end());
  std::vector<PlannedTask> sorted;
  for (const auto& [key, i] : order) sorted.push_back(std::move(planned[i]));
  return sorted;
}

absl::Status TuneTasks(const std::vector<PlannedTask>& tasks,
                       const std::vector<TuningDevice>& devices,
                       const TuningOptions& options, BuildPool* builders,
                       const TuningLog& log, TuningProgress* progress) {
  Queue queue(tasks, devices.size(), options.seconds);
  absl::Mutex mutex;  // of the progress and of the log
  const auto work = [&](int index) {
    const TuningDevice& device = devices[static_cast<size_t>(index)];
    TuningLog locked = log;
    locked.append = [&](const TuningRecord& record) {
      const absl::MutexLock lock(&mutex);
      ASSAY_RETURN_IF_ERROR(log.append(record));
      progress->Add(index, record);
      return absl::OkStatus();
    };
    locked.replay = [&](const TuningRecord& record) {
      const absl::MutexLock lock(&mutex);
      progress->Replay(index, record);
    };
    TuningOptions own = options;
    while (const PlannedTask* planned = queue.Take(&own.limits.deadline)) {
      const tune::Task& task = planned->task;
      {
        const absl::MutexLock lock(&mutex);
        progress->Start(index,
                        {TaskName(task.workload, task.anchor), task.flops,
                         planned->space.size(), options.limits.trials});
      }
      const absl::Status status =
          TuneTask(task, planned->space, device, own, builders, locked);
      if (!status.ok() && !IsOfTask(status)) queue.Stop(status);
      const absl::MutexLock lock(&mutex);
      progress->Finish(index, status);
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < static_cast<int>(devices.size()); ++i) {
    others.emplace_back(work, i);
  }
  work(0);
  for (std::thread& thread : others) thread.join();
  return queue.status();
}

}  // namespace assay::suites
