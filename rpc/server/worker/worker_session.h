// WorkerSession: a session of a client, in a fresh, confined worker process.
//
//   SessionOptions options;
//   options.sandbox = &sandbox;
//   options.root = root.get();
//   options.artifacts = {blob.path()};
//   options.interrupt = &interrupt;
//   ASSAY_ASSIGN_OR_RETURN(const auto session,
//                          WorkerSession::Start(options, deadline_nanos));
//   ASSAY_RETURN_IF_ERROR(session->SetInputs(blob.path(), deadline_nanos));
//   ASSAY_RETURN_IF_ERROR(session->RunBlock(block, sink, deadline_nanos));
//
// The server never parses an artifact or a tensor file; only the worker does.
// Everything that the worker answers is limited and checked
// (runtime/measure/worker_process.h, work_folder.h), also the codes of its
// errors: a worker cannot claim that a lease has ended, or that a call should
// be repeated.
//
// Errors of all calls:
//   InvalidArgument    the worker rejects the artifacts, the inputs or the
//                      request; similarly NotFound, FailedPrecondition,
//                      ResourceExhausted and Unimplemented (session.h)
//   DeadlineExceeded   the worker did not answer before the deadline, a time of
//                      the monotonic clock
//   Cancelled          the interrupt was raised, or the sink has failed
//   Internal           the worker has failed; the message says how
// After the last three, the session is over (over()). The destructor kills the
// worker and removes its files. Not thread-safe, except for the interrupt.
#ifndef ASSAY_RPC_SERVER_WORKER_WORKER_SESSION_H_
#define ASSAY_RPC_SERVER_WORKER_WORKER_SESSION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "rpc/server/worker/work_folder.h"
#include "rpc/server/worker/worker_sandbox.h"
#include "runtime/measure/session.h"
#include "runtime/measure/worker_process.h"
#include "runtime/process/interrupt.h"

namespace assay::rpc {

struct SessionOptions {
  const WorkerSandbox* sandbox = nullptr;
  WorkRoot* root = nullptr;
  std::vector<std::string> artifacts = {};  // one or two files
  int threads = 0;
  uint64_t placement_seed = 0;
  // The largest tensor file of outputs.
  int64_t max_output_bytes = int64_t{1} << 30;
  const runtime::Interrupt* interrupt = nullptr;
};

// Receives the results of a block. An error ends the session.
class BlockSink {
 public:
  virtual ~BlockSink() = default;

  // The last sample was taken; nothing was handed out yet. Not called if the
  // block fails.
  virtual void Measured() = 0;
  // The peak of the worker's memory after the block. Called last, and only if
  // the worker says it. The worker may lie, but the number is positive.
  virtual void TakePeakMemory(int64_t bytes) = 0;
  // The next sample. `outputs_size` bytes of its outputs follow.
  virtual absl::Status TakeSample(const runtime::Sample& sample,
                                  int64_t outputs_size) = 0;
  // The next bytes of the outputs, at most 1 MiB.
  virtual absl::Status TakeOutputs(std::string bytes) = 0;
};

class WorkerSession {
 public:
  // Waits until the worker has loaded the artifacts and said how long it took.
  static absl::StatusOr<std::unique_ptr<WorkerSession>> Start(
      const SessionOptions& options, int64_t deadline_nanos);
  WorkerSession(const WorkerSession&) = delete;
  WorkerSession& operator=(const WorkerSession&) = delete;

  int threads() const { return worker_->threads(); }
  int programs() const { return programs_; }
  // Returns the time in which the worker has loaded the artifacts, if it said
  // it. The worker may lie, but the time is positive and not longer than the
  // start of the session took.
  std::optional<int64_t> load_nanos() const { return load_nanos_; }
  // The folder in which the worker writes.
  const std::string& folder() const { return folder_.path(); }

  // Sets the inputs from a tensor file.
  absl::Status SetInputs(const std::string& path, int64_t deadline_nanos);
  absl::Status RunBlock(const runtime::Block& block, BlockSink& sink,
                        int64_t deadline_nanos);

  bool over() const { return over_; }

 private:
  WorkerSession(const SessionOptions& options, WorkFolder folder,
                std::unique_ptr<runtime::WorkerProcess> worker);

  // Reads the file with the outputs of the sample `i`.
  absl::Status SendOutputs(size_t i, const runtime::Sample& sample,
                           BlockSink& sink);
  // Converts an error of the worker.
  absl::Status Convert(const absl::Status& status);

  const int programs_;
  const int64_t max_output_bytes_;
  WorkFolder folder_;  // removed after the worker has ended
  const std::unique_ptr<runtime::WorkerProcess> worker_;
  std::optional<int64_t> load_nanos_;
  bool over_ = false;
};

// Returns the part of an error of WorkerSession that says how the worker ended
// or that it hung, for statistics of crashes; or an empty text for all other
// errors.
std::string CrashOf(const absl::Status& error);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_WORKER_WORKER_SESSION_H_
