// SubprocessRunner: a Runner that runs artifacts in another process. It starts
// bench_artifact (runtime/tools) and sends requests to it
// (runtime/tools/bench_steps.h). A block is one request, so that the two
// processes exchange nothing between its samples.
//
// It is used for two purposes:
//   - A bench_artifact for another architecture runs under an emulator. The
//     outputs are those of the emulated device, but the times are not valid.
//   - The bench_artifact of another commit runs artifacts with the runtime of
//     that commit, which cannot be linked into this process. Processes with the
//     same LoadOptions::placement_seed have the same addresses, as far as they
//     allocate the same memory (runtime/process/address_space.h), and keep
//     their main threads on the same processor (ScopedCpu in
//     runtime/device/cpu/cpu_affinity.h). With the same
//     LoadOptions::shared_memory, they share the memory of inputs, outputs and
//     intermediate values.
#ifndef ASSAY_RUNTIME_MEASURE_SUBPROCESS_H_
#define ASSAY_RUNTIME_MEASURE_SUBPROCESS_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/base/file.h"
#include "runtime/measure/session.h"

namespace assay::runtime {

struct SubprocessOptions {
  // The command line before the flags of bench_artifact: the emulator with its
  // flags, if there is one, and the path of bench_artifact.
  std::vector<std::string> command;
  // Time limit in seconds for each answer of bench_artifact, from the request
  // to the last line. A block is answered after the last sample, so the limit
  // must exceed the time of the whole block with its warm-up and its pauses.
  double time_limit_s = 120;
  // If true, Load() returns Unimplemented for two artifacts, so that callers
  // which compare processes load each artifact in a process of its own.
  bool one_artifact = false;
  // Facts of the device on which the command runs. If the command is an
  // emulator, these are the facts of the device that it emulates.
  DeviceFacts facts;
};

class SubprocessRunner : public Runner {
 public:
  explicit SubprocessRunner(SubprocessOptions options)
      : options_(std::move(options)) {}

  DeviceFacts facts() const override { return options_.facts; }

  // True if bench_artifact runs without an emulator.
  bool SharesMemory() override { return options_.command.size() == 1; }

  // Starts bench_artifact, which is killed when the session is destroyed. The
  // session has these errors in addition to those of session.h:
  //   - If bench_artifact ends or does not answer in time, the error quotes the
  //     last part of what bench_artifact wrote to standard error. All later
  //     calls return the same error.
  //   - If bench_artifact rejects a request, the error has the same status code
  //     as in bench_artifact.
  //   - FailedPrecondition: bench_artifact is of a commit with another version
  //     of the protocol.
  // CHECK-fails unless there are one or two artifacts.
  absl::StatusOr<std::unique_ptr<Session>> Load(
      absl::Span<const Artifact* const> artifacts,
      const LoadOptions& options) override;

 private:
  absl::StatusOr<std::string> FileOf(const Artifact& artifact,
                                     const std::string& digest);

  const SubprocessOptions options_;
  std::optional<TempDir> artifacts_;  // files of the artifacts, by digest
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_MEASURE_SUBPROCESS_H_
