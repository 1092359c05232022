// DigestOf: names a constant in text. A hash of element type, shape and bytes,
// equal on all machines of one byte order. Not cryptographic: whoever finds two
// constants of equal digest compares their bytes.
#ifndef ASSAY_COMPILER_GRAPH_DIGEST_H_
#define ASSAY_COMPILER_GRAPH_DIGEST_H_

#include <cstdint>

#include "runtime/base/ndarray.h"

namespace assay::graph {

uint64_t DigestOf(const NDArray& array);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_DIGEST_H_
