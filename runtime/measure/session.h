// Session: runs and measures programs on a device.
//
// The suites and bench_artifact measure through this interface. Implementations
// run the programs in this process (in_process.h), or in another process or an
// emulator (subprocess.h).
//
// A program is a loaded artifact, or a model that is loaded in another runtime.
// A session has one program or two. Two programs share memory as far as
// possible (Runner::Load), because the speed of a program depends on its
// addresses.
//
// Measurements are requested in blocks. A block is a list of samples of the
// programs; the device takes them in order, without waiting for the client
// between them. As in TVM's time_evaluator, a sample measures the time of
// `number` consecutive runs, because a run of a small kernel can be shorter
// than the resolution of a clock. A session computes no statistics.
//
//   ASSAY_ASSIGN_OR_RETURN(auto session, runner->Load({&artifact}, {threads}));
//   ASSAY_RETURN_IF_ERROR(session->SetInputs(inputs));
//   Block block;
//   block.samples = std::vector<SampleSpec>(20, {/*program=*/0, /*number=*/5});
//   ASSAY_ASSIGN_OR_RETURN(const auto samples, session->RunBlock(block));
//
// Not thread-safe. Errors:
//   - InvalidArgument: the artifact or the inputs are invalid.
//   - NotFound: the model has no input of the given name.
//   - FailedPrecondition: an input was not set, or the runs of a sample take
//     too little time to be measured (RunBlock()).
//   - DeadlineExceeded: the time limit of the session has passed.
//   - Unimplemented: the session does not support the operation.
// All other errors are failures of the device.
#ifndef ASSAY_RUNTIME_MEASURE_SESSION_H_
#define ASSAY_RUNTIME_MEASURE_SESSION_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/measure/device_facts.h"

namespace assay::runtime {

// A SampleSpec describes one sample of a block.
struct SampleSpec {
  int program = 0;     // index of the program in the session
  int64_t number = 1;  // minimum number of runs, > 0
  // Before the sample, the program runs `warmup_runs` times, and then until the
  // warm-up has taken at least `warmup_nanos` nanoseconds. These runs are not
  // part of the sample.
  int64_t warmup_runs = 0;
  int64_t warmup_nanos = 0;
};

struct Block {
  std::vector<SampleSpec> samples;  // in the order in which they are taken
  // Minimum time of a sample. A sample that takes less time is discarded and
  // taken again with a larger number of runs. The later samples of the same
  // program in the block then also have at least this larger number of runs.
  int64_t min_sample_nanos = 0;
  // Pause before each sample, for devices that throttle.
  int64_t cooldown_nanos = 0;
  // If not 0, this number of bytes of memory that no program uses is accessed
  // before each sample to evict the caches. Only the first run of the sample
  // then starts with cold caches.
  int64_t flush_cache_bytes = 0;
  // If true, the outputs of one run of each sample are read. They are poisoned
  // before this run, so that correct outputs prove that it computed them.
  // Poisoning and reading are not part of the measured time. The run is drawn
  // from `checked_run_seed`, so that a program cannot know which run is
  // checked; 0 stands for the last run.
  bool read_outputs = false;
  uint64_t checked_run_seed = 0;
  // If true, a sample of a single run has the time of each kernel call, too, if
  // the session can measure it (Sample::call_nanos).
  bool time_calls = false;
};

struct Sample {
  int64_t nanos = 0;   // total time of all runs, at least 1
  int64_t number = 0;  // number of runs, at least SampleSpec::number
  // Empty unless Block::read_outputs is true.
  NamedTensors outputs = {};
  // Nanoseconds of each kernel call in the order of the plan; empty unless
  // Block::time_calls is true. They add up to about `nanos`.
  std::vector<int64_t> call_nanos = {};

  double NanosPerRun() const {
    return static_cast<double>(nanos) / static_cast<double>(number);
  }
};

class Session {
 public:
  virtual ~Session() = default;

  // Describes the device on which the session runs programs. The device need
  // not be this machine.
  virtual DeviceFacts facts() const = 0;
  // Returns the number of threads on which a program runs.
  virtual int threads() const = 0;

  // Sets all inputs of all programs. Must be called before the first run.
  virtual absl::Status SetInputs(const NamedTensors& inputs) = 0;

