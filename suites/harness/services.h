// ModelSource and Compiler: the interfaces of the harness to the models of a
// suite and to the compiler. Tests replace both with fakes.
//
// A model can be compiled in several variants (reports/result/variant.h). For
// tuned variants, the compiler has a log of the tuner.
#ifndef ASSAY_SUITES_HARNESS_SERVICES_H_
#define ASSAY_SUITES_HARNESS_SERVICES_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "devices/device.pb.h"
#include "reports/result/variant.h"
#include "runtime/artifact/artifact.h"
#include "suites/correctness/model.h"

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
};

// The device for which a model is compiled.
struct CompileTarget {
  const devices::Device& device;
  std::string fingerprint;  // of the device (runtime::DeviceFacts)
  int threads = 0;          // 0 stands for all processors
};

struct CompiledModel {
  runtime::Artifact artifact;
  // Empty if the model is not tuned: the digest of the records of the log that
  // count for the target, and a sentence about what they have changed.
  std::string tuning_digest = {};
  std::string tuning_remark = {};
};

class Compiler {
 public:
  virtual ~Compiler() = default;
  // Dumps are written to `dump_dir`, unless it is empty.
  virtual absl::StatusOr<CompiledModel> Compile(
      const Model& model, const CompileTarget& target,
      const reports::Variant& variant, const std::string& dump_dir) = 0;
  // Returns NotFound, with one sentence, if there is nothing with which models
  // could be tuned for this device and number of threads.
  virtual absl::Status CanTune(const CompileTarget& target) const = 0;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_SERVICES_H_
