// ProcessRunner: runs artifacts for this machine in a program of their own,
// bench_artifact, which may be that of another commit: where the runtime itself
// differs, two builds cannot share a process, and take turns in two
// (runtime/tools/bench_steps.h).
//
// Nothing of the memory is shared, so a difference may be one of where things
// lie; what differs by less than a percent or two is better compared in one
// process.
#ifndef ASSAY_SUITES_HARNESS_RUNNERS_PROCESS_RUNNER_H_
#define ASSAY_SUITES_HARNESS_RUNNERS_PROCESS_RUNNER_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "suites/harness/services.h"

namespace assay::suites {

class ProcessRunner : public Runner {
 public:
  // `program` is the path of a bench_artifact that knows --steps.
  explicit ProcessRunner(std::string program) : program_(std::move(program)) {}

  // The program runs as long as the session lives. Errors name it.
  absl::StatusOr<std::unique_ptr<Session>> Load(
      const runtime::Artifact& artifact, const runtime::NamedTensors& inputs,
      int threads) override;

 private:
  const std::string program_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_RUNNERS_PROCESS_RUNNER_H_
