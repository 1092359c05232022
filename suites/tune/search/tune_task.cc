#include "suites/tune/search/tune_task.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <thread>
#include <utility>

#include "absl/synchronization/mutex.h"
#include "compiler/tune/search/tuners.h"
#include "compiler/tune/task/template_digest.h"
#include "runtime/base/clock.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"
#include "runtime/base/utc_now.h"
#include "suites/correctness/checked_session.h"
#include "suites/tune/log/task_name.h"
#include "suites/tune/search/kernel_program.h"
#include "suites/tune/search/successive_halving.h"

namespace assay::suites {
namespace {

// Returns log(time / time of the default point) of each load of a finalist.
Arm RatiosOf(const TuningRecord& finalist) {
  Arm ratios;
  for (size_t i = 0; i < finalist.samples_ns.size(); ++i) {
    ratios.observations.push_back(
        std::log(finalist.samples_ns[i] / finalist.default_ns[i]));
  }
  return ratios;
}

// Selects the point that replaces the default point, after the search.
class PointSelection {
 public:
  PointSelection(const tune::SearchSpace& space, const TuningDevice& device,
                 const TuningOptions& options, const TuningLog& log,
                 const KernelProgram& program, TaskSearch* search)
      : space_(space),
        device_(device),
        options_(options),
        log_(log),
        program_(program),
        search_(*search),
        examples_({{program.inputs, program.expected}}) {}

  // Finds the best points, and compares them with the default point.
  absl::Status Finish() {
    if (device_.judge == nullptr) return absl::OkStatus();
    ASSAY_ASSIGN_OR_RETURN(const std::vector<TuningRecord> finalists,
                           Finalists());
    int compared = 0;
    for (const TuningRecord& finalist : finalists) {
      if (RatiosOf(finalist).Upper() >= 0 || compared++ == kMaxCompared) break;
      ASSAY_ASSIGN_OR_RETURN(const TuningRecord judged, Compare(finalist));
      // If it is not slower than the default point, points that seem slower
      // than it will not be faster.
      if (judged.verdict.has_value() &&
          judged.verdict->verdict != stats::Verdict::kRegressed) {
        break;
      }
    }
    return absl::OkStatus();
  }

 private:
  // Returns the earlier records of this search.
  std::vector<const TuningRecord*> Earlier() const {
    const TuningRecord header = search_.RecordOf(space_.default_point());
    std::vector<const TuningRecord*> records;
    for (const TuningRecord& earlier : *log_.earlier) {
      if (IsOfSameSearch(earlier, header)) records.push_back(&earlier);
    }
    return records;
  }

  // Returns the point of the space that the record measured.
  absl::StatusOr<int64_t> PointIn(const TuningRecord& record) const {
    return space_.IndexOf(record.implementation, record.config);
  }

  // Returns the finalists, the best one first: those of an interrupted run, or
  // those that are measured now.
  absl::StatusOr<std::vector<TuningRecord>> Finalists() {
    std::vector<TuningRecord> finalists;
    for (const TuningRecord* record : Earlier()) {
      if (record->loads > 0 && PointIn(*record).ok()) {
        finalists.push_back(*record);
      }
    }
    if (!finalists.empty()) return finalists;
    std::vector<int64_t> points;
    const auto count = static_cast<size_t>(search_.num_trials()) / 20;
    for (const TaskSearch::RankedPoint& ranked :
         search_.Ranking(std::clamp(count, kMinFinalists, kMaxFinalists))) {
      // The default point was measured next to all others.
      if (ranked.relative >= 1 || ranked.point == space_.default_point()) break;
      points.push_back(ranked.point);
    }
    return MeasureFinalists(points);
  }

  // A point that is measured next to the default point.
  struct Contestant {
    TuningRecord record;
    std::unique_ptr<PointComparison> comparison;
  };

