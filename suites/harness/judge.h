// The fifth stage of a cell: determines its verdict (cell.h).
//
// 1. The times of the cell are compared with the baseline. This comparison is
//    only a screen (reports/stats/compare.h). With --inputs or --input_value,
//    it is omitted, because baselines are measured with generated inputs.
// 2. A second artifact is loaded in these cases:
//      - With --against, it is the artifact of the cell in the earlier run.
//      - Without --against and --bless, if the screen suspects a change, it is
//        the artifact of the baseline.
//    If this artifact is not available, the cell is inconclusive.
//    With --follow, the artifact of the cell in the newest row of the store
//    goes before that of the baseline if it is another one and is available. If
//    it is the same one and there is no baseline, the cell is equivalent.
//    If no case applies, the verdict of the screen is final.
// 3. The second artifact and the artifact of the cell are measured side by side
//    (side_by_side.h), which determines the verdict. Identical artifacts are
//    not measured, except with --against_runtime. If the canary
//    (suites/comparison/canary.h) fails, the cell is inconclusive.
// For emulated devices, these steps are omitted and the verdict is `emulated`.
#ifndef ASSAY_SUITES_HARNESS_JUDGE_H_
#define ASSAY_SUITES_HARNESS_JUDGE_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reports/baseline/baseline.h"
#include "suites/comparison/canary.h"
#include "suites/devices/device_slot.h"
#include "suites/harness/cell.h"
#include "suites/harness/compiler/compiler.h"
#include "suites/harness/compiler/dump_folder.h"
#include "suites/harness/flags/comparison_flags.h"
#include "suites/harness/host.h"
#include "suites/harness/plan.h"
#include "suites/harness/progress.h"

namespace assay::suites {

// SlotHistory holds what is known about a device slot that has measured jobs.
struct SlotHistory {
  // The trials of the canary, by the number of threads and the board.
  std::map<std::pair<int, std::string>, reports::Canary> canaries;
  // Sum of the unused seconds of the side-by-side budgets (--budget) of the
  // finished cells.
  double budget_left_s = 0;
};

class JudgeStage {
 public:
  struct Options {
    ComparisonOptions comparison;
    uint64_t seed = 0;
    bool inputs_are_generated = true;  // ModelOptions::all_inputs_seeded
    // Folder of the artifacts of baselines; empty if these are not kept.
    std::string baseline_artifacts;
    // Folder of the report; empty if there is none.
    std::string out;
    DumpFolder dump;
  };

  // All that the arguments refer to must outlive this object.
  JudgeStage(Options options, const Plan& plan, Host& host, Progress& progress)
      : options_(std::move(options)),
        plan_(plan),
        host_(host),
        progress_(progress) {}

  // A Session collects results while the cells of a job are judged: the updated
  // history of the slot, the trials of the canary, and notes.
  struct Session {
    SlotHistory history;
    reports::Canary canary;
    ReportNotes notes;
  };

  // Judges a cell of the model `source` that was timed. Thread-safe for
  // different sessions.
  JudgedCell Judge(const ModelSource& source, const CompiledCell& compiled,
                   const CheckedCell& checked, const TimedCell& timed,
                   const DeviceSlot& slot, Session* session) const;

 private:
  // A cell that is judged.
  struct Case {
    const ModelSource& source;
    const reports::BuildFacts& build;
    const CheckedCell& checked;
    const DeviceSlot& slot;
    const reports::BaselineRow* baseline;  // may be null
    Session* session;
    JudgedCell result;
  };

  void Screen(const reports::Timing& timing, Case* c) const;
  absl::Status Confirm(Case* c) const;
  // Returns true if --follow has decided the cell.
  absl::StatusOr<bool> Follow(Case* c) const;
  void AcceptSameArtifact(bool suspected, Case* c) const;
  // SideBySide::false_discovery_rate is `rate`.
  absl::Status Measure(const runtime::Artifact& base, double rate,
                       Case* c) const;
  absl::StatusOr<bool> CanaryIsSound(const CanaryMode& mode, Case* c) const;
  void CountWork(const runtime::Artifact& base, Case* c) const;
  void ShowDifference(Case* c) const;
  std::string HowToConfirm(const Case& c) const;
  absl::StatusOr<runtime::Artifact> OtherArtifact(const Case& c) const;

  const Options options_;
  const Plan& plan_;
  Host& host_;
  Progress& progress_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_JUDGE_H_
