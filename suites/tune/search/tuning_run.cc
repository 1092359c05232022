#include "suites/tune/search/tuning_run.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <thread>
#include <utility>

#include "absl/synchronization/mutex.h"
#include "runtime/base/clock.h"

namespace assay::suites {
namespace {

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

std::vector<PlannedTask> PlanTasks(std::vector<tune::Task> tasks,
                                   const target::Target& target) {
  std::vector<PlannedTask> planned;
  for (tune::Task& task : tasks) {
    auto space = tune::SpaceOfKernel(*task.kernel, target, /*exact=*/false);
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
                       const TaskOptions& options, const RunLimits& limits,
                       BuildPool* builders, const TuningLog& log,
                       const TuningEvents& events) {
  Queue queue(tasks, devices.size(), limits.seconds);
  absl::Mutex mutex;  // of the events and of the log
  const auto work = [&](int index) {
    const TuningDevice& device = devices[static_cast<size_t>(index)];
    TuningLog locked = log;
    locked.append = [&](const TuningRecord& record) {
      const absl::MutexLock lock(&mutex);
      return log.append(record);
    };
    locked.observe = [&](const TuningRecord& record) {
      const absl::MutexLock lock(&mutex);
      events.record(index, record);
    };
    locked.replay = [&](const TuningRecord& record) {
      const absl::MutexLock lock(&mutex);
      events.replay(index, record);
    };
    TaskOptions own = options;
    while (const PlannedTask* planned = queue.Take(&own.limits.deadline)) {
      {
        const absl::MutexLock lock(&mutex);
        events.start(index, *planned);
      }
      const absl::Status status = TuneTask(planned->task, planned->space,
                                           device, own, builders, locked);
      if (!status.ok() && !IsOfTask(status)) queue.Stop(status);
      const absl::MutexLock lock(&mutex);
      events.finish(index, status);
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
