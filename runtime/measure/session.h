// Session: runs and measures programs on a device.
//
// The suites, bench_artifact and any tuner measure through this interface.
// Implementations run the programs in this process (in_process.h), in another
// process or in an emulator (subprocess.h), or on a remote device.
//
// A program is a loaded artifact, or a model in another runtime. A session has
// one program, or two that share memory, because the speed of a program depends
// on its addresses. Measurements are requested in blocks: samples of the
// programs in a given order, which the device takes without waiting for the
// client in between. The terms are those of TVM's time_evaluator: a sample is
// the mean time over `number` consecutive runs, because a run of a small kernel
// is shorter than the resolution of a clock. Statistics are the caller's task.
//
//   ASSAY_ASSIGN_OR_RETURN(auto session, runner->Load({&artifact}, threads));
//   ASSAY_RETURN_IF_ERROR(session->SetInputs(inputs));
//   Block block;
//   block.samples = std::vector<SampleSpec>(20, {/*program=*/0, /*number=*/5});
//   ASSAY_ASSIGN_OR_RETURN(const auto samples, session->RunBlock(block));
//
// Not thread-safe. Errors: InvalidArgument if the artifact or the inputs are
// invalid, DeadlineExceeded if the session's time limit has passed,
// Unimplemented if the session does not support the operation. All other errors
// are failures of the device.
#ifndef ASSAY_RUNTIME_MEASURE_SESSION_H_
#define ASSAY_RUNTIME_MEASURE_SESSION_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/measure/device_facts.h"

namespace assay::runtime {

// A sample to take.
struct SampleSpec {
  int program = 0;
  int64_t number = 1;
  // Runs before the sample that are not timed: `warmup_runs` of them, and more
  // until they have taken `warmup_nanos`.
  int64_t warmup_runs = 0;
  int64_t warmup_nanos = 0;
};

struct Block {
  std::vector<SampleSpec> samples;  // in the order in which they are taken
  // A sample that takes less time is discarded and taken again with a larger
  // `number`, which then holds for all later samples of the program.
  int64_t min_sample_nanos = 0;
  // Pause before each sample, for devices that throttle.
  int64_t cooldown_nanos = 0;
  // Size of the memory to access before each sample in order to evict the
  // caches; 0 leaves them warm. Only the first run of a sample is cold.
  int64_t flush_cache_bytes = 0;
  // Reads the outputs after each sample. They are poisoned before the last run
  // of the sample, outside the time taken, so that correct outputs prove that
  // the run computed them.
  bool read_outputs = false;
};

struct Sample {
  int64_t nanos = 0;   // of all runs together, at least 1
  int64_t number = 0;  // of runs; at least that of the SampleSpec
  NamedTensors outputs;

  double NanosPerRun() const {
    return static_cast<double>(nanos) / static_cast<double>(number);
  }
};

class Session {
 public:
  virtual ~Session() = default;

  // The device that the session runs on, which need not be this machine.
  virtual DeviceFacts facts() const = 0;
  // Number of threads that a program runs on.
  virtual int threads() const = 0;

  // Sets all inputs of all programs. Must precede the first run.
  virtual absl::Status SetInputs(const NamedTensors& inputs) = 0;

  // Takes the samples in order. FailedPrecondition if a million runs take no
  // time by the clock.
  virtual absl::StatusOr<std::vector<Sample>> RunBlock(const Block& block) = 0;

  // Runs a program once and returns the nanoseconds of each kernel call, in the
  // order of the plan.
  virtual absl::StatusOr<std::vector<int64_t>> TimeCalls(int program) = 0;

  // Evicts the caches of the device by accessing `bytes` of other memory.
  virtual absl::Status FlushCaches(int64_t bytes) = 0;
};

// Runs a program once; returns the sample with its outputs.
absl::StatusOr<Sample> RunOnce(Session& session, int program = 0);

// A device that artifacts can be loaded on.
class Runner {
 public:
  virtual ~Runner() = default;

  virtual DeviceFacts facts() const = 0;

  // Loads one artifact, or two with the same inputs and outputs, which share
  // memory as far as it is large enough. `threads` 0 stands for all threads of
  // the device. The artifacts are not needed afterwards; the runner must
  // outlive the session. Unimplemented if two cannot share memory here.
  virtual absl::StatusOr<std::unique_ptr<Session>> Load(
      absl::Span<const Artifact* const> artifacts, int threads) = 0;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_MEASURE_SESSION_H_
