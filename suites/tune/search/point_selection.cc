#include "suites/tune/search/point_selection.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "reports/stats/verdict.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"
#include "runtime/base/utc_now.h"
#include "suites/correctness/checked_session.h"
#include "suites/tune/build/build_pool.h"
#include "suites/tune/search/successive_halving.h"
#include "suites/tune/search/trial.h"

namespace assay::suites {
namespace {

constexpr double kFailed = std::numeric_limits<double>::infinity();

// Returns log(time / time of the default point) of each load of a finalist.
Arm RatiosOf(const TuningRecord& finalist) {
  Arm ratios;
  for (size_t i = 0; i < finalist.samples_ns.size(); ++i) {
    ratios.observations.push_back(
        std::log(finalist.samples_ns[i] / finalist.default_ns[i]));
  }
  return ratios;
}

class PointSelection {
 public:
  PointSelection(const SelectionSetup& setup, const TaskSearch& search)
      : setup_(setup),
        search_(search),
        examples_({{setup.program->inputs, setup.program->expected}}) {
    const TuningRecord header = search_.RecordOf(setup_.space->default_point());
    for (const TuningRecord& earlier : *setup_.earlier) {
      if (IsOfSameSearch(earlier, header)) earlier_.push_back(&earlier);
    }
  }

  // Finds the best points, and compares them with the default point.
  absl::Status Finish() {
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
  // The last records of a point in earlier runs; null if there are none.
  struct Past {
    const TuningRecord* finals = nullptr;  // with `loads`
    const TuningRecord* comparison = nullptr;
    const TuningRecord* failure = nullptr;
  };

  // A point that is measured next to the default point.
  struct Contestant {
    TuningRecord record;  // without a result
    std::unique_ptr<PointComparison> comparison = nullptr;
    bool failed = false;
  };

  Past PastOf(const TuningRecord& point) const {
    Past past;
    for (const TuningRecord* record : earlier_) {
      const bool is_same = PointOf(*record) == PointOf(point);
      // Other points with the same code are as wrong as it is.
      const bool is_wrong = record->status == TrialStatus::kWrong &&
                            !record->code_digest.empty() &&
                            record->code_digest == point.code_digest;
      if (!is_same && !is_wrong) continue;
      if (record->verdict.has_value()) {
        past.comparison = record;
      } else if (record->loads > 0) {
        past.finals = record;
      } else if (record->status != TrialStatus::kOk &&
                 record->status != TrialStatus::kDeviceLost) {
        past.failure = record;
      }
    }
    return past;
  }

  // Returns the finalists that have not failed, the best one first: those of an
  // interrupted run, or those that are measured now.
  absl::StatusOr<std::vector<TuningRecord>> Finalists() {
    std::vector<const TuningRecord*> known;
    bool is_complete = true;
    std::vector<int64_t> points;
    for (const int64_t point : Fastest()) {
      const Past past = PastOf(search_.RecordOf(point));
      if (past.failure == nullptr) points.push_back(point);
      if (past.finals != nullptr) {
        known.push_back(past.finals);
      } else if (past.failure == nullptr) {
        is_complete = false;
      }
    }
    // The finalists that are measured together have records of equal time.
    for (const TuningRecord* record : known) {
      is_complete &= record->time == known[0]->time;
    }
    if (!is_complete) return MeasureFinalists(points);
    // They are in the log in this order.
    std::sort(known.begin(), known.end(), std::less<>());
    std::vector<TuningRecord> finalists;
    for (const TuningRecord* record : known) finalists.push_back(*record);
    return finalists;
  }

  // Returns the points with the fastest trials.
  std::vector<int64_t> Fastest() const {
    std::vector<int64_t> points;
    const auto count = static_cast<size_t>(search_.num_trials()) / 20;
    for (const TaskSearch::RankedPoint& ranked :
         search_.Ranking(std::clamp(count, kMinFinalists, kMaxFinalists))) {
      // The default point was measured next to all others.
      if (ranked.relative >= 1 ||
          ranked.point == setup_.space->default_point()) {
        break;
      }
      points.push_back(ranked.point);
    }
    return points;
  }

  absl::StatusOr<std::vector<TuningRecord>> MeasureFinalists(
      const std::vector<int64_t>& points) {
    ASSAY_ASSIGN_OR_RETURN(const std::vector<BuiltPoint> built,
                           search_.Build(points));
    std::vector<Contestant> contestants;
    for (size_t i = 0; i < points.size(); ++i) {
      Contestant contestant = {search_.RecordOf(points[i])};
      ASSAY_ASSIGN_OR_RETURN(const bool started, Start(built[i], &contestant));
      if (started) contestants.push_back(std::move(contestant));
    }
    const auto budget_nanos = static_cast<int64_t>(1e9 * kFinalistsShare *
                                                   setup_.acceptance.budget_s);
    ASSAY_ASSIGN_OR_RETURN(
        const std::vector<Arm> arms,
        SuccessiveHalving(contestants.size(), budget_nanos,
                          setup_.acceptance.clock,
                          [&](size_t i) { return Observe(&contestants[i]); }));
    const std::string time = UtcNow();
    std::vector<TuningRecord> finalists;
    for (const Arm& arm : arms) {
      Contestant& contestant = contestants[arm.index];
      if (contestant.failed) continue;
      TuningRecord& record = contestant.record;
      for (const PairedLoads::Load& load :
           contestant.comparison->loads().loads()) {
        record.samples_ns.push_back(PerCall(load.run.fastest_ns));
        record.default_ns.push_back(PerCall(load.base.fastest_ns));
      }
      record.loads = static_cast<int64_t>(record.samples_ns.size());
      record.time = time;
      ASSAY_RETURN_IF_ERROR(setup_.append(record));
      finalists.push_back(std::move(record));
    }
    return finalists;
  }

  // Starts the comparison of a finalist. Returns false if the point failed.
  absl::StatusOr<bool> Start(const BuiltPoint& built, Contestant* contestant) {
    const TuningRecord& record = contestant->record;
    if (built.status != TrialStatus::kOk) {
      ASSAY_RETURN_IF_ERROR(AppendFailure(built.status, built.error, record));
      return false;
    }
    ASSAY_ASSIGN_OR_RETURN(
        const bool ran, Runs(record, [&]() -> absl::Status {
          ASSAY_ASSIGN_OR_RETURN(
              contestant->comparison,
              PointComparison::Start(CandidatesOf(built.artifact),
                                     SeedFor(setup_.seed, "finalist"),
                                     setup_.acceptance.clock));
          return absl::OkStatus();
        }));
    if (!ran) return false;
    return IsRight(*contestant->comparison, record);
  }

  // Measures a finalist in one load. Returns the logarithm of its time divided
  // by that of the default point.
  absl::StatusOr<double> Observe(Contestant* contestant) {
    PairedLoads& loads = contestant->comparison->loads();
    ASSAY_ASSIGN_OR_RETURN(const bool ran, Runs(contestant->record, [&loads] {
                             return loads.RunLoad();
                           }));
    bool is_right = false;
    if (ran) {
      ASSAY_ASSIGN_OR_RETURN(
          is_right, IsRight(*contestant->comparison, contestant->record));
    }
    contestant->failed = !is_right;
    return is_right ? loads.loads().back().Ratios().fastest : kFailed;
  }

  // Measures a point, again if the device is lost. Returns false if the point
  // failed, which is recorded, and other errors, which do not depend on the
  // point.
  absl::StatusOr<bool> Runs(const TuningRecord& point,
                            absl::FunctionRef<absl::Status()> measure) const {
    absl::Status status;
    for (int lost = 0; lost < kMaxDevicesLost; ++lost) {
      status = measure();
      if (status.ok()) return true;
      if (absl::IsUnavailable(status)) return status;
      const TrialStatus ending = TrialStatusOf(status);
      ASSAY_RETURN_IF_ERROR(
          AppendFailure(ending, std::string(status.message()), point));
      if (ending != TrialStatus::kDeviceLost) return false;
    }
    return LostTooOften(status.message());
  }

  // Returns false if an output of the point was wrong, which is recorded.
  absl::StatusOr<bool> IsRight(const PointComparison& comparison,
                               const TuningRecord& point) const {
    const absl::Status problem = comparison.Problem();
    if (problem.ok()) return true;
    ASSAY_RETURN_IF_ERROR(AppendFailure(TrialStatus::kWrong,
                                        std::string(problem.message()), point));
    return false;
  }

  absl::Status AppendFailure(TrialStatus status, std::string error,
                             TuningRecord record) const {
    record.status = status;
    record.error = std::move(error);
    record.time = UtcNow();
    return setup_.append(record);
  }

  Candidates CandidatesOf(const runtime::Artifact& artifact) const {
    return {examples_, &search_.default_artifact(), &artifact, setup_.judge,
            setup_.threads};
  }

  double PerCall(double nanos) const { return nanos / setup_.program->calls; }

  // Returns the record of the comparison with the default point, which may be
  // that of an interrupted run. It has no verdict if the point failed.
  absl::StatusOr<TuningRecord> Compare(const TuningRecord& finalist) {
    ASSAY_ASSIGN_OR_RETURN(
        const int64_t point,
        setup_.space->IndexOf(finalist.implementation, finalist.config));
    TuningRecord record = search_.RecordOf(point);
    const Past past = PastOf(record);
    if (past.failure != nullptr) return *past.failure;
    if (past.comparison != nullptr) return *past.comparison;
    ASSAY_ASSIGN_OR_RETURN(const std::vector<BuiltPoint> built,
                           search_.Build({point}));
    if (built[0].status != TrialStatus::kOk) {
      ASSAY_RETURN_IF_ERROR(
          AppendFailure(built[0].status, built[0].error, record));
      return record;
    }
    AcceptanceOptions acceptance = setup_.acceptance;
    acceptance.seed = SeedFor(setup_.seed, record.task);
    std::unique_ptr<PointComparison> comparison;
    TunedComparison compared;
    ASSAY_ASSIGN_OR_RETURN(
        const bool ran, Runs(record, [&]() -> absl::Status {
          ASSAY_ASSIGN_OR_RETURN(
              comparison,
              PointComparison::Start(CandidatesOf(built[0].artifact),
                                     acceptance.seed, acceptance.clock));
          if (!comparison->Problem().ok()) return absl::OkStatus();
          ASSAY_ASSIGN_OR_RETURN(compared, comparison->Judge(acceptance));
          return absl::OkStatus();
        }));
    if (!ran) return record;
    ASSAY_ASSIGN_OR_RETURN(const bool is_right, IsRight(*comparison, record));
    if (!is_right) return record;
    record.verdict = compared.verdict;
    record.samples_ns = {PerCall(compared.point_ns)};
    record.default_ns = {PerCall(compared.default_ns)};
    record.time = UtcNow();
    ASSAY_RETURN_IF_ERROR(setup_.append(record));
    return record;
  }

  const SelectionSetup& setup_;
  const TaskSearch& search_;
  const std::vector<Example> examples_;
  std::vector<const TuningRecord*> earlier_;  // of this search
};

}  // namespace

absl::Status SelectPoint(const SelectionSetup& setup,
                         const TaskSearch& search) {
  return PointSelection(setup, search).Finish();
}

}  // namespace assay::suites
