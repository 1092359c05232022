// Single elements of an array of any number type, for operators of the
// reference interpreter that have many types: floats are read as double and
// rounded once when written, integers are read as int64 and wrapped.
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

// `count` elements of one array, from number i on, as those of another of its
// type from number k on.
void CopyElements(const NDArray& from, int64_t i, NDArray& to, int64_t k,
                  int64_t count);

// For sums of products: all elements, and a sum as an element of `x`, rounded
// or wrapped. Integers are multiplied modulo 2^64.
std::vector<double> AsDoubles(const NDArray& x);
std::vector<uint64_t> AsIntegers(const NDArray& x);
void StoreSum(NDArray& x, int64_t i, double sum);
void StoreSum(NDArray& x, int64_t i, uint64_t sum);

}  // namespace assay::graph::reference

#endif  // ASSAY_COMPILER_GRAPH_REFERENCE_ELEMENT_H_
