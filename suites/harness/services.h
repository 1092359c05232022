// Interfaces to the compiler and to the models of a suite, which tests replace
// with fakes.
#ifndef ASSAY_SUITES_HARNESS_SERVICES_H_
#define ASSAY_SUITES_HARNESS_SERVICES_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "devices/device.pb.h"
#include "runtime/artifact/artifact.h"
#include "suites/correctness/model.h"

namespace assay::suites {

// A model of a suite. It is loaded just before it is measured and released
// afterwards.
struct ModelSource {
  // Name of the suite whose baselines are used, for example `mobilenet`.
  std::string suite;
  // The suite and the flags that measure this model again, for example
  // `mobilenet` and {{"variant", "v1"}}.
  std::string target;
  std::vector<std::pair<std::string, std::string>> flags;
  std::function<absl::StatusOr<Model>()> load;
};

class Compiler {
 public:
  virtual ~Compiler() = default;
  virtual absl::StatusOr<runtime::Artifact> Compile(
      const Model& model, const devices::Device& device, bool fusion,
      int threads, const std::string& dump_dir) = 0;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_SERVICES_H_
