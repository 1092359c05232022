#include "suites/tune/page/page_model.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "reports/stats/summary.h"
#include "suites/tune/log/task_name.h"

namespace assay::suites {
namespace {

using Records = std::vector<const TuningRecord*>;

// Returns the records with equal keys. Both the groups and the records in them
// are in the order of the log, and no group is empty.
template <typename KeyOf>
std::vector<Records> GroupBy(const Records& records, const KeyOf& key_of) {
  std::vector<Records> groups;
  std::map<decltype(key_of(*records[0])), size_t> indices;
  for (const TuningRecord* record : records) {
    const size_t i =
        indices.try_emplace(key_of(*record), groups.size()).first->second;
    if (i == groups.size()) groups.emplace_back();
    groups[i].push_back(record);
  }
  return groups;
}

// Absurd times in a file must not make rates infinite.
double Bounded(double nanos) { return std::clamp(nanos, 1e-3, 1e18); }

// Returns the first trial of the default point; null if there is none.
const TuningRecord* FindDefault(const Records& trials) {
  for (const TuningRecord* trial : trials) {
    if (trial->default_ns.empty()) return trial;
  }
  return nullptr;
}

// Returns the median of the samples of the default point, whose first trial is
// `usual`.
std::optional<double> DefaultTime(const Records& trials,
                                  const TuningRecord* usual) {
  std::vector<double> samples;
  for (const TuningRecord* trial : trials) {
    const bool is_default =
        trial->default_ns.empty() && PointOf(*trial) == PointOf(*usual);
    const std::vector<double>& own =
        is_default ? trial->samples_ns : trial->default_ns;
    samples.insert(samples.end(), own.begin(), own.end());
  }
  if (samples.empty()) return std::nullopt;
  return Bounded(stats::Median(samples));
}

// Returns the time of a successful trial.
double TimeOf(const TuningRecord& trial, const TuningRecord* usual,
              std::optional<double> default_nanos) {
  if (trial.default_ns.empty() && !(PointOf(trial) == PointOf(*usual))) {
    return Bounded(stats::Median(trial.samples_ns));
  }
  return Bounded(RelativeTime(trial) * *default_nanos);
}

// Adds the trials, ordered by run.
void AddTrials(const Records& trials, PageTask* task) {
  const TuningRecord* usual = FindDefault(trials);
  task->default_nanos = DefaultTime(trials, usual);
  for (const Records& run : GroupBy(trials, [](const TuningRecord& record) {
         return std::pair(record.tuner, record.seed);
       })) {
    task->runs.push_back({task->trials.size(), run[0]->tuner, run[0]->seed});
    for (const TuningRecord* record : run) {
      PageTrial trial;
      trial.record = record;
      if (record->status == TrialStatus::kOk && !record->samples_ns.empty()) {
        trial.nanos = TimeOf(*record, usual, task->default_nanos);
        const std::optional<double> best = task->best_nanos();
        if (!best.has_value() || *trial.nanos < *best) {
          task->improvements.push_back(task->trials.size());
        }
      } else {
        ++task->errors[record->status];
      }
      task->trials.push_back(trial);
    }
  }
}

// Sets the judged point, and finds the trial of the accepted one.
void AddJudged(const BestOfTask& best, PageTask* task) {
  task->judged = best.judged;
  const JudgedPoint* accepted = best.accepted();
  task->accepted = accepted != nullptr;
  for (size_t i = 0; task->accepted && i < task->trials.size(); ++i) {
    const PageTrial& trial = task->trials[i];
    if (trial.nanos.has_value() && PointOf(*trial.record) == accepted->point &&
        (!task->accepted_trial.has_value() ||
         *trial.nanos < *task->trials[*task->accepted_trial].nanos)) {
      task->accepted_trial = i;
    }
  }
}

PageTask MakeTask(const Records& records) {
  const TuningRecord& last = *records.back();
  PageTask task;
  task.key = last.task;
  task.name = TaskName(last.workload, last.anchor);
  task.workload = last.workload;
  task.anchor = last.anchor;
  task.flops = last.flops;
  Records trials;
  for (const TuningRecord* record : records) {
    if (record->template_digest != last.template_digest) {
      ++task.outdated;
    } else if (!record->verdict.has_value()) {
      trials.push_back(record);
    }
  }
  AddTrials(trials, &task);
  return task;
}

// Appends the beginning of the key to names that several tasks have.
void MakeNamesUnique(std::vector<PageTask>* tasks) {
  std::map<std::string, int> counts;
  for (const PageTask& task : *tasks) ++counts[task.name];
  for (PageTask& task : *tasks) {
    if (counts[task.name] > 1) {
      absl::StrAppend(&task.name, " #", task.key.substr(0, 6));
    }
  }
}

// Estimates the time of the network before and after tuning.
void EstimateNetwork(const std::map<std::string, int64_t>& calls,
                     PagePlace* place) {
  NetworkEstimate network;
  std::set<std::string> known;
  for (PageTask& task : place->tasks) {
    const auto it = calls.find(task.key);
    if (it == calls.end() || it->second <= 0) continue;
    task.calls = it->second;
    if (!task.default_nanos.has_value()) continue;
    known.insert(task.key);
    const double nanos = static_cast<double>(task.calls) * *task.default_nanos;
    const double ratio =
        task.accepted ? std::min(task.judged->verdict.ratio, 1.0) : 1;
    task.share = nanos;
    task.saved = nanos * (1 - ratio);
    network.default_nanos += nanos;
    network.tuned_nanos += nanos * ratio;
  }
  if (known.empty()) return;
  for (PageTask& task : place->tasks) {
    if (!task.share.has_value()) continue;
    *task.share /= network.default_nanos;
    *task.saved /= network.default_nanos;
  }
  for (const auto& [key, count] : calls) {
    if (count > 0 && known.count(key) == 0) ++network.unknown_tasks;
  }
  place->network = network;
}

// No time is shorter than the peak allows, however lucky the trial was.
void LimitRates(const PeakRates& peaks, PageTask* task) {
  for (PageTrial& trial : task->trials) {
    const auto limit =
        RateLimit(peaks, task->anchor, trial.record->implementation);
    if (!trial.nanos.has_value() || !limit.has_value()) continue;
    trial.nanos =
        std::max(*trial.nanos, static_cast<double>(task->flops) / *limit);
  }
}

PagePlace MakePlace(const Records& all, const TuningPageInputs& inputs) {
  PagePlace place;
  place.place = PlaceOf(*all[0]);
  const auto peaks = inputs.peaks.find(place.place.device);
  if (peaks != inputs.peaks.end() &&
      peaks->second.count(place.place.threads) > 0) {
    place.peaks = peaks->second.at(place.place.threads);
  }
  tune::CurrentTasks current;
  for (const Records& records :
       GroupBy(all, [](const TuningRecord& record) { return record.task; })) {
    place.tasks.push_back(MakeTask(records));
    LimitRates(place.peaks, &place.tasks.back());
    current[records[0]->task].template_digest = records.back()->template_digest;
  }
  const BestRecords best =
      FindBestRecords(inputs.records, place.place, current, inputs.networks);
  for (PageTask& task : place.tasks) AddJudged(best.tasks.at(task.key), &task);
  MakeNamesUnique(&place.tasks);
  EstimateNetwork(inputs.calls, &place);
  return place;
}

}  // namespace

std::optional<double> PageTask::best_nanos() const {
  if (improvements.empty()) return std::nullopt;
  return trials[improvements.back()].nanos;
}

double PageTask::Rate(double nanos) const {
  return (flops > 0 ? static_cast<double>(flops) : 1e6) / nanos;
}

const char* PageTask::RateUnit() const {
  return flops > 0 ? "GFLOP/s" : "calls/ms";
}

std::optional<double> PagePlace::PartOfPeak(const PageTask& task) const {
  if (!task.best_nanos().has_value() || task.flops <= 0) return std::nullopt;
  const TuningRecord& best = *task.trials[task.improvements.back()].record;
  const std::optional<Arithmetic> arithmetic =
      ArithmeticOf(task.anchor, best.implementation);
  if (!arithmetic.has_value()) return std::nullopt;
  const auto peak = peaks.find(*arithmetic);
  if (peak == peaks.end()) return std::nullopt;
  return task.Rate(*task.best_nanos()) / peak->second;
}

TuningPageModel BuildTuningPageModel(const TuningPageInputs& inputs) {
  TuningPageModel model;
  std::set<std::string> implementations;
  Records all;
  for (const TuningRecord& record : inputs.records) {
    all.push_back(&record);
    absl::Time time;
    if (absl::ParseTime(absl::RFC3339_full, record.time, &time, nullptr)) {
      model.first_time = std::min(model.first_time, time);
      model.last_time = std::max(model.last_time, time);
    }
    if (implementations.insert(record.implementation).second) {
      model.implementations.push_back(record.implementation);
    }
  }
  for (const Records& there : GroupBy(
           all, [](const TuningRecord& record) { return PlaceOf(record); })) {
    PagePlace place = MakePlace(there, inputs);
    for (const PageTask& task : place.tasks) {
      model.trials += static_cast<int64_t>(task.trials.size());
      model.outdated += task.outdated;
      for (const auto& [status, count] : task.errors) {
        model.errors[status] += count;
      }
    }
    model.places.push_back(std::move(place));
  }
  return model;
}

}  // namespace assay::suites
