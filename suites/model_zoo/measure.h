// MeasureModel: compiles, checks and times a model of the zoo, each step in a
// process of its own.
//
// Models from other projects may use features that were never tested here. A
// program that crashes, takes all memory or never ends with one of them must
// not end the run, so MeasureModel() runs two programs for each model:
//   1. compile_model (compile_model.cc) imports and compiles it. The time and
//      the peak memory of this process are the cost of compiling, without that
//      of the oracle or of another runtime.
//   2. //suites:model checks the answer and measures the latency, alone and
//      against the reference runtime. Its results.json has the numbers. Only
//      this program needs inputs, so only it gets ZooModel::input_values.
// The second program runs only if the first one compiled the model. Only the
// first one can refuse a model. If the second one exits with ExitCode::kUsage,
// this is a failure, because it may have other reasons, such as missing
// runfiles.
#ifndef ASSAY_SUITES_MODEL_ZOO_MEASURE_H_
#define ASSAY_SUITES_MODEL_ZOO_MEASURE_H_

#include <string>
#include <vector>

#include "suites/model_zoo/model_list.h"
#include "suites/model_zoo/outcome.h"

namespace assay::suites {

struct MeasureOptions {
  // Paths of compile_model and of //suites:model.
  std::string compile_program;
  std::string check_program;
  // Number of threads; 0 stands for all processors.
  int threads = 0;
  // Name of the runtime with which times are compared; empty for none.
  std::string reference;
  // Value of --max_memory of both programs; empty for their default.
  std::string max_memory;
  // Time limit for each of the two programs.
  double timeout_s = 1800;
};

// Measures `model`, whose ONNX file is `file`. Sets all fields of the outcome
// except `program`.
ZooOutcome MeasureModel(const ZooModel& model, const std::string& file,
                        const MeasureOptions& options);

// Returns the outcome of a model that has no file, for the reason `sentence`.
ZooOutcome MissingModel(const ZooModel& model, const MeasureOptions& options,
                        const std::string& sentence);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODEL_ZOO_MEASURE_H_
