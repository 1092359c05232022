// Winograd: the matrices of the minimal filtering algorithms F(m x m, 3 x 3).
//
// An output tile Y of m x m pixels of a 3 x 3 convolution with stride 1 follows
// from the input tile d of a x a pixels, a = m + 2, that it covers, and the
// filter g:
//
//   Y = A [ (G g G^T) * (B d B^T) ] A^T        (* element by element)
//
// with a^2 multiplications instead of 9 m^2. B is a x a, G is a x 3 and A is
// m x a here (B and A are what the paper calls B^T and A^T). Summed over the
// input channels, * becomes a^2 independent matrix products.
//
// The interpolation points are 0, 1, -1, then 2, -2 (m = 4) and 1/2, -1/2
// (m = 6), and infinity. Larger points make larger intermediate values, of
// which more digits cancel: errors relative to the largest output are about
// 1e-6 for m = 2, 1e-5 for m = 4 and 1e-4 for m = 6; direct summation has 1e-6.
//
// Source: A. Lavin and S. Gray, "Fast Algorithms for Convolutional Neural
// Networks", 2015.
#ifndef ASSAY_COMPILER_GRAPH_OP_WINOGRAD_H_
#define ASSAY_COMPILER_GRAPH_OP_WINOGRAD_H_

#include <cstdint>

#include "absl/types/span.h"

namespace assay::graph {

// Row-major, dense.
struct Matrix {
  int64_t rows = 0, columns = 0;
  absl::Span<const double> values;

  double at(int64_t row, int64_t column) const {
    return values[row * columns + column];
  }
};

struct WinogradMatrices {
  int64_t m = 0;      // extent of an output tile
  int64_t alpha = 0;  // extent of an input tile
  Matrix input;       // B: alpha x alpha
  Matrix filter;      // G: alpha x 3
  Matrix output;      // A: m x alpha
};

inline constexpr int64_t kWinogradTiles[] = {2, 4, 6};

// Returns null if `m` is not one of kWinogradTiles.
const WinogradMatrices* FindWinograd(int64_t m);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_OP_WINOGRAD_H_
