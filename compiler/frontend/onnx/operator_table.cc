#include "compiler/frontend/onnx/operator_table.h"

#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"

namespace assay::frontend {
namespace {

constexpr int kAny = -1;

constexpr OperatorRow kOperators[] = {
    {"Add", 7, 21, 2, 2, 1, ImportAdd},
    {"BatchNormalization", 7, 13, 5, 5, 5, ImportBatchNormalization},
    {"BatchNormalization", 14, 21, 5, 5, 3, ImportBatchNormalization},
    {"Concat", 7, 21, 1, kAny, 1, ImportConcat},
    {"Constant", 7, 21, 0, 0, 1, ImportConstant},
    {"Conv", 7, 21, 2, 3, 1, ImportConv},
    {"Dropout", 7, 11, 1, 1, 2, ImportDropoutRatioAttribute},
    {"Dropout", 12, 21, 1, 3, 2, ImportDropoutRatioInput},
    {"Flatten", 7, 21, 1, 1, 1, ImportFlatten},
    {"Gather", 7, 21, 2, 2, 1, ImportGather},
    {"Gemm", 7, 10, 3, 3, 1, ImportGemm},
    {"Gemm", 11, 21, 2, 3, 1, ImportGemm},
    {"GlobalAveragePool", 7, 21, 1, 1, 1, ImportGlobalAveragePool},
    {"Identity", 7, 21, 1, 1, 1, ImportIdentity},
    {"MatMul", 7, 21, 2, 2, 1, ImportMatMul},
    {"MaxPool", 7, 7, 1, 1, 1, ImportMaxPool},
    {"MaxPool", 8, 21, 1, 1, 2, ImportMaxPool},
    {"Mul", 7, 21, 2, 2, 1, ImportMul},
    {"Relu", 7, 21, 1, 1, 1, ImportRelu},
    {"Reshape", 7, 21, 2, 2, 1, ImportReshape},
    {"Shape", 7, 21, 1, 1, 1, ImportShape},
    {"Squeeze", 7, 12, 1, 1, 1, ImportSqueezeAxesAttribute},
    {"Squeeze", 13, 21, 1, 2, 1, ImportSqueezeAxesInput},
    {"Transpose", 7, 21, 1, 1, 1, ImportTranspose},
    {"Unsqueeze", 7, 12, 1, 1, 1, ImportUnsqueezeAxesAttribute},
    {"Unsqueeze", 13, 21, 2, 2, 1, ImportUnsqueezeAxesInput},
};

}  // namespace

absl::Span<const OperatorRow> OperatorTable() { return kOperators; }

absl::StatusOr<const OperatorRow*> FindOperator(absl::string_view op_type,
                                                int opset) {
  for (const OperatorRow& row : kOperators) {
    if (op_type == row.op_type && opset >= row.min_opset &&
        opset <= row.max_opset) {
      return &row;
    }
  }
  return Unsupported("operator ", Quote(op_type), " is not supported in opset ",
                     opset);
}

}  // namespace assay::frontend
