// LibrarySession: a session with one program, which a library of another
// project runs in this process.
//
// The worker threads of the library are pinned before each timed series of
// runs (pinned_workers.h). Outputs are not poisoned before a run.
#ifndef ASSAY_SUITES_REFERENCES_LIBRARY_SESSION_H_
#define ASSAY_SUITES_REFERENCES_LIBRARY_SESSION_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/artifact/tensor_file.h"
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

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_LIBRARY_SESSION_H_
