// CompileStage: compiles the model of a cell. It is the second of the stages
// that cell.h lists.
#ifndef ASSAY_SUITES_HARNESS_COMPILE_H_
#define ASSAY_SUITES_HARNESS_COMPILE_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "reports/result/run_result.h"
#include "suites/correctness/model.h"
#include "suites/devices/device_slot.h"
#include "suites/harness/cell.h"
#include "suites/harness/compiler/compiler.h"
#include "suites/harness/compiler/dump_folder.h"
#include "suites/harness/progress.h"

namespace assay::suites {

class CompileStage {
 public:
  struct Options {
    DumpFolder dump;
    int64_t max_memory = 0;  // driver::CompileOptions::max_memory
  };

  // All that the arguments refer to must outlive this object.
  CompileStage(Options options, Compiler& compiler, Progress& progress)
      : options_(std::move(options)),
        compiler_(compiler),
        progress_(progress) {}

  // Compiles `model` for a cell that `slot` measures. Returns an error with
  // ExitCode::kUsage if the model cannot be compiled for the device.
  absl::StatusOr<CompiledCell> Compile(const Model& model,
                                       const reports::CellKey& cell,
                                       const DeviceSlot& slot) const;

 private:
  const Options options_;
  Compiler& compiler_;
  Progress& progress_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_COMPILE_H_
