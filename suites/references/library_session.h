// LibrarySession: a session with one program, which a library of another
// project runs in this process. The program is a kernel with fixed operands
// (PreparedKernel), or a model (ModelSession).
//
// The worker threads of the library are pinned before each timed series of
// runs (pinned_workers.h). Outputs are not poisoned before a run.
#ifndef ASSAY_SUITES_REFERENCES_LIBRARY_SESSION_H_
#define ASSAY_SUITES_REFERENCES_LIBRARY_SESSION_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/ndarray.h"
#include "runtime/measure/loop_session.h"
#include "suites/references/parity.h"
#include "suites/references/pinned_workers.h"

namespace assay::suites {

class LibrarySession : public runtime::LoopSession {
 public:
  // `workers` are the threads of the library, or null if it has none. They must
  // outlive the session.
  explicit LibrarySession(int threads, PinnedWorkers* workers = nullptr)
      : threads_(threads), workers_(workers) {}

  int threads() const override { return threads_; }

  // Pins those threads of the library that exist.
  Affinity PinWorkers();

  // Runs the program once, because many libraries start their threads in the
  // first run, and pins the threads.
  absl::StatusOr<Affinity> StartWorkers();

 private:
  // Runs the program once, synchronously.
  virtual absl::Status Run() = 0;
  // Returns the outputs of the last Run(), in the plain layout.
  virtual absl::StatusOr<runtime::NamedTensors> ReadOutputs() = 0;

  absl::StatusOr<int64_t> TimeRuns(int program, int64_t number,
                                   bool poison_outputs) final;
  absl::StatusOr<runtime::NamedTensors> Outputs(int program) final;

  const int threads_;
  PinnedWorkers* const workers_;
};

// A session that computes a problem with fixed operands. Its program has one
// output, `out`.
class PreparedKernel : public LibrarySession {
 public:
  using LibrarySession::LibrarySession;

 private:
  // Returns the result of the last Run(), in the plain layout.
  virtual absl::StatusOr<NDArray> Output() = 0;

  absl::StatusOr<runtime::NamedTensors> ReadOutputs() final;
};

// A session of a model. The library reads the inputs from memory of this
// object, so no input is copied in the timed part.
class ModelSession : public LibrarySession {
 public:
  // Copies `inputs`. `workers` are as in LibrarySession.
  ModelSession(const runtime::NamedTensors& inputs, int threads,
               PinnedWorkers* workers);

  absl::Status SetInputs(const runtime::NamedTensors& inputs) override;

 protected:
  // The values must not be moved to other memory.
  runtime::NamedTensors& inputs() { return inputs_; }

 private:
  runtime::NamedTensors inputs_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_LIBRARY_SESSION_H_
