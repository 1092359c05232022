// ReadBlock: reads the block of a RunBlockRequest, which comes from the
// network, and checks everything in it.
#ifndef ASSAY_RPC_SERVER_WORKER_BLOCK_REQUEST_H_
#define ASSAY_RPC_SERVER_WORKER_BLOCK_REQUEST_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "rpc/proto/device.pb.h"
#include "runtime/measure/session.h"

namespace assay::rpc {

// In addition to the limits of each field (runtime/measure/block_text.h).
struct BlockLimits {
  int max_samples = 100'000;
  // Of the cache flush before each sample.
  int64_t max_flush_bytes = int64_t{1} << 30;
};

// Returns the time that the block takes at least: its pauses, its warm-up, and
// the least times of its samples.
int64_t PlannedNanos(const runtime::Block& block);

// Returns InvalidArgument, with the name of the field, if a value is out of
// range for a session with `programs` programs, or if the block takes longer
// than `max_nanos` in any case.
absl::StatusOr<runtime::Block> ReadBlock(const RunBlockRequest& request,
                                         int programs, int64_t max_nanos,
                                         const BlockLimits& limits = {});

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_WORKER_BLOCK_REQUEST_H_
