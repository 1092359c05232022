// The fourth stage of a cell: times the cells of a job, which differ only in
// their variants (cell.h). Usually the samples of the cells alternate. On an
// emulated device, the cells are timed one after the other. A device of a farm
// has only one program loaded at a time; there, many samples of one cell are
// taken before the next cell is loaded, and this is repeated a few times.
#ifndef ASSAY_SUITES_HARNESS_TIME_H_
#define ASSAY_SUITES_HARNESS_TIME_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "devices/device.pb.h"
#include "suites/devices/device_slot.h"
#include "suites/harness/cell.h"
#include "suites/harness/flags/timing_flags.h"
#include "suites/harness/host.h"
#include "suites/harness/model_answers.h"
#include "suites/harness/progress.h"
#include "suites/harness/reference_comparison.h"
#include "suites/trace/trace_file.h"

namespace assay::suites {

class TimeStage {
 public:
  struct Options {
    TimingOptions timing;
    const ReferenceComparison* reference = nullptr;  // null without --reference
    TraceFile* trace = nullptr;                      // null without --trace
  };

  // All that the arguments refer to must outlive this object.
  TimeStage(const Options& options, Host& host, Progress& progress)
      : options_(options), host_(host), progress_(progress) {}

  // Times `cells`, which must have sessions, and returns the results in the
  // same order. With --reference, each cell is then compared with the reference
  // runtime (reference_comparison.h). A cell fails if the device does, if its
  // outputs change while it is timed, or if it fails
  // CheckedSession::ExamineLate().
  std::vector<TimedCell> Time(const std::vector<const CheckedCell*>& cells,
                              const ModelAnswers& answers,
                              const DeviceSlot& slot, ReportNotes* notes) const;

  // With --per_op, times the kernels of a cell that was timed; with --trace,
  // traces a run of it. It is called after the cell was judged, because a
  // program that is wrong is not profiled.
  absl::Status Profile(const CheckedCell& cell, const ModelAnswers& answers,
                       const DeviceSlot& slot, reports::Timing* timing,
                       ReportNotes* notes) const;

 private:
  // The cells of a call of Time(), and their results.
  struct Batch {
    const std::vector<const CheckedCell*>& cells;
    const ModelAnswers& answers;
    const DeviceSlot& slot;
    const devices::TimingPolicy timing;
    std::vector<TimedCell> timed;
  };

  absl::Status TakeSamples(Batch* batch) const;
  absl::Status TimeTogether(Batch* batch) const;
  absl::Status TimeInTurns(Batch* batch) const;
  // Compares a cell with the reference, and checks it once more.
  absl::Status Complete(size_t index, Batch* batch, ReportNotes* notes) const;
  // Returns nothing if the memory is unknown. It is not worth failing for.
  std::optional<int64_t> MeasurePeakMemory(const CheckedCell& cell,
                                           const ModelAnswers& answers,
                                           const DeviceSlot& slot) const;
  absl::Status Trace(const CheckedCell& cell, const ModelAnswers& answers,
                     const DeviceSlot& slot, ReportNotes* notes) const;

  const Options options_;
  Host& host_;
  Progress& progress_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_TIME_H_
