// The kernels that are compared with references: a matrix product of float32
// or 8-bit integers, and a float32 convolution.
#ifndef ASSAY_SUITES_REFERENCES_PROBLEM_H_
#define ASSAY_SUITES_REFERENCES_PROBLEM_H_

#include <cstdint>

#include "runtime/base/ndarray.h"
#include "runtime/base/shape.h"

namespace assay::suites {

// C[m,n] = A[m,k] B[k,n], all row-major. Neither operand is constant, so none
// can be packed in advance.
struct GemmProblem {
  int64_t m = 1;
  int64_t n = 1;
  int64_t k = 1;
  // A is uint8, B is int8 and C is int32 instead of float32.
  bool int8 = false;

  // Number of operations, also if they are on integers.
  double flops() const { return 2.0 * m * n * k; }
};

struct GemmOperands {
  NDArray a;  // [m,k]
  NDArray b;  // [k,n]; with int8 both operands have 7-bit values, because on
              // processors without VNNI instructions oneDNN's sums of two
              // products would saturate
};

// A two-dimensional convolution with square window, stride and padding and
// constant weights.
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
  // Number of multiplications and additions, without the epilogue.
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
