// Constant. The value is in one of several attributes; opset 12 added the ones
// that hold plain numbers.
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/tensor.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

// The values found so far. A Constant has exactly one.
struct Found {
  std::vector<NDArray> values;

  template <typename T>
  void AddScalar(const std::optional<T>& value) {
    if (value) values.push_back(NDArray::FromVector<T>({}, {*value}));
  }
  template <typename T>
  void AddVector(const std::optional<std::vector<T>>& value) {
    if (!value) return;
    const int64_t size = value->size();
    values.push_back(NDArray::FromVector<T>({size}, *value));
  }
};

absl::Status ReadNumbers(Attributes& attributes, Found* found) {
  ASSAY_ASSIGN_OR_RETURN(const auto f, attributes.OptionalFloat("value_float"));
  found->AddScalar(f);
  ASSAY_ASSIGN_OR_RETURN(const auto fs,
                         attributes.OptionalFloats("value_floats"));
  found->AddVector(fs);
  ASSAY_ASSIGN_OR_RETURN(const auto i, attributes.OptionalInt("value_int"));
  found->AddScalar(i);
  ASSAY_ASSIGN_OR_RETURN(const auto is, attributes.OptionalInts("value_ints"));
  found->AddVector(is);
  return absl::OkStatus();
}

absl::Status ImportConstant(OpImport& op) {
  Found found;
  ASSAY_ASSIGN_OR_RETURN(const onnx::TensorProto* tensor,
                         op.attributes().OptionalTensor("value"));
  if (tensor != nullptr) {
    const auto value = ReadTensor(*tensor, op.folder(), op.max_bytes());
    if (!value.ok()) return Annotate(value.status(), "attribute `value`");
    found.values.push_back(*value);
  }
  if (op.opset() >= 12) {
    ASSAY_RETURN_IF_ERROR(ReadNumbers(op.attributes(), &found));
  }
  // Reports an unsupported attribute before a missing value.
  ASSAY_RETURN_IF_ERROR(op.attributes().CheckAllRead(op.opset()));
  if (found.values.size() != 1) {
    return Malformed("has ", found.values.size(),
                     " values but exactly one is needed; attribute `value` "
                     "holds a tensor");
  }
  return op.SetResult(op.AddConstant(found.values[0]));
}

constexpr OperatorRow kOperators[] = {
    {"Constant", 1, 25, 0, 0, 1, ImportConstant},
};

}  // namespace

absl::Span<const OperatorRow> ConstantOperators() { return kOperators; }

}  // namespace assay::frontend
