// Retry: repeats a call while its peer is not available.
//
// UNAVAILABLE means that there is no connection, or that the peer is starting
// or stopping. The call is then repeated after a wait that doubles from 0.1 to
// 2 seconds; a random part of it is left out, so that many clients of a program
// that was restarted do not all return at once. All other errors are returned
// immediately. A call must only be repeated if its .proto file says so.
//
//   Retry retry("the tracker", Clock::Monotonic(), &cancellation,
//               [](const std::string& notice) { std::cerr << notice; });
//   ASSAY_RETURN_IF_ERROR(retry.Call(deadline_nanos, [&](int64_t left_nanos) {
//     return client.Renew(name, left_nanos).status();
//   }));
//
// Before each wait, the user is told about it: `the tracker does not answer:
// trying again in 0.4 s`.
#ifndef ASSAY_RPC_CLIENT_RETRY_H_
#define ASSAY_RPC_CLIENT_RETRY_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "rpc/client/cancellation.h"
#include "runtime/base/clock.h"
#include "runtime/base/random.h"

namespace assay::rpc {

// Receives one sentence for the user, without a period at its end.
using Notify = std::function<void(const std::string& notice)>;

constexpr int64_t kFirstRetryNanos = 100'000'000;
constexpr int64_t kMaxRetryNanos = 2'000'000'000;

class Retry {
 public:
  // `peer` names the peer in notices and errors. `clock` and `cancellation`
  // must outlive the object. `notify` may be null.
  Retry(std::string peer, Clock* clock, const Cancellation* cancellation,
        Notify notify);

  // Calls `call`, with the time that is left in nanoseconds, until it returns
  // anything except Unavailable, and returns this result. Returns
  //   - the reason of the cancellation, if there is one, also instead of an
  //     error of `call`;
  //   - Unavailable, with the last message, if the next call would begin after
  //     `deadline_nanos`, a time of the clock. The first call is always made.
  absl::Status Call(int64_t deadline_nanos,
                    absl::FunctionRef<absl::Status(int64_t left_nanos)> call);

 private:
  const std::string peer_;
  Clock* const clock_;
  const Cancellation* const cancellation_;
  const Notify notify_;
  Rng rng_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_CLIENT_RETRY_H_
