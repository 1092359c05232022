// Cancellation: ends all work that belongs together, for example all calls
// under one lease, from another thread.
//
//   Cancellation work;
//   …
//   grpc::ClientContext context;
//   const Cancellation::Call call(&work, &context);
//   const grpc::Status status = stub.RunBlock(&context, …);
//   if (!work.status().ok()) return work.status();
//
// Another thread ends this call, and all later ones, by
//
//   work.Cancel(absl::AbortedError("the lease of `rack1-03` was lost"));
#ifndef ASSAY_RPC_CLIENT_CANCELLATION_H_
#define ASSAY_RPC_CLIENT_CANCELLATION_H_

#include <cstdint>
#include <set>

#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "grpcpp/client_context.h"
#include "runtime/base/clock.h"

namespace assay::rpc {

class Cancellation {
 public:
  Cancellation() = default;
  Cancellation(const Cancellation&) = delete;
  Cancellation& operator=(const Cancellation&) = delete;

  // Cancels the calls that run, and all that begin later. `reason` must be an
  // error. Only the first call has an effect. Thread-safe.
  void Cancel(const absl::Status& reason);

  // Returns OK, or the reason of Cancel(). Thread-safe.
  absl::Status status() const;

  // Waits, and returns status(). A cancellation ends the wait within 20
  // milliseconds. Thread-safe if the clock is.
  absl::Status Sleep(int64_t nanos, Clock* clock) const;

  // A call that is cancelled with the others, for as long as the object exists.
  // Both arguments must outlive it.
  class Call {
   public:
    Call(Cancellation* cancellation, grpc::ClientContext* context);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    Cancellation* const cancellation_;
    grpc::ClientContext* const context_;
  };

 private:
  mutable absl::Mutex mutex_;
  absl::Status reason_;
  std::set<grpc::ClientContext*> calls_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_CLIENT_CANCELLATION_H_
