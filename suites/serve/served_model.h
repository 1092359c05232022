// ServedModel: instances of a compiled model, for a queue (servers.h).
//
// Before anything is timed, the program must give the outputs of the reference
// interpreter for two seeded inputs, and each instance the same bits. While
// queries are served, the inputs change from query to query. A share of the
// runs, which is drawn, is checked: the outputs are overwritten before the run,
// and afterwards must have the bits that they had before. This happens between
// two runs, so it is not part of a latency, but it delays the next query if one
// waits.
//
// The time of a sample includes copying its inputs to the program. The outputs
// stay where the program writes them.
//
// Each instance has its own processors as far as there are enough, and its own
// copy of the constants.
#ifndef ASSAY_SUITES_SERVE_SERVED_MODEL_H_
#define ASSAY_SUITES_SERVE_SERVED_MODEL_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"
#include "suites/correctness/model.h"
#include "suites/correctness/oracle.h"
#include "suites/serve/thread_servers.h"

namespace assay::suites {

struct ServedModelOptions {
  int instances = 1;
  int threads = 1;    // of each instance
  int64_t batch = 1;  // samples in a run of the program
  uint64_t seed = 0;  // of the inputs and of the runs that are checked
  // The share of the runs that are checked.
  double check_share = 0.02;
};

class ServedModel {
 public:
  // Compiles the model, whose inputs must have the batch size of the options,
  // and checks it. If an output is wrong, returns DataLoss with one sentence.
  // `step` is called with what is done. `oracle` is not needed afterwards.
  static absl::StatusOr<std::unique_ptr<ServedModel>> Create(
      const Model& model, const ServedModelOptions& options, Oracle& oracle,
      const std::function<void(absl::string_view)>& step);
  ~ServedModel();

  // Serve() returns DataLoss if an output of a checked run is wrong.
  Servers& servers() { return *servers_; }
  // Median time of a run while all instances are busy, in seconds.
  double batch_s() const { return batch_s_; }
  // Runs whose outputs were checked while queries were served.
  int64_t checked() const;

 private:
  struct Instance;

  explicit ServedModel(const ServedModelOptions& options);
  absl::StatusOr<runtime::Artifact> Check(const Model& model, Oracle& oracle);
  absl::Status StartInstances(const runtime::Artifact& artifact);
  absl::Status Run(int instance, int64_t sample, int64_t* end_nanos);
  absl::Status WarmUp();

  const ServedModelOptions options_;
  std::vector<runtime::NamedTensors> inputs_;
  std::vector<runtime::NamedTensors> outputs_;  // of the checked program
  std::vector<std::unique_ptr<Instance>> instances_;
  double batch_s_ = 0;
  // Destroyed first, because it has threads that use the instances.
  std::unique_ptr<ThreadServers> servers_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_SERVE_SERVED_MODEL_H_
