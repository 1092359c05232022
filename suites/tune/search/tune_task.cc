#include "suites/tune/search/tune_task.h"

#include <algorithm>
#include <utility>

#include "compiler/tune/task/template_digest.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"
#include "runtime/base/utc_now.h"
#include "suites/correctness/checked_session.h"
#include "suites/tune/search/kernel_program.h"

namespace assay::suites {
namespace {

bool IsSamePoint(const TuningRecord& a, const TuningRecord& b) {
  return a.implementation == b.implementation && a.config == b.config;
}

class TaskTuning {
 public:
  TaskTuning(const tune::SearchSpace& space, const TuningDevice& device,
             const TaskOptions& options, const TuningLog& log)
      : space_(space), device_(device), options_(options), log_(log) {}

  // Measures the best points again, and compares them with the default point.
  absl::Status Finish(TaskSearch* search, const KernelProgram& program) {
    const auto count = static_cast<size_t>(search->num_trials()) / 20;
    const size_t finalists = std::clamp(count, kMinFinalists, kMaxFinalists);
    ASSAY_RETURN_IF_ERROR(search->MeasureAgain(search->Ranking(finalists)));
    if (device_.judge == nullptr) return absl::OkStatus();
    const int64_t usual = space_.default_point();
    int compared = 0;
    for (const TaskSearch::RankedPoint& ranked : search->Ranking(finalists)) {
      if (ranked.point == usual || ranked.relative >= 1 ||
          compared++ == kMaxCompared) {
        break;
      }
      ASSAY_RETURN_IF_ERROR(Compare(ranked.point, search, program));
      // If it is not slower than the default point, points that seem slower
      // than it will not be faster.
      if (judged_.verdict.has_value() &&
          judged_.verdict->verdict != stats::Verdict::kRegressed) {
        break;
      }
    }
    return absl::OkStatus();
  }

 private:
  // Returns the record of an earlier comparison of this run.
  const TuningRecord* EarlierVerdict(const TuningRecord& record) const {
    for (const TuningRecord& earlier : *log_.earlier) {
      if (earlier.verdict.has_value() && IsOfSameSearch(earlier, record) &&
          IsSamePoint(earlier, record)) {
        return &earlier;
      }
    }
    return nullptr;
  }

  absl::Status Compare(int64_t point, TaskSearch* search,
                       const KernelProgram& program) {
    TuningRecord record = search->RecordOf(point);
    if (const TuningRecord* earlier = EarlierVerdict(record)) {
      judged_ = *earlier;
      return absl::OkStatus();
    }
    ASSAY_ASSIGN_OR_RETURN(const runtime::Artifact artifact,
                           search->Build(point));
    AcceptanceOptions acceptance = options_.acceptance;
    acceptance.seed = SeedFor(options_.seed, record.task);
    const std::vector<Example> examples = {{program.inputs, program.expected}};
    const auto compared =
        CompareWithDefault({examples, &search->default_artifact(), &artifact,
                            device_.judge, device_.threads},
                           acceptance);
    record.time = UtcNow();
    if (compared.ok()) {
      record.verdict = compared->verdict;
      record.samples_ns = {compared->point_ns / program.calls};
      record.default_ns = {compared->default_ns / program.calls};
    } else if (absl::IsInternal(compared.status())) {
      record.status = TrialStatus::kWrong;
      record.error = std::string(compared.status().message());
    } else {
      return compared.status();
    }
    ASSAY_RETURN_IF_ERROR(log_.append(record));
    if (log_.observe != nullptr) log_.observe(record);
    judged_ = std::move(record);
    return absl::OkStatus();
  }

  const tune::SearchSpace& space_;
  const TuningDevice& device_;
  const TaskOptions& options_;
  const TuningLog& log_;
  TuningRecord judged_;  // the last comparison
};

// Returns the hints that are points of the space.
std::vector<int64_t> FirstPoints(const tune::Task& task,
                                 const tune::SearchSpace& space,
                                 const TaskOptions& options) {
  std::vector<int64_t> points;
  if (options.hints == nullptr) return points;
  for (const driver::TunedKernel& hint : options.hints(task)) {
    const auto point = space.IndexOf(hint.implementation, hint.config);
    if (point.ok()) points.push_back(*point);
  }
  return points;
}

}  // namespace

absl::StatusOr<TuningRecord> HeaderOf(const tune::Task& task,
                                      const TuningDevice& device,
                                      const TaskOptions& options) {
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
                      const TuningDevice& device, const TaskOptions& options,
                      BuildPool* builders, const TuningLog& log) {
  ASSAY_ASSIGN_OR_RETURN(const TuningRecord header,
                         HeaderOf(task, device, options));
  ASSAY_ASSIGN_OR_RETURN(const KernelProgram program,
                         MakeKernelProgram(task, options.weights_bytes,
                                           device.threads, options.seed));
  TrialRunner trials(program, device.threads, device.trials, options.trial);
  SearchTools tools;
  tools.builders = builders;
  tools.trials = &trials;
  tools.overlap = device.overlap;
  tools.append = log.append;
  tools.observe = log.observe;
  const std::unique_ptr<tune::Tuner> tuner = options.make_tuner(task, space);
  TaskSearch search(
      {&space, &program, device.target, FirstPoints(task, space, options)},
      header, tuner.get(), std::move(tools));
  search.Replay(*log.earlier);
  if (log.replay != nullptr) {
    for (const TuningRecord& record : *log.earlier) {
      if (IsOfSameSearch(record, header)) log.replay(record);
    }
  }
  ASSAY_RETURN_IF_ERROR(search.Run(options.limits));
  TaskTuning tuning(space, device, options, log);
  return tuning.Finish(&search, program);
}

}  // namespace assay::suites
