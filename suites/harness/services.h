// ModelSource and Compiler: the interfaces of the harness to the models of a
// suite and to the compiler. Tests replace both with fakes.
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
  // The suite (`target`) and the flags that measure only this model, for
  // example `mobilenet` and {{"variant", "v1"}}.
  std::string target;
  std::vector<std::pair<std::string, std::string>> flags;
  std::function<absl::StatusOr<Model>()> load;
};

class Compiler {
 public:
  virtual ~Compiler() = default;
  // Compiles `model` for `threads` threads of `device`; 0 stands for all
  // processors. Dumps are written to `dump_dir`, unless it is empty.
  virtual absl::StatusOr<runtime::Artifact> Compile(
      const Model& model, const devices::Device& device, bool fusion,
      int threads, const std::string& dump_dir) = 0;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_SERVICES_H_
