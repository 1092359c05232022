#include "compiler/frontend/onnx/operator_table.h"

#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"

namespace assay::frontend {
namespace {

using graph::OpKind;

constexpr int kAny = -1;

constexpr OperatorRow kOperators[] = {
    {"Abs", 7, 21, 1, 1, 1, ImportSame<OpKind::kAbs>},
    {"Add", 6, 6, 2, 2, 1, ImportBinaryOpset6<OpKind::kAdd>},
    {"Add", 7, 21, 2, 2, 1, ImportSame<OpKind::kAdd>},
    {"ArgMax", 7, 21, 1, 1, 1, ImportArgMax},
    {"ArgMin", 7, 21, 1, 1, 1, ImportArgMin},
    {"AveragePool", 7, 21, 1, 1, 1, ImportAveragePool},
    {"BatchNormalization", 7, 13, 5, 5, 5, ImportBatchNormalization},
    {"BatchNormalization", 14, 21, 5, 5, 3, ImportBatchNormalization},
    {"Cast", 7, 21, 1, 1, 1, ImportCast},
    {"Ceil", 7, 21, 1, 1, 1, ImportSame<OpKind::kCeil>},
    {"Celu", 12, 21, 1, 1, 1, ImportCelu},
    {"Clip", 7, 10, 1, 1, 1, ImportClipAttributes},
    {"Clip", 11, 21, 1, 3, 1, ImportClipInputs},
    {"Concat", 7, 21, 1, kAny, 1, ImportConcat},
    {"Constant", 7, 21, 0, 0, 1, ImportConstant},
    {"Conv", 7, 21, 2, 3, 1, ImportConv},
    {"ConvInteger", 10, 21, 2, 4, 1, ImportConvInteger},
    {"ConvTranspose", 7, 21, 2, 3, 1, ImportConvTranspose},
    {"DequantizeLinear", 10, 21, 2, 3, 1, ImportDequantizeLinear},
    {"Det", 11, 21, 1, 1, 1, ImportDet},
    {"Div", 6, 6, 2, 2, 1, ImportBinaryOpset6<OpKind::kDivide>},
    {"Div", 7, 21, 2, 2, 1, ImportSame<OpKind::kDivide>},
    {"Dropout", 6, 6, 1, 1, 2, ImportDropoutOpset6},
    {"Dropout", 7, 11, 1, 1, 2, ImportDropoutRatioAttribute},
    {"Dropout", 12, 21, 1, 3, 2, ImportDropoutRatioInput},
    {"Einsum", 12, 21, 1, kAny, 1, ImportEinsum},
    {"Elu", 7, 21, 1, 1, 1, ImportElu},
    {"Erf", 9, 21, 1, 1, 1, ImportSame<OpKind::kErf>},
    {"Exp", 7, 21, 1, 1, 1, ImportSame<OpKind::kExp>},
    {"Flatten", 7, 21, 1, 1, 1, ImportFlatten},
    {"Floor", 7, 21, 1, 1, 1, ImportSame<OpKind::kFloor>},
    {"GRU", 7, 21, 3, 6, 2, ImportGru},
    {"Gather", 7, 21, 2, 2, 1, ImportGather},
    {"Gelu", 20, 21, 1, 1, 1, ImportGelu},
    {"Gemm", 6, 6, 3, 3, 1, ImportGemmOpset6},
    {"Gemm", 7, 10, 3, 3, 1, ImportGemm},
    {"Gemm", 11, 21, 2, 3, 1, ImportGemm},
    {"GlobalAveragePool", 1, 21, 1, 1, 1, ImportGlobalAveragePool},
    {"GlobalLpPool", 7, 21, 1, 1, 1, ImportGlobalLpPool},
    {"GlobalMaxPool", 1, 21, 1, 1, 1, ImportGlobalMaxPool},
    {"GroupNormalization", 18, 21, 3, 3, 1, ImportGroupNormalization},
    {"HardSigmoid", 7, 21, 1, 1, 1, ImportHardSigmoid},
    {"HardSwish", 14, 21, 1, 1, 1, ImportSame<OpKind::kHardSwish>},
    {"Identity", 7, 21, 1, 1, 1, ImportIdentity},
    {"InstanceNormalization", 7, 21, 3, 3, 1, ImportInstanceNormalization},
    {"LRN", 7, 21, 1, 1, 1, ImportLrn},
    {"LSTM", 7, 21, 3, 8, 3, ImportLstm},
    {"LayerNormalization", 17, 21, 2, 3, 3, ImportLayerNormalization},
    {"LeakyRelu", 7, 21, 1, 1, 1, ImportLeakyRelu},
    {"Log", 7, 21, 1, 1, 1, ImportSame<OpKind::kLog>},
    {"LogSoftmax", 7, 21, 1, 1, 1, ImportLogSoftmax},
    {"LpNormalization", 7, 21, 1, 1, 1, ImportLpNormalization},
    {"LpPool", 7, 21, 1, 1, 1, ImportLpPool},
    {"MatMul", 7, 21, 2, 2, 1, ImportMatMul},
    {"MatMulInteger", 10, 21, 2, 4, 1, ImportMatMulInteger},
    {"Max", 7, 21, 1, kAny, 1, ImportMax},
    {"MaxPool", 7, 7, 1, 1, 1, ImportMaxPool},
    {"MaxPool", 8, 21, 1, 1, 2, ImportMaxPool},
    {"Mean", 7, 21, 1, kAny, 1, ImportMean},
    {"MeanVarianceNormalization", 9, 21, 1, 1, 1,
     ImportMeanVarianceNormalization},
    {"Min", 7, 21, 1, kAny, 1, ImportMin},
    {"Mish", 18, 21, 1, 1, 1, ImportMish},
    {"Mul", 6, 6, 2, 2, 1, ImportBinaryOpset6<OpKind::kMultiply>},
    {"Mul", 7, 21, 2, 2, 1, ImportSame<OpKind::kMultiply>},
    {"Neg", 7, 21, 1, 1, 1, ImportSame<OpKind::kNegate>},
    {"NegativeLogLikelihoodLoss", 12, 21, 2, 3, 1,
     ImportNegativeLogLikelihoodLoss},
    {"NonMaxSuppression", 10, 21, 2, 5, 1, ImportNonMaxSuppression},
    {"PRelu", 6, 6, 2, 2, 1, ImportPReluOpset6},
    {"PRelu", 7, 21, 2, 2, 1, ImportPRelu},
    {"Pad", 7, 10, 1, 1, 1, ImportPadAttributes},
    {"Pad", 11, 17, 2, 3, 1, ImportPadInputs},
    {"Pad", 18, 21, 2, 4, 1, ImportPadInputs},
    {"Pow", 6, 6, 2, 2, 1, ImportBinaryOpset6<OpKind::kPower>},
    {"Pow", 7, 21, 2, 2, 1, ImportPow},
    {"QLinearConv", 10, 21, 8, 9, 1, ImportQLinearConv},
    {"QLinearMatMul", 10, 21, 8, 8, 1, ImportQLinearMatMul},
    {"QuantizeLinear", 10, 21, 2, 3, 1, ImportQuantizeLinear},
    {"RNN", 7, 21, 3, 6, 2, ImportRnn},
    {"Reciprocal", 7, 21, 1, 1, 1, ImportSame<OpKind::kReciprocal>},
    {"ReduceL1", 7, 17, 1, 1, 1, ImportReduceL1AxesAttribute},
    {"ReduceL1", 18, 21, 1, 2, 1, ImportReduceL1AxesInput},
    {"ReduceL2", 7, 17, 1, 1, 1, ImportReduceL2AxesAttribute},
    {"ReduceL2", 18, 21, 1, 2, 1, ImportReduceL2AxesInput},
    {"ReduceLogSum", 7, 17, 1, 1, 1, ImportReduceLogSumAxesAttribute},
    {"ReduceLogSum", 18, 21, 1, 2, 1, ImportReduceLogSumAxesInput},
    {"ReduceLogSumExp", 7, 17, 1, 1, 1, ImportReduceLogSumExpAxesAttribute},
    {"ReduceLogSumExp", 18, 21, 1, 2, 1, ImportReduceLogSumExpAxesInput},
    {"ReduceMax", 7, 17, 1, 1, 1, ImportReduceMaxAxesAttribute},
    {"ReduceMax", 18, 21, 1, 2, 1, ImportReduceMaxAxesInput},
    {"ReduceMean", 7, 17, 1, 1, 1, ImportReduceMeanAxesAttribute},
    {"ReduceMean", 18, 21, 1, 2, 1, ImportReduceMeanAxesInput},
    {"ReduceMin", 7, 17, 1, 1, 1, ImportReduceMinAxesAttribute},
    {"ReduceMin", 18, 21, 1, 2, 1, ImportReduceMinAxesInput},
    {"ReduceProd", 7, 17, 1, 1, 1, ImportReduceProdAxesAttribute},
    {"ReduceProd", 18, 21, 1, 2, 1, ImportReduceProdAxesInput},
    {"ReduceSum", 7, 12, 1, 1, 1, ImportReduceSumAxesAttribute},
    {"ReduceSum", 13, 21, 1, 2, 1, ImportReduceSumAxesInput},
    {"ReduceSumSquare", 7, 17, 1, 1, 1, ImportReduceSumSquareAxesAttribute},
    {"ReduceSumSquare", 18, 21, 1, 2, 1, ImportReduceSumSquareAxesInput},
    {"Relu", 7, 21, 1, 1, 1, ImportSame<OpKind::kRelu>},
    {"Reshape", 7, 21, 2, 2, 1, ImportReshape},
    {"Resize", 10, 10, 2, 2, 1, ImportResizeScales},
    {"Resize", 11, 21, 1, 4, 1, ImportResize},
    {"Round", 11, 21, 1, 1, 1, ImportSame<OpKind::kRound>},
    {"Selu", 7, 21, 1, 1, 1, ImportSelu},
    {"Shape", 7, 21, 1, 1, 1, ImportShape},
    {"Sigmoid", 7, 21, 1, 1, 1, ImportSame<OpKind::kSigmoid>},
    {"Sign", 9, 21, 1, 1, 1, ImportSame<OpKind::kSign>},
    {"Slice", 7, 9, 1, 1, 1, ImportSliceAttributes},
    {"Slice", 10, 21, 3, 5, 1, ImportSliceInputs},
    {"Softmax", 7, 21, 1, 1, 1, ImportSoftmax},
    {"SoftmaxCrossEntropyLoss", 12, 21, 2, 3, 2, ImportSoftmaxCrossEntropyLoss},
    {"Softplus", 1, 21, 1, 1, 1, ImportSame<OpKind::kSoftplus>},
    {"Softsign", 1, 21, 1, 1, 1, ImportSame<OpKind::kSoftsign>},
    {"Split", 7, 12, 1, 1, kAny, ImportSplitAttribute},
    {"Split", 13, 21, 1, 2, kAny, ImportSplitInput},
    {"Sqrt", 7, 21, 1, 1, 1, ImportSame<OpKind::kSqrt>},
    {"Squeeze", 7, 12, 1, 1, 1, ImportSqueezeAxesAttribute},
    {"Squeeze", 13, 21, 1, 2, 1, ImportSqueezeAxesInput},
    {"Sub", 6, 6, 2, 2, 1, ImportBinaryOpset6<OpKind::kSubtract>},
    {"Sub", 7, 21, 2, 2, 1, ImportSame<OpKind::kSubtract>},
    {"Sum", 7, 21, 1, kAny, 1, ImportSum},
    {"Tanh", 7, 21, 1, 1, 1, ImportSame<OpKind::kTanh>},
    {"Transpose", 7, 21, 1, 1, 1, ImportTranspose},
    {"Unsqueeze", 7, 12, 1, 1, 1, ImportUnsqueezeAxesAttribute},
    {"Unsqueeze", 13, 21, 2, 2, 1, ImportUnsqueezeAxesInput},
    {"Upsample", 7, 8, 1, 1, 1, ImportUpsampleAttribute},
    {"Upsample", 9, 9, 2, 2, 1, ImportUpsampleInput},
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
  if (opset == 6) {
    // What has no row for 6 has not changed its meaning in 7.
    const auto row = FindOperator(op_type, 7);
    if (row.ok()) return row;
  }
  return Unsupported("operator ", Quote(op_type), " is not supported in opset ",
                     opset);
}

}  // namespace assay::frontend
