// The problems for which kernels are compared with references: matrix products
// of float32 or 8-bit integers, and float32 convolutions. GemmModel() and
// ConvModel() convert them to small ONNX models, as an exporter would write
// them.
#ifndef ASSAY_SUITES_REFERENCES_PROBLEM_H_
#define ASSAY_SUITES_REFERENCES_PROBLEM_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/shape.h"

namespace assay::suites {

// The matrix product C[m,n] = A[m,k] B[k,n]; all matrices are row-major.
// Neither operand is constant, so operands cannot be packed in advance.
struct GemmProblem {
  int64_t m = 1;
  int64_t n = 1;
  int64_t k = 1;
  // If true, A is uint8, B is int8 and C is int32. If false, all matrices are
  // float32.
  bool int8 = false;

  // Element types, for Parity::precision.
  std::string precision() const { return int8 ? "uint8 x int8" : "float32"; }
  // Number of multiplications and additions, of floats or of integers.
  double flops() const { return 2.0 * m * n * k; }
};

// If GemmProblem::int8 is true, the values must be in [0, 127] in `a` and in
// [-127, 127] in `b`: on processors without VNNI instructions, oneDNN adds two
// products in 16 bits, and the sum could saturate for larger values.
struct GemmOperands {
  NDArray a;  // [m,k]
  NDArray b;  // [k,n]
};

// A two-dimensional convolution of one image with constant weights. Window,
// stride, padding and dilation are equal on both axes.
struct ConvProblem {
  int64_t in_channels = 1;
  int64_t height = 1;
  int64_t width = 1;
  int64_t out_channels = 1;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t padding = 0;
  int64_t dilation = 1;
  int64_t groups = 1;
  // If true, a bias per output channel is added, and ReLU is applied.
  bool bias_relu = false;

  int64_t out_height() const { return OutExtent(height); }
  int64_t out_width() const { return OutExtent(width); }
  bool depthwise() const { return groups > 1 && groups == in_channels; }
  // Element types, for Parity::precision.
  std::string precision() const { return "float32"; }
  // Number of multiplications and additions, without bias and ReLU.
  double flops() const {
    return 2.0 * out_channels * out_height() * out_width() *
           (in_channels / groups) * kernel * kernel;
  }
  Shape data_shape() const { return {1, in_channels, height, width}; }
  Shape weight_shape() const {
    return {out_channels, in_channels / groups, kernel, kernel};
  }
  Shape out_shape() const {
    return {1, out_channels, out_height(), out_width()};
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

// Returns an operand with uniform random values, which depend on `seed` and
// `name`: floats in [-1, 1], signed bytes in [-127, 127] and unsigned bytes in
// [0, 127].
NDArray UniformOperand(const Shape& shape, uint64_t seed,
                       absl::string_view name, DType dtype = DType::Float32());

// Returns the model of a matrix product as the content of an ONNX file. It has
// two inputs, `a` and `b`, and the output `out`. Products of 8-bit integers use
// MatMulInteger without zero points.
std::string GemmModel(const GemmProblem& problem);
// Returns the model of a convolution as the content of an ONNX file. It has one
// input, `data`, and the output `out`; weights and bias are constants. If
// `problem.bias_relu` is true, Conv has a bias, and Relu follows Conv.
std::string ConvModel(const ConvProblem& problem, const ConvOperands& operands);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_PROBLEM_H_
