// The compiler as an interface, and the models of a suite. run.h is written
// against interfaces and tested with fakes of them.
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

// A model to be, in a suite that may have several. It is loaded when its turn
// comes, and forgotten afterwards.
struct ModelSource {
  // Whose baselines its times are compared with: `mobilenet`.
  std::string suite;
  // The suite that is told to measure it again, and how: `mobilenet`,
  // {{"variant", "v1"}}.
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
