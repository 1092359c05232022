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

// b[i] = a[i] + 1; c[i] = b[i] * 2.
TestProgram Chain(int64_t n);

// b[i] = a[i] * a[i], n + 2 elements; c[i] = b[i] + b[i + 1] + b[i + 2].
TestProgram Blur(int64_t n);

// c[y, x] = sum(a[y, r] * b[r, x], r < k).
TestProgram Matmul(int64_t n, int64_t k, int64_t m);

// A reduction to a tensor of rank 0.
TestProgram MaxOfAll(int64_t n, int64_t m);

// A blocked (NCHWc) convolution with its epilogue:
//   pad -> conv -> biased -> out = max(biased + residual, 0)
struct ConvolutionShape {
  int64_t batch = 1;
  int64_t channels = 2;  // number of blocks of input and of output channels
  int64_t size = 5;      // height and width of the input
  int64_t block = 4;     // channels in a block
  int64_t kernel = 3;
  int64_t stride = 1;
  int64_t padding = 1;
  bool residual = false;

  int64_t OutputSize() const {
    return (size + 2 * padding - kernel) / stride + 1;
  }
};
// inputs: data, weight, bias and, if requested, residual.
TestProgram Convolution(const ConvolutionShape& shape);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_TEST_PROGRAMS_H_
