// TensorIntrin: one or a few instructions that compute a small tensor. It is
// declared by a tensor expression, which defines what the instructions compute,
// and by functions that emit them.
//
//   // c[i, j] += a[i, k] * b[k, j] for extents 4, 4, 4; the elements of a row
//   // of b or c are adjacent in memory (stride 1)
//   TensorIntrin gemm;
//   gemm.name = "gemm_4x4x4";
//   gemm.compute = Compute({4, 4}, "c", …Sum(a(i, k) * b(k, j), {k})…);
//   gemm.strides = {{}, {0, 1}, {0, 1}};
//   gemm.update = [](const IntrinOperand& c, const auto& in) { … };
//
// The schedule primitive `tensorize` replaces loops over parts of larger
// tensors by the intrinsic, after checking that the loops compute the declared
// expression. The emitted code consists of stores to the buffer of the output.
#ifndef ASSAY_COMPILER_TE_TENSOR_INTRIN_H_
#define ASSAY_COMPILER_TE_TENSOR_INTRIN_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compiler/te/tensor.h"

namespace assay::te {

// The part of a buffer that corresponds to one declared tensor (a tensor in the
// expression of the intrinsic). Buffer indices count elements of the flat
// buffer.
struct IntrinOperand {
  expr::Buffer buffer;
  Expr base;  // buffer index of the declared tensor's element at 0, 0, …
  std::vector<int64_t> strides;  // one per dimension of the declared tensor

  // Returns the buffer index of the element at `indices` of the declared
  // tensor.
  Expr At(const std::vector<int64_t>& indices) const;
  // Returns a load of `lanes` consecutive elements of the buffer, starting with
  // the element at `indices` of the declared tensor.
  Expr LoadAt(const std::vector<int64_t>& indices, int lanes = 1) const;
  // Returns the buffer indices, as a vector, of the first `lanes` consecutive
  // elements of each of the first `rows` rows. Rows are apart by strides[0].
  Expr RowsAt(int rows, int lanes) const;
};

// A store of `value` to the buffer of the output. `index` is a buffer index; it
// may be a Ramp.
struct IntrinStore {
  Expr index, value;
};

// Returns the stores to emit, which are executed in order. `inputs` are in the
// order of InputsOf(TensorIntrin::compute).
using IntrinBody = std::function<std::vector<IntrinStore>(
    const IntrinOperand& output, const std::vector<IntrinOperand>& inputs)>;

struct TensorIntrin {
  // The name consists of letters, digits, `_` and `.`.
  std::string name;
  // The declaration: a Compute that reads only placeholders. Each index of a
  // Read must be an axis or a reduce axis. No placeholder may be read twice.
  Tensor compute;
  // The required strides of each operand: first the inputs, then the output. A
  // stride of 0 accepts any stride, and an empty list accepts any strides of
  // the operand. If `strides` is empty, the strides of all operands are
  // arbitrary.
  std::vector<std::vector<int64_t>> strides;

  // Emits stores that compute the output. It may be null only for a reduction
  // with `update`.
  IntrinBody body;
  // These functions are used only for reductions, and each of them may be null.
  // `update` emits stores that accumulate into the output; `init` emits stores
  // that set the output to the identity element of the reduction. Without
  // `init`, ordinary loops initialize the output. Without `update`, no reduce
  // loop may enclose the intrinsic.
  IntrinBody update, init;

  // CHECK-fails if there is no implementation, or if `compute` or `strides`
  // violates the rules above. Does not check the name.
  void Check() const;
};

}  // namespace assay::te

#endif  // ASSAY_COMPILER_TE_TENSOR_INTRIN_H_
