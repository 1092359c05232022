// The kernels that are measured against references: a matrix product of float32
// or of bytes, and a convolution of float32.
#ifndef ASSAY_SUITES_REFERENCES_PROBLEM_H_
#define ASSAY_SUITES_REFERENCES_PROBLEM_H_

#include <cstdint>

#include "runtime/base/ndarray.h"
#include "runtime/base/shape.h"

namespace assay::suites {

// C[m,n] = A[m,k] B[k,n], all row-major and both operands known only at run
// time, so that nobody packs one of them beforehand.
struct GemmProblem {
  int64_t m = 1;
  int64_t n = 1;
  int64_t k = 1;
  // A of uint8, B of int8 and C of int32 instead of float32.
  bool int8 = false;

  // Operations, on whichever numbers.
  double flops() const { return 2.0 * m * n * k; }
};

struct GemmOperands {
  NDArray a;  // [m,k]
  NDArray b;  // [k,n]; both of seven bits where they are bytes: on processors
              // without instructions for bytes oneDNN's sums of two products
              // would saturate
};

// A two-dimensional convolution, square in window, stride and padding as all
// those of the networks are that we compare. The weights are known beforehand.
struct ConvProblem {
  int64_t batch = 1;
  int64_t in_channels = 1;
  int64_t height = 1;
  int64_t width = 1;
  int64_t out_channels = 1;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t padding = 0;
  int64_t dilation = 1;
  int64_t groups = 1;
  // Adds a bias per output channel and clips at zero.
  bool bias_relu = false;

  int64_t out_height() const { return OutExtent(height); }
  int64_t out_width() const { return OutExtent(width); }
  bool depthwise() const { return groups > 1 && groups == in_channels; }
  // Of the products and their sums; the epilogue is not counted.
  double flops() const {
    return 2.0 * batch * out_channels * out_height() * out_width() *
           (in_channels / groups) * kernel * kernel;
  }
  Shape data_shape() const { return {batch, in_channels, height, width}; }
  Shape weight_shape() const {
    return {out_channels, in_channels / groups, kernel, kernel};
  }
  Shape out_shape() const {
    return {batch, out_channels, out_height(), out_width()};
  }

 private:
  int64_t OutExtent(int64_t extent) const {
    return (extent + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1;
  }
};

struct ConvOperands {
  NDArray data;     // data_shape()
  NDArray weights;  // weight_shape()
  NDArray bias;     // [out_channels]; unused without bias_relu
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_PROBLEM_H_
