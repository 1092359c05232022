// Small tensor programs for tests of lowering.
#ifndef ASSAY_COMPILER_LOWER_TEST_PROGRAMS_H_
#define ASSAY_COMPILER_LOWER_TEST_PROGRAMS_H_

#include <cstdint>
#include <vector>

#include "compiler/te/tensor.h"

namespace assay::lower {

struct TestProgram {
  std::vector<te::Tensor> inputs, outputs;
};

// Computes b[i] = a[i] + 1 and c[i] = b[i] * 2 for vectors of `n` elements.
TestProgram Chain(int64_t n);

// Computes b[i] = a[i] * a[i], where a and b have n + 2 elements, and
// c[i] = b[i] + b[i + 1] + b[i + 2], where c has n elements.
TestProgram Blur(int64_t n);

// Computes c[y, x] = sum over r < k of a[y, r] * b[r, x], where c is n x m.
TestProgram Matmul(int64_t n, int64_t k, int64_t m);

// Computes the maximum of an n x m matrix. The result is a tensor of rank 0.
TestProgram MaxOfAll(int64_t n, int64_t m);

// The sizes of Convolution(). The layout of data and result is NCHWc (channels
// in blocks).
struct ConvolutionShape {
  int64_t batch = 1;
  // Number of blocks of input channels. There are as many blocks of output
  // channels.
  int64_t channels = 2;
  int64_t size = 5;    // height and width of the input
  int64_t block = 4;   // number of channels in a block
  int64_t kernel = 3;  // height and width of the filters
  int64_t stride = 1;
  int64_t padding = 1;
  bool residual = false;  // if true, a residual tensor is added

  int64_t OutputSize() const {
    return (size + 2 * padding - kernel) / stride + 1;
  }
};
// Computes a convolution with an epilogue, in these stages:
//   pad -> conv -> biased = conv + bias -> out = max(biased + residual, 0)
// The inputs are data, weight, bias and, if shape.residual is true, residual.
// Without a residual, out = max(biased, 0).
TestProgram Convolution(const ConvolutionShape& shape);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_TEST_PROGRAMS_H_