  // Takes the samples of the block in order. Returns FailedPrecondition if the
  // clock does not advance during a million runs, or if a billion runs take
  // less than Block::min_sample_nanos.
  virtual absl::StatusOr<std::vector<Sample>> RunBlock(const Block& block) = 0;

  // Replaces program 1 of a session of two programs by `artifact`, which must
  // have the same inputs and outputs. The inputs stay as they are set. A tuner
  // measures many programs with this, each next to the same program 0, without
  // starting a process and sending large inputs for each of them. The programs
  // share memory for inputs, outputs and intermediate values, but no constants.
  // Returns Unimplemented, and leaves program 1 as it is, if the session cannot
  // replace programs or if `artifact` needs more memory than the session has;
  // Runner::Load() can then load both programs.
  virtual absl::Status Replace(const Artifact& artifact);

  // Returns the time in nanoseconds that the device took to load program 0: to
  // read the bytes of the artifact from memory or from a cached file, verify
  // and parse them (but see LoadOptions::from_bytes), place the constants, and
  // prepare the code, without the start of a process or of threads and without
  // the transfer to the device. If the session was loaded several times,
  // returns the median. Returns Unimplemented if the time was not measured.
  virtual absl::StatusOr<int64_t> LoadNanos();

  // Returns the peak of the memory in bytes (runtime/process/peak_memory.h) of
  // the process that runs the session's programs and does nothing else, from
  // its start to the last block. Returns Unimplemented if it is unknown.
  virtual absl::StatusOr<int64_t> PeakResidentBytes();
};

// Takes one sample of one run of a program, and returns it with the outputs. If
// the clock does not advance during one run, the sample has more runs.
absl::StatusOr<Sample> RunOnce(Session& session, int program = 0);

// Takes one sample of one run of a program, and returns the time of each kernel
// call in nanoseconds, in the order of the plan. The program must have calls.
// `flush_cache_bytes` is that of the block. Returns Unimplemented if the
// session cannot time calls, and FailedPrecondition if the clock stands still
// in a run.
absl::StatusOr<std::vector<int64_t>> TimeCalls(Session& session,
                                               int program = 0,
                                               int64_t flush_cache_bytes = 0);

struct LoadOptions {
  // Number of threads; 0 stands for all threads of the device.
  int threads = 0;
  // If not 0, the addresses of code, constants and other buffers are drawn from
  // this seed. The speed of a program depends on its addresses, and loads with
  // different seeds are independent samples of this effect.
  uint64_t placement_seed = 0;
  // If true, Load() may return before the artifact is loaded, so that several
  // sessions load at the same time. The first call of the session then waits,
  // and returns the errors of loading.
  bool deferred = false;
  // If not empty, a file that two processes use for inputs, outputs and
  // intermediate values (runtime/device/shared_buffer.h). Only one of them may
  // run at a time. Ignored unless Runner::SharesMemory() is true.
  std::string shared_memory = {};
  // Digest() of the artifact if the caller knows it and loads a single
  // artifact. A runner that needs the digest then does not compute it again for
  // each load.
  std::string artifact_digest = {};
  // If true, an InProcessRunner serializes a single artifact, which is not
  // timed, and loads the program from the bytes, so that LoadNanos() includes
  // reading and parsing. If false, it loads the artifact that the caller has
  // parsed. Runners that use another process always load from a file.
  bool from_bytes = false;
};

// A Runner loads artifacts on a device and creates sessions.
class Runner {
 public:
  virtual ~Runner() = default;

  virtual DeviceFacts facts() const = 0;

  // Returns true if sessions of one artifact can use
  // LoadOptions::shared_memory.
  virtual bool SharesMemory() { return false; }

  // Loads one or two artifacts as the programs 0 and 1 of a session. Two
  // artifacts must have the same inputs and outputs. They share the memory of
  // inputs, outputs and intermediate values, constants with the same bytes, and
  // kernels with the same machine code, so that only what differs has other
  // addresses. The artifacts are not needed after the call. The runner must
  // outlive the session. Returns Unimplemented if the runner cannot load two
  // artifacts in one session.
  virtual absl::StatusOr<std::unique_ptr<Session>> Load(
      absl::Span<const Artifact* const> artifacts,
      const LoadOptions& options) = 0;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_MEASURE_SESSION_H_
