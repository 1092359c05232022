// The sums of products of convolutions and matrix products.
//
// These operators take nearly all of the time of the interpreter. Their sums
// are therefore computed in tiles that stay in registers, with the vector
// instructions of this machine, and in blocks whose factors stay in its caches.
// Each sum is a double to which the products are added one after the other, in
// the order of the steps, so that it has the same bits on every machine.
//
// A caller divides its results into blocks of at most kBlockRows rows and
// kBlockColumns columns, and its steps into blocks of kBlockSteps:
//
//   BlockSums sums(rows, columns);
//   for (int64_t k = 0; k < depth; k += kBlockSteps) {
//     const int64_t steps = std::min(kBlockSteps, depth - k);
//     ... store the factors of the columns in sums.Panel(steps) ...
//     sums.Add(a + k, stride, steps);
//   }
//   ... read sums.At(row, column) ...
#ifndef ASSAY_COMPILER_GRAPH_REFERENCE_SUMS_H_
#define ASSAY_COMPILER_GRAPH_REFERENCE_SUMS_H_

#include <cstdint>
#include <functional>
#include <vector>

namespace assay::graph::reference {

// The number of adjacent columns whose sums are one vector.
constexpr int64_t kLanes = 8;

// Maximum sizes of a block. The panel of a block has 128 KiB, and so have its
// sums.
constexpr int64_t kBlockRows = 256;
constexpr int64_t kBlockColumns = 64;
constexpr int64_t kBlockSteps = 256;

class BlockSums {
 public:
  // All sums are 0.
  BlockSums(int64_t rows, int64_t columns);

  // Returns the memory for `steps` factors of each column, filled with zeros.
  // The factor of `column` in `step` has the index PanelIndex().
  double* Panel(int64_t steps);
  static int64_t PanelIndex(int64_t column, int64_t step, int64_t steps) {
    return (column / kLanes * steps + step) * kLanes + column % kLanes;
  }

  // Adds for each row r and column c the products
  //   a[r * stride + t] * (factor of column c in step t)
  // of all steps t of the panel. `steps` is the argument of Panel().
  void Add(const double* a, int64_t stride, int64_t steps);

  double At(int64_t row, int64_t column) const {
    return sums_[(row * vectors_ + column / kLanes) * kLanes + column % kLanes];
  }

 private:
  const int64_t rows_;
  const int64_t vectors_;  // of kLanes columns
  std::vector<double> panel_;
  std::vector<double> sums_;
};

// Calls `work` for each index below `count`. A call computes `products`
// products. If all calls together are worth it, they are divided among the
// processors of this machine, so `work` must be able to run on several threads.
void ForEachInParallel(int64_t count, int64_t products,
                       const std::function<void(int64_t)>& work);

}  // namespace assay::graph::reference

#endif  // ASSAY_COMPILER_GRAPH_REFERENCE_SUMS_H_
