// LiveBytes: what no plan of an artifact's memory can do without.
#ifndef ASSAY_SUITES_HARNESS_LIVE_BYTES_H_
#define ASSAY_SUITES_HARNESS_LIVE_BYTES_H_

#include <cstdint>

#include "runtime/artifact/artifact.h"

namespace assay::suites {

// The most bytes of the arena that hold a value which is still to be read,
// over the kernel calls in their order: from the call that writes a tensor to
// the last that reads it, what tensors share counted once. An arena of another
// layout may be larger, none can be smaller.
int64_t LiveBytes(const runtime::Artifact& artifact);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_LIVE_BYTES_H_
