// Access to single elements of an array of any element type, for operators of
// the reference interpreter: floats are loaded as double and rounded once when
// stored, integers are loaded as int64 and wrapped.
#ifndef ASSAY_COMPILER_GRAPH_REFERENCE_ELEMENT_H_
#define ASSAY_COMPILER_GRAPH_REFERENCE_ELEMENT_H_

#include <cstdint>
#include <vector>

#include "runtime/base/ndarray.h"

namespace assay::graph::reference {

double LoadFloat(const NDArray& x, int64_t i);
void StoreFloat(NDArray& x, int64_t i, double value);
int64_t LoadInt(const NDArray& x, int64_t i);
void StoreInt(NDArray& x, int64_t i, int64_t value);

// Copies `count` elements, beginning with element i of `from` and element k of
// `to`, an array of the same type.
void CopyElements(const NDArray& from, int64_t i, NDArray& to, int64_t k,
                  int64_t count);

// For sums of products: all elements of an array, and storing a sum as an
// element of `x`, rounded or wrapped. Integers are multiplied modulo 2^64.
std::vector<double> AsDoubles(const NDArray& x);
std::vector<uint64_t> AsIntegers(const NDArray& x);
void StoreSum(NDArray& x, int64_t i, double sum);
void StoreSum(NDArray& x, int64_t i, uint64_t sum);

}  // namespace assay::graph::reference

#endif  // ASSAY_COMPILER_GRAPH_REFERENCE_ELEMENT_H_
