// DigestOf: computes a hash of the element type, the shape and the bytes of a
// constant. The text of a graph identifies large constants by this hash
// (printer.h). Machines with the same byte order compute the same hash. The
// hash is not cryptographic: to decide whether two constants are equal, compare
// their bytes as well (AttrsEqual).
#ifndef ASSAY_COMPILER_GRAPH_DIGEST_H_
#define ASSAY_COMPILER_GRAPH_DIGEST_H_

#include <cstdint>

#include "runtime/base/ndarray.h"

namespace assay::graph {

uint64_t DigestOf(const NDArray& array);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_DIGEST_H_
