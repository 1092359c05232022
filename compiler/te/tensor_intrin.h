// TensorIntrin: one or a few instructions that compute a small tensor, declared
// by their semantics (a tensor expression) and their implementation.
//
//   // c[i, j] += a[i, k] * b[k, j], 4 x 4 x 4, rows of b and c in vectors
//   TensorIntrin gemm;
//   gemm.name = "gemm_4x4x4";
//   gemm.compute = Compute({4, 4}, "c", …Sum(a(i, k) * b(k, j), {k})…);
//   gemm.strides = {{}, {0, 1}, {0, 1}};
//   gemm.update = [](const IntrinOperand& c, const auto& in) { … };
//
// The schedule primitive `tensorize` replaces loops that compute the same on
// parts of larger tensors, after checking that they match. The implementation
// consists of stores of expressions to the buffers of those parts.
#ifndef ASSAY_COMPILER_TE_TENSOR_INTRIN_H_
#define ASSAY_COMPILER_TE_TENSOR_INTRIN_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compiler/te/tensor.h"

namespace assay::te {

// The part of a buffer that corresponds to one tensor of the declaration.
// Buffers are addressed by one index, in elements.
struct IntrinOperand {
  expr::Buffer buffer;
  Expr base;                     // index of the element at 0, 0, …
  std::vector<int64_t> strides;  // one per dimension of the declared tensor

  // The buffer index of an element of the declared tensor.
  Expr At(const std::vector<int64_t>& indices) const;
  // Loads that element, or `lanes` consecutive elements of the buffer.
  Expr LoadAt(const std::vector<int64_t>& indices, int lanes = 1) const;
};

// A store to the output's buffer; the index may be a Ramp.
struct IntrinStore {
  Expr index, value;
};

// `inputs` are in the order of InputsOf(compute). The stores execute in order.
using IntrinBody = std::function<std::vector<IntrinStore>(
    const IntrinOperand& output, const std::vector<IntrinOperand>& inputs)>;

struct TensorIntrin {
  // May contain letters, digits, `_` and `.`.
  std::string name;
  // A Compute over placeholders. Each index of a Read is an axis or a reduction
  // axis, and no placeholder is read twice.
  Tensor compute;
  // Required strides of the inputs and then of the output; 0 accepts any
  // stride, and an empty list any strides of that operand.
  std::vector<std::vector<int64_t>> strides;

  // Computes the output. Optional if init and update are set.
  IntrinBody body;
  // For a reduction: accumulates into the output, which `init`, or ordinary
  // loops if there is none, initialized to the identity.
  IntrinBody update, init;

  // CHECK-fails if the declaration violates the rules above.
  void Check() const;
};

}  // namespace assay::te

#endif  // ASSAY_COMPILER_TE_TENSOR_INTRIN_H_
