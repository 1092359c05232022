// Access to single elements of an NDArray whose type is known only at run time,
// for code where clarity matters more than speed, such as the reference
// interpreter. Floating-point elements are loaded as double and rounded when
// they are stored. Integers are loaded as int64_t and wrapped when they are
// stored.
#ifndef ASSAY_RUNTIME_BASE_ELEMENT_H_
#define ASSAY_RUNTIME_BASE_ELEMENT_H_

#include <cstdint>
#include <vector>

#include "runtime/base/ndarray.h"

namespace assay {

double LoadFloat(const NDArray& x, int64_t i);
void StoreFloat(NDArray& x, int64_t i, double value);
int64_t LoadInt(const NDArray& x, int64_t i);
void StoreInt(NDArray& x, int64_t i, int64_t value);

// Copies the `count` elements of `from` that begin at index i. They replace the
// elements of `to` that begin at index k. Both arrays must have the same type.
void CopyElements(const NDArray& from, int64_t i, NDArray& to, int64_t k,
                  int64_t count);

// The following functions are for sums of products.

// Returns all elements of an array as double.
std::vector<double> AsDoubles(const NDArray& x);

// Returns all elements of an array of integers, modulo 2^64. Callers compute
// products and sums of these unsigned integers modulo 2^64.
std::vector<uint64_t> AsIntegers(const NDArray& x);

// Converts `sum` to the element type of `x` by rounding or wrapping, and stores
// it as element i.
void StoreSum(NDArray& x, int64_t i, double sum);
void StoreSum(NDArray& x, int64_t i, uint64_t sum);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_ELEMENT_H_
