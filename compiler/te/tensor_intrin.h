// TensorIntrin: an instruction, or a few, that computes a small tensor at once,
// declared by what it computes and by how it is written.
//
//   // c[i, j] += a[i, k] * b[k, j], 4 x 4 x 4, rows of b and c in vectors
//   TensorIntrin gemm;
//   gemm.name = "gemm_4x4x4";
//   gemm.compute = Compute({4, 4}, "c", …Sum(a(i, k) * b(k, j), {k})…);
//   gemm.strides = {{}, {0, 1}, {0, 1}};
//   gemm.update = [](const IntrinOperand& c, const auto& in) { … };
//
// The schedule's `tensorize` puts it in place of loops that compute the same on
// parts of larger tensors, after checking that they do. What stands there is
// then written as stores of expressions on the buffers those parts are in.
#ifndef ASSAY_COMPILER_TE_TENSOR_INTRIN_H_
#define ASSAY_COMPILER_TE_TENSOR_INTRIN_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compiler/te/tensor.h"

namespace assay::te {

// The part of a buffer that one tensor of the declaration stands for. Buffers
// are addressed by one index, in elements.
struct IntrinOperand {
  expr::Buffer buffer;
  Expr base;                     // of the element at 0, 0, …
  std::vector<int64_t> strides;  // one per dimension of the declared tensor

  // The index of an element of the declared tensor.
  Expr At(const std::vector<int64_t>& indices) const;
  // The element there, or `lanes` consecutive elements of the buffer.
  Expr LoadAt(const std::vector<int64_t>& indices, int lanes = 1) const;
};

// A store to the output's buffer; the index may be a Ramp.
struct IntrinStore {
  Expr index, value;
};

// `inputs` in the order of InputsOf(compute). The stores are done in order.
using IntrinBody = std::function<std::vector<IntrinStore>(
    const IntrinOperand& output, const std::vector<IntrinOperand>& inputs)>;

struct TensorIntrin {
  // Letters, digits, `_` and `.`.
  std::string name;
  // A Compute of placeholders. Each index of a Read is one of the axes or
  // reduce axes, and no placeholder is read twice.
  Tensor compute;
  // The strides that the instruction asks for, of the inputs and then of the
  // output, 0 for any; none for an operand: any.
  std::vector<std::vector<int64_t>> strides;

  // Computes the output. Need not be there where init and update are.
  IntrinBody body;
  // For a reduction: adds to the output, which `init`, or loops where there is
  // none, set to the identity before.
  IntrinBody update, init;

  // CHECK-fails if the declaration is not as said above.
  void Check() const;
};

}  // namespace assay::te

#endif  // ASSAY_COMPILER_TE_TENSOR_INTRIN_H_
