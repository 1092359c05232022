#include "suites/tune/search/tune_task.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compiler/tune/task/template_digest.h"
#include "runtime/base/clock.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"
#include "runtime/base/utc_now.h"
#include "suites/correctness/checked_session.h"
#include "suites/tune/search/kernel_program.h"
#include "suites/tune/search/successive_halving.h"

namespace assay::suites {
namespace {

bool IsSamePoint(const TuningRecord& a, const TuningRecord& b) {
  return a.implementation == b.implementation && a.config == b.config;
}

// A point that was measured in several loads.
struct Finalist {
  int64_t point = 0;
  Arm ratios;  // log(time / time of the default point) of each load
};

class TaskTuning {
 public:
  TaskTuning(const tune::SearchSpace& space, const TuningDevice& device,
             const TaskOptions& options, const TuningLog& log,
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
    ASSAY_ASSIGN_OR_RETURN(const std::vector<Finalist> finalists, Finalists());
    int compared = 0;
    for (const Finalist& finalist : finalists) {
      if (finalist.ratios.Upper() >= 0 || compared++ == kMaxCompared) break;
      ASSAY_ASSIGN_OR_RETURN(const TuningRecord judged,
                             Compare(finalist.point));
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

  // Returns the finalists, the best one first: those of an interrupted run, or
  // those that are measured now.
  absl::StatusOr<std::vector<Finalist>> Finalists() {
    std::vector<Finalist> finalists;
    for (const TuningRecord* record : Earlier()) {
      if (record->loads == 0) continue;
      const auto point = space_.IndexOf(record->implementation, record->config);
      if (!point.ok()) continue;  // of another space
      Finalist finalist{*point, {}};
      for (size_t i = 0; i < record->samples_ns.size(); ++i) {
        finalist.ratios.observations.push_back(
            std::log(record->samples_ns[i] / record->default_ns[i]));
      }
      finalists.push_back(std::move(finalist));
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
    int64_t point = 0;
    std::unique_ptr<PointComparison> comparison;
  };

  absl::StatusOr<std::vector<Finalist>> MeasureFinalists(
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
      contestants.push_back(
          {std::move(record), points[i], *std::move(comparison)});
    }
    HalvingOptions halving;
    halving.budget_nanos = static_cast<int64_t>(1e9 * kFinalistsShare *
                                                options_.acceptance.budget_s);
    ASSAY_ASSIGN_OR_RETURN(
        std::vector<Arm> arms,
        SuccessiveHalving(contestants.size(), halving, Clock::Monotonic(),
                          [&](size_t i) -> absl::StatusOr<double> {
                            PairedLoads& loads =
                                contestants[i].comparison->loads();
                            ASSAY_RETURN_IF_ERROR(loads.RunLoad());
                            return loads.loads().back().Ratios().fastest;
                          }));
    std::vector<Finalist> finalists;
    for (Arm& arm : arms) {
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
      finalists.push_back({contestant.point, std::move(arm)});
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
    ASSAY_RETURN_IF_ERROR(log_.append(*record));
    if (log_.observe != nullptr) log_.observe(*record);
    return absl::OkStatus();
  }

  // Returns the record of the comparison with the default point, which may be
  // that of an interrupted run.
  absl::StatusOr<TuningRecord> Compare(int64_t point) {
    TuningRecord record = search_.RecordOf(point);
    for (const TuningRecord* earlier : Earlier()) {
      if (earlier->verdict.has_value() && IsSamePoint(*earlier, record)) {
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
  const TaskOptions& options_;
  const TuningLog& log_;
  const KernelProgram& program_;
  TaskSearch& search_;
  const std::vector<Example> examples_;
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
  return TaskTuning(space, device, options, log, program, &search).Finish();
}

}  // namespace assay::suites
