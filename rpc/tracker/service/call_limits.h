// CallLimits: limits how many calls each caller has open at a time, so that no
// caller can use up the memory of the tracker or its queue of commands.
//
//   CallLimits limits("Acquire", /*max_calls=*/1000);
//   ASSAY_ASSIGN_OR_RETURN(CallLimits::Slot slot, limits.Take("ann"));
//   …  // the call is open until `slot` is destroyed
//
// Thread-safe.
#ifndef ASSAY_RPC_TRACKER_SERVICE_CALL_LIMITS_H_
#define ASSAY_RPC_TRACKER_SERVICE_CALL_LIMITS_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace assay::rpc {

class CallLimits {
 public:
  // One open call.
  class Slot {
   public:
    Slot() = default;
    Slot(Slot&& other) noexcept
        : limits_(std::exchange(other.limits_, nullptr)),
          caller_(std::move(other.caller_)) {}
    Slot& operator=(Slot&& other) noexcept {
      std::swap(limits_, other.limits_);
      std::swap(caller_, other.caller_);
      return *this;
    }
    ~Slot() {
      if (limits_ != nullptr) limits_->GiveBack(caller_);
    }

   private:
    friend class CallLimits;
    Slot(CallLimits* limits, std::string caller)
        : limits_(limits), caller_(std::move(caller)) {}

    CallLimits* limits_ = nullptr;
    std::string caller_;
  };

  // `calls` names the calls in errors.
  CallLimits(std::string calls, int64_t max_calls)
      : calls_(std::move(calls)), max_calls_(max_calls) {}
  CallLimits(const CallLimits&) = delete;
  CallLimits& operator=(const CallLimits&) = delete;

  // Returns ResourceExhausted if the caller has too many open calls. The slot
  // must be destroyed before this object.
  absl::StatusOr<Slot> Take(const std::string& caller);

 private:
  void GiveBack(const std::string& caller);

  const std::string calls_;
  const int64_t max_calls_;
  std::mutex mutex_;
  std::map<std::string, int64_t> open_;  // without zeros
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_TRACKER_SERVICE_CALL_LIMITS_H_
