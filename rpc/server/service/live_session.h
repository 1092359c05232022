// LiveSession and CallState: who may end what.
//
// A session runs in the task thread, and is ended by other threads: because its
// lease has ended, because a later Open replaced it, because the client is
// gone, or because the server stops. The first reason counts. It interrupts the
// worker, and the task thread then kills it.
//
// A call that is cancelled while it runs ends its session: nobody waits for the
// answer, and the worker would go on working. A call that is cancelled while it
// waits is only dropped. Both classes are thread-safe.
#ifndef ASSAY_RPC_SERVER_SERVICE_LIVE_SESSION_H_
#define ASSAY_RPC_SERVER_SERVICE_LIVE_SESSION_H_

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "rpc/server/blob_store.h"
#include "rpc/server/lease_guard.h"
#include "rpc/server/worker/worker_session.h"
#include "runtime/process/interrupt.h"

namespace assay::rpc {

class LiveSession {
 public:
  LiveSession(std::string id, LeaseHolder holder)
      : id(std::move(id)), holder(std::move(holder)) {}

  const std::string id;
  const LeaseHolder holder;
  runtime::Interrupt interrupt;

  // Only the first call has an effect; it returns true. `reason` is an error.
  // SessionHost::End() must be used.
  bool End(const absl::Status& reason);
  // Returns OK, or the reason of End().
  absl::Status ended() const;

  // The folder of the worker; empty before it has started.
  void set_folder(const std::string& folder);
  std::string folder() const;

  // Only for the task thread.
  std::vector<BlobPin> artifacts;
  std::unique_ptr<WorkerSession> worker;

 private:
  mutable std::mutex mutex_;
  absl::Status ended_;
  std::string folder_;
};

class CallState {
 public:
  // The client is gone. Calls the function of Begin(), if the call runs.
  void Cancel();

  // The call runs now, and is ended by `end_session`, which must be thread-safe
  // and must not wait. Returns false if the call was cancelled.
  bool Begin(std::function<void()> end_session);
  // The call does not run any more.
  void End();

 private:
  std::mutex mutex_;
  bool cancelled_ = false;
  std::function<void()> end_session_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_SERVICE_LIVE_SESSION_H_
