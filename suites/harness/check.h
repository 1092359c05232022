// The third stage of a cell: loads its program, runs it on every example, and
// compares the outputs with the correct outputs (cell.h, model_answers.h).
#ifndef ASSAY_SUITES_HARNESS_CHECK_H_
#define ASSAY_SUITES_HARNESS_CHECK_H_

#include "absl/status/statusor.h"
#include "reports/result/run_result.h"
#include "suites/devices/device_slot.h"
#include "suites/harness/cell.h"
#include "suites/harness/model_answers.h"
#include "suites/harness/progress.h"

namespace assay::suites {

class CheckStage {
 public:
  // `environment` is that of the run. Both arguments must outlive this object.
  CheckStage(const reports::Environment& environment, Progress& progress)
      : environment_(environment), progress_(progress) {}

  // Checks the program of a cell on the device of `slot`. `answers` must have
  // the answers for this device, and must outlive the result. Returns an error
  // if the device fails, or if the device is now a board whose state differs
  // from that of the board with which the run began.
  absl::StatusOr<CheckedCell> Check(const reports::CellKey& cell,
                                    const CompiledCell& compiled,
                                    const ModelAnswers& answers,
                                    const DeviceSlot& slot) const;

 private:
  absl::Status CheckBoard(const runtime::DeviceFacts& facts) const;

  const reports::Environment& environment_;
  Progress& progress_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_CHECK_H_
