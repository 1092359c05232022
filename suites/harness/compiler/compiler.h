// Compiler and ModelSource: the interfaces of the harness to the compiler and
// to the models of a suite. Tests replace both with fakes.
//
// A model can be compiled in several variants (reports/result/variant.h). For
// tuned variants, the compiler has a log of the tuner.
#ifndef ASSAY_SUITES_HARNESS_COMPILER_COMPILER_H_
#define ASSAY_SUITES_HARNESS_COMPILER_COMPILER_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reports/result/variant.h"
#include "runtime/artifact/artifact.h"
#include "suites/correctness/model.h"
#include "suites/devices/place.h"

namespace assay::suites {

// A model of a suite. It is loaded just before it is measured and released
// afterwards.
struct ModelSource {
  // Name of the suite whose baselines are used, for example `mobilenet`.
  std::string suite;
  // The suite (`target`) and the flags that measure only this model, for
  // example `mobilenet` and {{"variant", "v1"}}.
  std::string target;
  std::vector<std::pair<std::string, std::string>> flags;
  std::function<absl::StatusOr<Model>()> load;
  // Name of the model, if it is known before the model is loaded. A model of
  // which --cells selects no cell is then not loaded.
  std::string name = {};
};

struct CompiledModel {
  runtime::Artifact artifact;
  // The digest of the tuner's records for the place, and a sentence that says
  // what the records changed. Both are empty if the model is not tuned.
  std::string tuning_digest = {};
  std::string tuning_remark = {};
};

class Compiler {
 public:
  virtual ~Compiler() = default;
  // Compiles a model for the place where it runs. Dumps are written to
  // `dump_dir`, unless it is empty.
  virtual absl::StatusOr<CompiledModel> Compile(
      const Model& model, const Place& place, const reports::Variant& variant,
      const std::string& dump_dir) = 0;
  // Returns NotFound, with one sentence, if models cannot be tuned for this
  // place, for example because the log has no records for it.
  virtual absl::Status CanTune(const Place& place) const = 0;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_COMPILER_COMPILER_H_
