// The sums of products of convolutions and matrix products.
//
// These operators take nearly all of the time of the interpreter. Eight sums of
// one row of factors are therefore computed side by side, with the vector
// instructions of this machine. Each sum is a double to which the products are
// added one after the other, so that it has the same bits on every machine.
#ifndef ASSAY_COMPILER_GRAPH_REFERENCE_SUMS_H_
#define ASSAY_COMPILER_GRAPH_REFERENCE_SUMS_H_

#include <cstdint>
#include <functional>
#include <vector>

namespace assay::graph::reference {

// The number of sums that are computed side by side.
constexpr int64_t kLanes = 8;

// Returns for each of `count` rows of `steps` factors, which begin `stride`
// apart, kLanes sums:
//   sums[r * kLanes + l] = sum over t of rows[r * stride + t] *
//                                        lanes[t * kLanes + l]
void SumProducts(const double* rows, int64_t count, int64_t stride,
                 const double* lanes, int64_t steps, std::vector<double>& sums);

// Calls `work` for each index below `count`. A call computes `products`
// products. If all calls together are worth it, they are divided among the
// processors of this machine, so `work` must be able to run on several threads.
void ForEachInParallel(int64_t count, int64_t products,
                       const std::function<void(int64_t)>& work);

}  // namespace assay::graph::reference

#endif  // ASSAY_COMPILER_GRAPH_REFERENCE_SUMS_H_
