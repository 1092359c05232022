#include "compiler/graph/op/winograd.h"

#include <algorithm>
#include <array>
#include <vector>

#include "compiler/graph/reference/layout.h"
#include "compiler/graph/reference/rules.h"
#include "compiler/graph/reference/winograd_conv.h"

namespace assay::graph::reference {
namespace {

constexpr int64_t kMaxTaps = 8 * 8;
using Tile = std::array<double, kMaxTaps>;

// matrix * x * transpose(matrix), x square; all row-major and dense.
Tile Sandwich(const Matrix& matrix, const double* x) {
  const int64_t rows = matrix.rows, columns = matrix.columns;
  Tile half, result;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < columns; ++k) {
        sum += matrix.at(i, k) * x[k * columns + j];
      }
      half[i * columns + j] = sum;
    }
  }
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < rows; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < columns; ++k) {
        sum += half[i * columns + k] * matrix.at(j, k);
      }
      result[i * rows + j] = sum;
    }
  }
  return result;
}

// The element of plain [N, C, H, W], zero outside of the image.
double PixelOrZero(const NDArray& x, int64_t plane, int64_t row,
                   int64_t column) {
  const int64_t height = x.shape()[2], width = x.shape()[3];
  if (row < 0 || row >= height || column < 0 || column >= width) return 0;
  return x.data<float>()[(plane * height + row) * width + column];
}

}  // namespace

Result WinogradWeights(const Node& node, Operands in) {
  const auto& attrs = node.attrs_as<WinogradWeightsAttrs>();
  const NDArray& weights = in[0];
  const TensorType& type = node.type();
  const WinogradMatrices& w = *FindWinograd(attrs.m);
  const int64_t filters = weights.shape()[0], channels = weights.shape()[1];
  NDArray result(DType::Float32(), type.shape);
  const float* g = weights.data<float>().data();
  float* y = result.data<float>().data();
  for (int64_t o = 0; o < filters; ++o) {
    for (int64_t c = 0; c < channels; ++c) {
      double filter[9];
      std::copy_n(g + (o * channels + c) * 9, 9, filter);
      const Tile u = Sandwich(w.filter, filter);
      const int64_t place =
          (o / attrs.block * channels + c) * attrs.block + o % attrs.block;
      for (int64_t i = 0; i < w.alpha * w.alpha; ++i) {
        y[i * filters * channels + place] = static_cast<float>(u[i]);
      }
    }
  }
  return result;
}

NDArray WinogradConv2d(const Conv2dAttrs& attrs, const NDArray& data,
                       const NDArray& weights, const TensorType& type) {
  const WinogradMatrices& w = *FindWinograd(attrs.winograd);
  const NDArray x = ConvertLayout(data, attrs.in_block, 0);
  const int64_t images = x.shape()[0], channels = x.shape()[1];
  const int64_t filters = type.shape[1] * attrs.out_block;
  const int64_t height = type.shape[2], width = type.shape[3];
  const int64_t block = weights.shape()[4];
  const int64_t taps = w.alpha * w.alpha;
  const float* u = weights.data<float>().data();
  NDArray plain(DType::Float32(), {images, filters, height, width});
  float* y = plain.data<float>().data();
  std::vector<double> sums(filters * taps);
  Tile d;

  // All filters of the tile whose first pixel is (top, left) of image `n`.
  const auto compute = [&](int64_t n, int64_t top, int64_t left) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (int64_t c = 0; c < channels; ++c) {
      for (int64_t i = 0; i < taps; ++i) {
        d[i] = PixelOrZero(x, n * channels + c,
                           top + i / w.alpha - attrs.padding[0],
                           left + i % w.alpha - attrs.padding[1]);
      }
      const Tile v = Sandwich(w.input, d.data());
      for (int64_t o = 0; o < filters; ++o) {
        const int64_t place = (o / block * channels + c) * block + o % block;
        for (int64_t i = 0; i < taps; ++i) {
          sums[o * taps + i] += v[i] * u[i * filters * channels + place];
        }
      }
    }
    for (int64_t o = 0; o < filters; ++o) {
      const Tile tile = Sandwich(w.output, sums.data() + o * taps);
      for (int64_t i = 0; i < w.m && top + i < height; ++i) {
        for (int64_t j = 0; j < w.m && left + j < width; ++j) {
          y[((n * filters + o) * height + top + i) * width + left + j] =
              static_cast<float>(tile[i * w.m + j]);
        }
      }
    }
  };

  for (int64_t n = 0; n < images; ++n) {
    for (int64_t top = 0; top < height; top += w.m) {
      for (int64_t left = 0; left < width; left += w.m) compute(n, top, left);
    }
  }
  return ConvertLayout(plain, 0, attrs.out_block);
}

}  // namespace assay::graph::reference
