// ApplyTuning: makes the compiler use what a log of the tuner says about the
// kernels of a model.
//
//   ASSAY_ASSIGN_OR_RETURN(const Log log, ReadLog(path));
//   ASSAY_ASSIGN_OR_RETURN(
//       const TuningSummary summary,
//       ApplyTuning(log, model, target, facts.fingerprint, threads, &options));
//   for (const std::string& remark : summary.remarks) Print(remark);
//   const auto artifact = driver::Compile(model, target, options);
//
// Only accepted points are used (log/best_records.h). An accepted point was
// faster than the default point in a side-by-side comparison on this device,
// with this target and number of threads, and with the current templates of the
// compiler, and no comparison of a network has dropped it. If the log has times
// of convolutions in layouts that the cost model does not choose, the compiler
// chooses layouts by measured times (measured_encodings.h).
#ifndef ASSAY_SUITES_TUNE_APPLY_TUNING_H_
#define ASSAY_SUITES_TUNE_APPLY_TUNING_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/driver/compile_options.h"
#include "compiler/graph/graph.h"
#include "compiler/target/target.h"
#include "compiler/tune/task/current_task.h"
#include "compiler/tune/task/tasks.h"
#include "suites/tune/log/best_records.h"
#include "suites/tune/log/log_file.h"

namespace assay::suites {

struct TuningSummary {
  // The tasks of the model, with all layouts, that have records of this device,
  // target and number of threads, and what the records say about them.
  std::vector<tune::Task> tasks;
  tune::CurrentTasks current;
  BestRecords best;
  bool measured_encodings = false;  // `CompileOptions::encoding_times` was set
  // Sentences on what was not used. Not an error.
  std::vector<std::string> remarks;
};

// Sets `options->tuned` and, if there are times of several layouts,
// `options->encoding_times`. The other options are those with which `model`
// will be compiled, and are not changed. `target` is resolved, with the number
// of cores for which the kernels were tuned. `device` is the fingerprint
// (runtime::DeviceFacts).
//
// CHECK-fails if the log has no records for this device, target and number of
// threads. Returns the error of a graph pass if the model cannot be compiled.
absl::StatusOr<TuningSummary> ApplyTuning(
    const Log& log, const graph::Graph& model, const target::Target& target,
    const std::string& device, int threads, driver::CompileOptions* options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_APPLY_TUNING_H_
