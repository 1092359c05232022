// Winograd: the matrices of the minimal filtering algorithms F(m x m, 3 x 3).
//
// The algorithms compute a 3 x 3 convolution with stride 1. The output is
// divided into tiles of m x m pixels. An output tile Y depends on an input tile
// d of a x a pixels, where a = m + 2, and on the filter g:
//
//   Y = A [ (G g G^T) * (B d B^T) ] A^T
//
// where * multiplies element by element, with a^2 multiplications. Direct
// summation takes 9 m^2 multiplications. B is a x a, G is a x 3 and A is m x a.
// In the paper, B^T and A^T are the matrices that this file calls B and A. A
// convolution also sums the products over the input channels. At each of the
// a^2 positions of a tile, the sums for all tiles and all filters form one
// matrix product.
//
// The interpolation points are 0, 1, -1 and infinity, for m >= 4 also 2 and -2,
// and for m = 6 also 1/2 and -1/2. Larger points lead to larger intermediate
// values and therefore to more cancellation. Relative to the largest output,
// errors are about 1e-6 for m = 2, 1e-5 for m = 4 and 1e-4 for m = 6. The error
// of direct summation is about 1e-6.
//
// Source: A. Lavin and S. Gray, "Fast Algorithms for Convolutional Neural
// Networks", 2015.
#ifndef ASSAY_COMPILER_GRAPH_ENCODING_WINOGRAD_H_
#define ASSAY_COMPILER_GRAPH_ENCODING_WINOGRAD_H_

#include <cstdint>

#include "absl/types/span.h"

namespace assay::graph {

// A dense matrix in row-major order. `values` is not owned.
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

#endif  // ASSAY_COMPILER_GRAPH_ENCODING_WINOGRAD_H_
