// DigestOf: names a constant in text. A hash of element type, shape and bytes,
// the same on all machines of one byte order. It is not cryptographic: callers
// compare the bytes of two constants with equal digests.
#ifndef ASSAY_COMPILER_GRAPH_DIGEST_H_
#define ASSAY_COMPILER_GRAPH_DIGEST_H_

#include <cstdint>

#include "runtime/base/ndarray.h"

namespace assay::graph {

uint64_t DigestOf(const NDArray& array);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_DIGEST_H_
