// RowBuilder: makes the row of the report from the results of the stages of a
// cell (cell.h).
#ifndef ASSAY_SUITES_HARNESS_ROW_BUILDER_H_
#define ASSAY_SUITES_HARNESS_ROW_BUILDER_H_

#include <optional>
#include <string>

#include "reports/result/run_result.h"
#include "suites/devices/device_slot.h"
#include "suites/harness/cell.h"
#include "suites/harness/compiler/compiler.h"
#include "suites/harness/flags/options.h"

namespace assay::suites {

// The results of the stages that a cell has reached.
struct CellResults {
  reports::CellKey planned;
  std::string board;  // see reports::Row::board
  std::optional<CompiledCell> compiled;
  std::optional<CheckedCell> checked;
  std::optional<TimedCell> timed;
  // The verdict, or the failure of an earlier stage.
  JudgedCell judged;

  const reports::CellKey& key() const {
    return checked.has_value() ? checked->key : planned;
  }
};

class RowBuilder {
 public:
  // Makes rows of the model `source`. Both arguments must outlive this object.
  RowBuilder(const Options& options, const ModelSource& source)
      : options_(options), source_(source) {}

  // Returns the row of a cell that `slot` has measured. If the verdict is
  // `infrastructure` or `wrong_output`, the row has no samples, because they
  // are meaningless.
  reports::Row Build(const CellResults& cell, const DeviceSlot& slot,
                     const std::string& model_digest) const;

  // Returns the command that measures the cell again.
  std::string Reproduce(const reports::CellKey& cell,
                        const DeviceSlot& slot) const;

 private:
  const Options& options_;
  const ModelSource& source_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_ROW_BUILDER_H_
