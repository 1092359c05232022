// WorkerProcess: a running bench_artifact that serves requests
// (runtime/tools/bench_steps.h), with artifacts that are files.
//
//   WorkerOptions options;
//   options.command = {"/usr/libexec/assay/bench_artifact"};
//   ASSAY_ASSIGN_OR_RETURN(const auto worker,
//                          WorkerProcess::Start(options, {path}, {threads}));
//   ASSAY_RETURN_IF_ERROR(worker->Step("inputs " + inputs_path).status());
//   ASSAY_RETURN_IF_ERROR(worker->TakeBlock(
//       block, outputs_folder, limit_s,
//       [&](size_t i, Sample sample) { … return absl::OkStatus(); }));
//
// The process may be hostile, because it runs code that somebody else has
// compiled. What it writes is limited: a line to 1 MiB, and a block to one
// sample for each requested one. TakeBlock() hands out each sample before it
// reads the next one, so whoever does not keep them needs little memory. This
// class reads no files. Those in the outputs folder can be anything that the
// process was able to create: links, pipes, and files of any size.
//
// Errors: if the process rejects a request, the error has the code and the
// message of its answer, and the process can be used further. All other errors
// make it unusable, and all later calls return the same error (broken()). The
// exception is Internal, after which broken() may be OK:
//   Unavailable        the process has ended; the message says how
//   DeadlineExceeded   it did not answer within the limit
//   Cancelled          the interrupt was raised
//   ResourceExhausted  it wrote a line that is too long
//   Internal           it gave an answer that the protocol does not permit
//   FailedPrecondition it has another version of the protocol
// The destructor kills the process. Not thread-safe, except for the interrupt.
#ifndef ASSAY_RUNTIME_MEASURE_WORKER_PROCESS_H_
#define ASSAY_RUNTIME_MEASURE_WORKER_PROCESS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/measure/session.h"
#include "runtime/process/interrupt.h"
#include "runtime/process/line_protocol.h"
#include "runtime/process/spawn.h"

namespace assay::runtime {

struct WorkerOptions {
  // The command line before the flags of bench_artifact: the emulator with its
  // flags, if there is one, and the path of bench_artifact.
  std::vector<std::string> command;
  // Time limit in seconds for each answer, unless a call has its own.
  double time_limit_s = 120;
  SpawnOptions spawn;
  // If not null, must outlive the process.
  const Interrupt* interrupt = nullptr;
};

class WorkerProcess {
 public:
  // Starts the process with one or two artifacts, and does not wait until it
  // has loaded them. Of `load`, uses `threads`, `placement_seed` and
  // `shared_memory`.
  static absl::StatusOr<std::unique_ptr<WorkerProcess>> Start(
      const WorkerOptions& options,
      const std::vector<std::string>& artifact_paths, const LoadOptions& load);

  // Waits until the process has loaded the artifacts. The other calls do this,
  // too, with the time limit of the options.
  absl::Status WaitUntilReady(double time_limit_s);
  absl::Status WaitUntilReady() { return WaitUntilReady(time_limit_s_); }

  // Returns the requested number until the process is ready.
  int threads() const { return threads_; }
  // Returns OK as long as the process can be used.
  const absl::Status& broken() const { return broken_; }
  // Returns how the process ended (see waitpid(2)), if it has ended by itself.
  std::optional<int> wait_status() const { return program_->wait_status(); }

  // Sends a request whose answer is `ok` and numbers, and returns the numbers.
  absl::StatusOr<std::vector<int64_t>> Step(const std::string& step) {
    return Step(step, time_limit_s_);
  }
  absl::StatusOr<std::vector<int64_t>> Step(const std::string& step,
                                            double time_limit_s);

  // Returns the time of loading (Session::LoadNanos), or Internal if the answer
  // is not a positive number.
  absl::StatusOr<int64_t> LoadNanos(double time_limit_s);
  absl::StatusOr<int64_t> LoadNanos() { return LoadNanos(time_limit_s_); }

  // Returns the peak of the process's memory (Session::PeakResidentBytes).
  // Returns Unimplemented if the process cannot tell, for example because its
  // program is of an older commit, and Internal if the answer is not a positive
  // number.
  absl::StatusOr<int64_t> PeakResidentBytes(double time_limit_s);
  absl::StatusOr<int64_t> PeakResidentBytes() {
    return PeakResidentBytes(time_limit_s_);
  }

  // Sends a block. Calls `take` with the index of each sample and the sample,
  // without its outputs, which are in the file OutputsPath() (block_text.h) if
  // the block reads them. If `take` returns an error, returns it and makes the
  // process unusable. The time limit is that of the whole call.
  absl::Status TakeBlock(
      const Block& block, const std::string& outputs_folder,
      double time_limit_s,
      const std::function<absl::Status(size_t, Sample)>& take);

 private:
  WorkerProcess(const WorkerOptions& options,
                std::unique_ptr<LineProtocol> program, int threads)
      : path_(options.command.back()),
        program_(std::move(program)),
        time_limit_s_(options.time_limit_s),
        threads_(threads) {}

  // Returns the error of a program whose first line is not that of
  // kProtocolVersion.
  absl::Status CheckVersion(absl::string_view line) const;
  absl::StatusOr<std::string> Ask(const std::string& request,
                                  double time_limit_s);
  absl::StatusOr<std::string> Keep(absl::StatusOr<std::string> line);
  // Makes all following calls return `error`, because the next line of the
  // program could belong to an earlier request. Returns `error`.
  absl::Status Break(const absl::Status& error);

  const std::string path_;  // of bench_artifact
  const std::unique_ptr<LineProtocol> program_;
  const double time_limit_s_;
  int threads_;
  bool ready_ = false;
  absl::Status broken_;
};

// Returns the error for an answer that the protocol does not permit.
absl::Status UnexpectedAnswer(absl::string_view request);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_MEASURE_WORKER_PROCESS_H_
