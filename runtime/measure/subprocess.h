// SubprocessRunner: a Runner that runs artifacts in another process. It starts
// bench_artifact (runtime/tools) and sends requests to it
// (runtime/tools/bench_steps.h).
//
// It is used for two purposes:
//   - A bench_artifact for another architecture runs under an emulator. The
//     outputs are those of the emulated device, but the times are not valid.
//   - The bench_artifact of another commit runs artifacts with the runtime of
//     that commit, which cannot be linked into this process. Processes with the
//     same LoadOptions::placement_seed have the same addresses, as far as they
//     allocate the same memory (runtime/process/address_space.h), and keep
//     their main threads on the same processor (ScopedCpu in
//     runtime/device/cpu/cpu_affinity.h).
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
  // Time limit in seconds for each answer of bench_artifact and for each block.
  double time_limit_s = 120;
  // Facts of the device on which the command runs. If the command is an
  // emulator, these are the facts of the device that it emulates.
  DeviceFacts facts;
};

class SubprocessRunner : public Runner {
 public:
  explicit SubprocessRunner(SubprocessOptions options)
      : options_(std::move(options)) {}

  DeviceFacts facts() const override { return options_.facts; }

  // Starts bench_artifact, which is killed when the session is destroyed. If
  // bench_artifact ends or does not answer in time, the error of the session
  // quotes the last part of what bench_artifact wrote to standard error. If
  // bench_artifact rejects a request, the session returns Internal with the
  // answer of bench_artifact. Load() returns Unimplemented if `artifacts` does
  // not have exactly one element.
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
