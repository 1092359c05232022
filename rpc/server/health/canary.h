// The canary: a short computation with a known result and a known time. A
// device that computes it wrongly or slowly must not be lent.
//
//   const CanaryResult result = RunCanary();
//   if (!result.right) …     // the memory or the processor is defective
//
// The work consists of integer operations, float32 operations, and passes over
// 256 KiB of memory:
//
//   - The operations form chains in which each one needs the result of the one
//     before. Their time therefore depends on the clock rate of the processor
//     and hardly on what else runs on the machine, not even on the other
//     hardware thread of the same core.
//   - All float32 products are exact, so the result has the same bits whether
//     or not the compiler fuses multiplications with additions. All machines
//     with IEEE arithmetic have the same result.
//   - The passes over the memory take less than a fifth of the time, because
//     they depend on what the machine has in its caches.
//
// One repetition takes about a millisecond, which is less than a time slice of
// the scheduler. The time of the canary is the least of all repetitions: on a
// machine with more busy threads than processors, some repetitions still run
// without an interruption.
#ifndef ASSAY_RPC_SERVER_HEALTH_CANARY_H_
#define ASSAY_RPC_SERVER_HEALTH_CANARY_H_

#include <cstdint>
#include <functional>

#include "runtime/base/clock.h"

namespace assay::rpc {

struct CanaryResult {
  // The time of the fastest repetition.
  int64_t nanos = 0;
  // True if all repetitions had the right result.
  bool right = false;
};

// The result of CanaryWork() on all machines. It changes with the work.
constexpr uint32_t kCanaryAnswer = 0xabebc84a;

// Computes the work once.
uint32_t CanaryWork();

// Repeats the work for 0.1 s, which is long enough for the processor to leave
// its idle clock rate, but at least 5 times. Tests replace the clock and the
// work.
CanaryResult RunCanary(Clock* clock = Clock::Monotonic(),
                       const std::function<uint32_t()>& work = CanaryWork);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_HEALTH_CANARY_H_
