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

// Copies `count` elements, beginning with element i of `from` and element k of
// `to`, an array of the same type.
void CopyElements(const NDArray& from, int64_t i, NDArray& to, int64_t k,
                  int64_t count);

// Functions for sums of products. AsDoubles() and AsIntegers() return all
// elements of an array. With the integers, which are unsigned, callers compute
// products and sums modulo 2^64. StoreSum() rounds or wraps `sum` to the
// element type of `x` and stores it as element i.
std::vector<double> AsDoubles(const NDArray& x);
std::vector<uint64_t> AsIntegers(const NDArray& x);
void StoreSum(NDArray& x, int64_t i, double sum);
void StoreSum(NDArray& x, int64_t i, uint64_t sum);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_ELEMENT_H_
