// BlockLimitNanos: the time after which a block is given up.
//
// A device takes all samples of a block before the call ends, so the deadline
// of the call must exceed the time of the whole block with its warm-up and its
// pauses. It is generous, because a deadline is for workers that hang, and a
// block that is cut off is lost.
#ifndef ASSAY_RPC_CLIENT_BLOCK_BLOCK_LIMIT_H_
#define ASSAY_RPC_CLIENT_BLOCK_BLOCK_LIMIT_H_

#include <cstdint>

#include "absl/types/span.h"
#include "runtime/measure/session.h"

namespace assay::rpc {

// The device may be this many times slower than it was, and take a sample this
// many times until it is long enough.
constexpr int64_t kBlockSlack = 4;
// No block takes longer than a day.
constexpr int64_t kMaxBlockLimitNanos = int64_t{86400} * 1'000'000'000;

// `run_nanos` is the longest known time of a run of each program, 0 if it is
// not known yet. `call_nanos` is the limit of a call that runs a program once;
// it is added once, and for each sample of a program whose time is not known.
int64_t BlockLimitNanos(const runtime::Block& block,
                        absl::Span<const int64_t> run_nanos,
                        int64_t call_nanos);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_CLIENT_BLOCK_BLOCK_LIMIT_H_
