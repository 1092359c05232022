#include "rpc/client/block/block_limit.h"

#include <algorithm>
#include <cstddef>

#include "runtime/base/check.h"

namespace assay::rpc {

int64_t BlockLimitNanos(const runtime::Block& block,
                        absl::Span<const int64_t> run_nanos,
                        int64_t call_nanos) {
  // In double precision, nothing overflows.
  double nanos = 0;
  for (const runtime::SampleSpec& sample : block.samples) {
    CHECK(sample.program >= 0 &&
          static_cast<size_t>(sample.program) < run_nanos.size());
    const auto run = static_cast<double>(run_nanos[sample.program]);
    // The runs before the sample, the sample, and the run whose outputs are
    // read.
    const double runs = static_cast<double>(sample.warmup_runs) +
                        static_cast<double>(sample.number) + 1;
    const double sample_nanos =
        std::max(runs * run, static_cast<double>(block.min_sample_nanos));
    if (run == 0) nanos += static_cast<double>(call_nanos);
    nanos += static_cast<double>(kBlockSlack) *
                 (sample_nanos + static_cast<double>(sample.warmup_nanos)) +
             static_cast<double>(block.cooldown_nanos);
  }
  nanos += static_cast<double>(call_nanos);
  return static_cast<int64_t>(
      std::min(nanos, static_cast<double>(kMaxBlockLimitNanos)));
}

}  // namespace assay::rpc