  absl::StatusOr<std::vector<TuningRecord>> MeasureFinalists(
      const std::vector<int64_t>& points) {
    ASSAY_ASSIGN_OR_RETURN(const std::vector<runtime::Artifact> artifacts,
                           search_.Build(points));
    std::vector<Contestant> contestants;
    for (size_t i = 0; i < points.size(); ++i) {
      TuningRecord record = search_.RecordOf(points[i]);
      auto comparison = PointComparison::Start(
          CandidatesOf(artifacts[i]), SeedFor(options_.seed, "finalist"));
      if (absl::IsInternal(comparison.status())) {
        ASSAY_RETURN_IF_ERROR(AppendWrong(comparison.status(), &record));
        continue;
      }
      ASSAY_RETURN_IF_ERROR(comparison.status());
      contestants.push_back({std::move(record), *std::move(comparison)});
    }
    HalvingOptions halving;
    halving.budget_nanos = static_cast<int64_t>(1e9 * kFinalistsShare *
                                                options_.acceptance.budget_s);
    ASSAY_ASSIGN_OR_RETURN(
        const std::vector<Arm> arms,
        SuccessiveHalving(contestants.size(), halving, Clock::Monotonic(),
                          [&](size_t i) -> absl::StatusOr<double> {
                            PairedLoads& loads =
                                contestants[i].comparison->loads();
                            ASSAY_RETURN_IF_ERROR(loads.RunLoad());
                            return loads.loads().back().Ratios().fastest;
                          }));
    std::vector<TuningRecord> finalists;
    for (const Arm& arm : arms) {
      Contestant& contestant = contestants[arm.index];
      TuningRecord& record = contestant.record;
      const absl::Status problem = contestant.comparison->Problem();
      if (!problem.ok()) {
        ASSAY_RETURN_IF_ERROR(AppendWrong(problem, &record));
        continue;
      }
      for (const PairedLoads::Load& load :
           contestant.comparison->loads().loads()) {
        record.samples_ns.push_back(load.run.fastest_ns / program_.calls);
        record.default_ns.push_back(load.base.fastest_ns / program_.calls);
      }
      record.loads = static_cast<int64_t>(record.samples_ns.size());
      ASSAY_RETURN_IF_ERROR(Append(&record));
      finalists.push_back(std::move(record));
    }
    return finalists;
  }

  absl::Status AppendWrong(const absl::Status& problem, TuningRecord* record) {
    record->status = TrialStatus::kWrong;
    record->error = std::string(problem.message());
    return Append(record);
  }

  Candidates CandidatesOf(const runtime::Artifact& artifact) const {
    return {examples_, &search_.default_artifact(), &artifact, device_.judge,
            device_.threads};
  }

  // Stores a record that ends now.
  absl::Status Append(TuningRecord* record) {
    record->time = UtcNow();
    return log_.append(*record);
  }

  // Returns the record of the comparison with the default point, which may be
  // that of an interrupted run.
  absl::StatusOr<TuningRecord> Compare(const TuningRecord& finalist) {
    ASSAY_ASSIGN_OR_RETURN(const int64_t point, PointIn(finalist));
    TuningRecord record = search_.RecordOf(point);
    for (const TuningRecord* earlier : Earlier()) {
      if (earlier->verdict.has_value() &&
          PointOf(*earlier) == PointOf(record)) {
        return *earlier;
      }
    }
    ASSAY_ASSIGN_OR_RETURN(const std::vector<runtime::Artifact> artifact,
                           search_.Build({point}));
    AcceptanceOptions acceptance = options_.acceptance;
    acceptance.seed = SeedFor(options_.seed, record.task);
    const auto compared =
        CompareWithDefault(CandidatesOf(artifact[0]), acceptance);
    if (compared.ok()) {
      record.verdict = compared->verdict;
      record.samples_ns = {compared->point_ns / program_.calls};
      record.default_ns = {compared->default_ns / program_.calls};
      ASSAY_RETURN_IF_ERROR(Append(&record));
    } else if (absl::IsInternal(compared.status())) {
      ASSAY_RETURN_IF_ERROR(AppendWrong(compared.status(), &record));
    } else {
      return compared.status();
    }
    return record;
  }

  const tune::SearchSpace& space_;
  const TuningDevice& device_;
  const TuningOptions& options_;
  const TuningLog& log_;
  const KernelProgram& program_;
  TaskSearch& search_;
  const std::vector<Example> examples_;
};

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
  return PointSelection(space, device, options, log, program, &search).Finish();
}

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
