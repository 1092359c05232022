#include "compiler/graph/infer/expect.h"
#include "compiler/graph/infer/infer_types.h"
#include "compiler/graph/infer/rules.h"
#include "runtime/base/status_macros.h"

namespace assay::graph::infer {
namespace {

// Accumulator type of a matrix product, which also accepts two operands of one
// wide type.
absl::StatusOr<DType> MatrixSumType(Types inputs) {
  const DType a = inputs[0].dtype;
  const bool is_wide = a == DType::Float64() ||
                       (!a.is_float() && !a.is_bool() && a.bits() >= 32);
  if (!is_wide || inputs[1].dtype != a) return DotProductType(inputs);
  return a;
}

}  // namespace

Result Dense(OpKind, const NoAttrs &, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 2));
  ASSAY_ASSIGN_OR_RETURN(const DType sum, MatrixSumType(inputs));
  if (inputs[0].rank() != 2 || inputs[1].rank() != 2 ||
      inputs[0].shape[1] != inputs[1].shape[1]) {
    return Invalid("operands are ", inputs[0].ToString(), " and ",
                   inputs[1].ToString(), " but [n,k] and [m,k] are needed");
  }
  return TensorType{sum, {inputs[0].shape[0], inputs[1].shape[0]}};
}

Result Matmul(OpKind, const NoAttrs &, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 2));
  ASSAY_ASSIGN_OR_RETURN(const DType sum, MatrixSumType(inputs));
  const TensorType &a = inputs[0], &b = inputs[1];
  if (a.rank() < 2 || b.rank() < 2 ||
      a.shape[a.rank() - 1] != b.shape[b.rank() - 2]) {
    return Invalid("operands are ", a.ToString(), " and ", b.ToString(),
                   " but [...,m,k] and [...,k,n] are needed");
  }
  ASSAY_ASSIGN_OR_RETURN(
      Shape shape, BroadcastShapes(Shape(a.shape.begin(), a.shape.end() - 2),
                                   Shape(b.shape.begin(), b.shape.end() - 2)));
  shape.push_back(a.shape[a.rank() - 2]);
  shape.push_back(b.shape[b.rank() - 1]);
  return TensorType{sum, shape};
}

}  // namespace assay::graph::infer
