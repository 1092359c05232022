// Host: the machine on which the harness runs. Tests replace it with a fake.
#ifndef ASSAY_SUITES_HARNESS_HOST_H_
#define ASSAY_SUITES_HARNESS_HOST_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/result/run_result.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/measure/session.h"
#include "runtime/tools/count/region_counts.h"
#include "suites/comparison/canary.h"
#include "suites/devices/local_devices.h"
#include "suites/machine/disturbance.h"

namespace assay::suites {

class Host {
 public:
  virtual ~Host() = default;

  // Begins to observe what else this machine does while programs with `threads`
  // threads are measured.
  virtual void StartObserving(int threads) = 0;
  // Returns what disturbed the measured programs since StartObserving()
  // (suites/machine/disturbance.h).
  virtual std::vector<std::string> StopObserving() = 0;

  // Tests whether side-by-side comparisons give correct verdicts
  // (suites/comparison/canary.h).
  virtual absl::StatusOr<reports::Canary> TestComparisons(
      const CanaryMode& mode, uint64_t seed) = 0;

  // Opens this machine with a runner that executes the bench_artifact at
  // `path`, or that of this build if `path` is empty.
  virtual absl::StatusOr<std::unique_ptr<runtime::Runner>> OpenProcess(
      const std::string& path) = 0;

  // Returns the peak of the memory of a process of the bench_artifact of this
  // build that loads the artifact and runs it once
  // (Session::PeakResidentBytes).
  virtual absl::StatusOr<int64_t> MeasurePeakMemory(
      const runtime::Artifact& artifact, int threads,
      const runtime::NamedTensors& inputs) = 0;

  // Counts what the kernel calls of an artifact execute, in their order
  // (runtime/tools/count). Takes about a second for a billion instructions.
  // Returns an error if the artifact cannot be emulated, or if it takes longer
  // than a minute.
  virtual absl::StatusOr<std::vector<runtime::RegionCounts>> CountKernels(
      const runtime::Artifact& artifact) = 0;
};

class ThisMachine : public Host {
 public:
  // `program` is argv[0].
  ThisMachine(std::string program, LocalDevices devices)
      : program_(std::move(program)), devices_(std::move(devices)) {}

  void StartObserving(int threads) override;
  std::vector<std::string> StopObserving() override;
  absl::StatusOr<reports::Canary> TestComparisons(const CanaryMode& mode,
                                                  uint64_t seed) override;
  absl::StatusOr<std::unique_ptr<runtime::Runner>> OpenProcess(
      const std::string& path) override;
  absl::StatusOr<int64_t> MeasurePeakMemory(
      const runtime::Artifact& artifact, int threads,
      const runtime::NamedTensors& inputs) override;
  absl::StatusOr<std::vector<runtime::RegionCounts>> CountKernels(
      const runtime::Artifact& artifact) override;

 private:
  const std::string program_;
  const LocalDevices devices_;
  std::optional<DisturbanceMeter> meter_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_HOST_H_
