// CellTimer: times those cells of a model that differ only in variant. Samples
// of the cells alternate. With --reference, each cell is then compared with the
// reference runtime (reference_comparison.h). On an emulated device, the cells
// are timed one after the other; on a device of a farm, which has one program
// loaded at a time, they take turns of many samples.
#ifndef ASSAY_SUITES_HARNESS_CELL_TIMER_H_
#define ASSAY_SUITES_HARNESS_CELL_TIMER_H_

#include <cstddef>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "devices/device.pb.h"
#include "suites/harness/flags/options.h"
#include "suites/harness/model_answers.h"
#include "suites/harness/row_judge.h"
#include "suites/harness/run_services.h"
#include "suites/harness/run_state.h"

namespace assay::suites {

class CellTimer {
 public:
  // All arguments must outlive this object.
  CellTimer(const Options& options, const Services& services,
            const Model& model, const RowJudge& judge)
      : options_(options), services_(services), model_(model), judge_(judge) {}

  // Called with the index of a cell of the attempt whose row is complete.
  using Done = std::function<absl::Status(size_t index)>;

  // Times and judges the cells of the attempt that have a session. A row whose
  // outputs change while it is timed, or that fails
  // CheckedSession::ExamineLate(), gets the verdict `wrong_output`; if the
  // device fails, the rows get the verdict `infrastructure`. Rows with these
  // verdicts keep no samples.
  //
  // The samples of all cells are taken before the first one is judged. Judging
  // takes much longer, so `done`, if it is not null, is called after each cell
  // and not at the end. Returns its first error.
  absl::Status Time(const DevicePlan& plan, const ModelAnswers& answers,
                    const Done& done, Attempt* attempt) const;

 private:
  absl::Status TakeSamples(const DevicePlan& plan,
                           absl::Span<const Example> examples,
                           const std::vector<Cell*>& cells,
                           Remarks* remarks) const;
  absl::Status TimeTogether(const devices::TimingPolicy& timing,
                            const std::vector<Cell*>& cells) const;
  absl::Status TimeInTurns(const DevicePlan& plan,
                           const devices::TimingPolicy& timing,
                           const std::vector<Cell*>& cells) const;
  void Verify(const DevicePlan& plan, const HoldOutExamples& late,
              Cell* cell) const;
  void Finish(const DevicePlan& plan, const ModelAnswers& answers, Cell* cell,
              Attempt* attempt) const;
  absl::Status TimeKernels(const DevicePlan& plan, Cell* cell) const;
  absl::Status Trace(const DevicePlan& plan,
                     const runtime::NamedTensors& inputs, const Cell& cell,
                     Remarks* remarks) const;

  const Options& options_;
  const Services& services_;
  const Model& model_;
  const RowJudge& judge_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_CELL_TIMER_H_
