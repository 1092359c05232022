#include "compiler/frontend/onnx/operator_table.h"

#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"

namespace assay::frontend {
namespace {

using graph::OpKind;

constexpr int kAny = -1;
// As many, some of which may be left out.
constexpr int kSome = 1 << 20;

constexpr OperatorRow kOperators[] = {
    {"Abs", 7, 21, 1, 1, 1, ImportSame<OpKind::kAbs>},
    {"Acos", 7, 21, 1, 1, 1, ImportSame<OpKind::kAcos>},
    {"Acosh", 9, 21, 1, 1, 1, ImportSame<OpKind::kAcosh>},
    {"Add", 6, 6, 2, 2, 1, ImportBinaryOpset6<OpKind::kAdd>},
    {"Add", 7, 21, 2, 2, 1, ImportSame<OpKind::kAdd>},
    {"And", 7, 21, 2, 2, 1, ImportAnd},
    {"ArgMax", 7, 21, 1, 1, 1, ImportArgMax},
    {"ArgMin", 7, 21, 1, 1, 1, ImportArgMin},
    {"Asin", 7, 21, 1, 1, 1, ImportSame<OpKind::kAsin>},
    {"Asinh", 9, 21, 1, 1, 1, ImportSame<OpKind::kAsinh>},
    {"Atan", 7, 21, 1, 1, 1, ImportSame<OpKind::kAtan>},
    {"Atanh", 9, 21, 1, 1, 1, ImportSame<OpKind::kAtanh>},
    {"AveragePool", 7, 21, 1, 1, 1, ImportAveragePool},
    {"BatchNormalization", 7, 13, 5, 5, 5, ImportBatchNormalization},
    {"BatchNormalization", 14, 21, 5, 5, 3, ImportBatchNormalization},
    {"BitShift", 11, 21, 2, 2, 1, ImportBitShift},
    {"BitwiseAnd", 18, 21, 2, 2, 1, ImportSame<OpKind::kBitwiseAnd>},
    {"BitwiseNot", 18, 21, 1, 1, 1, ImportSame<OpKind::kBitwiseNot>},
    {"BitwiseOr", 18, 21, 2, 2, 1, ImportSame<OpKind::kBitwiseOr>},
    {"BitwiseXor", 18, 21, 2, 2, 1, ImportSame<OpKind::kBitwiseXor>},
    {"BlackmanWindow", 17, 21, 1, 1, 1, ImportBlackmanWindow},
    {"Cast", 7, 21, 1, 1, 1, ImportCast},
    {"CastLike", 15, 21, 2, 2, 1, ImportCastLike},
    {"Ceil", 7, 21, 1, 1, 1, ImportSame<OpKind::kCeil>},
    {"Celu", 12, 21, 1, 1, 1, ImportCelu},
    {"Clip", 7, 10, 1, 1, 1, ImportClipAttributes},
    {"Clip", 11, 21, 1, 3, 1, ImportClipInputs},
    {"Compress", 9, 21, 2, 2, 1, ImportCompress},
    {"Concat", 7, 21, 1, kAny, 1, ImportConcat},
    {"Constant", 7, 21, 0, 0, 1, ImportConstant},
    {"ConstantOfShape", 9, 21, 1, 1, 1, ImportConstantOfShape},
    {"Conv", 7, 21, 2, 3, 1, ImportConv},
    {"ConvInteger", 10, 21, 2, 4, 1, ImportConvInteger},
    {"ConvTranspose", 7, 21, 2, 3, 1, ImportConvTranspose},
    {"Cos", 7, 21, 1, 1, 1, ImportSame<OpKind::kCos>},
    {"Cosh", 9, 21, 1, 1, 1, ImportSame<OpKind::kCosh>},
    {"CumSum", 11, 21, 2, 2, 1, ImportCumSum},
    {"DFT", 17, 19, 1, 2, 1, ImportDFT},
    {"DFT", 20, 21, 1, 3, 1, ImportDFT},
    {"DepthToSpace", 7, 21, 1, 1, 1, ImportDepthToSpace},
    {"DequantizeLinear", 10, 21, 2, 3, 1, ImportDequantizeLinear},
    {"Det", 11, 21, 1, 1, 1, ImportDet},
    {"Div", 6, 6, 2, 2, 1, ImportBinaryOpset6<OpKind::kDivide>},
    {"Div", 7, 21, 2, 2, 1, ImportSame<OpKind::kDivide>},
    {"Dropout", 6, 6, 1, 1, 2, ImportDropoutOpset6},
    {"Dropout", 7, 11, 1, 1, 2, ImportDropoutRatioAttribute},
    {"Dropout", 12, 21, 1, 3, 2, ImportDropoutRatioInput},
    {"DynamicQuantizeLinear", 11, 21, 1, 1, 3, ImportDynamicQuantizeLinear},
    {"Einsum", 12, 21, 1, kAny, 1, ImportEinsum},
    {"Elu", 7, 21, 1, 1, 1, ImportElu},
    {"Equal", 7, 21, 2, 2, 1, ImportSame<OpKind::kEqual>},
    {"Erf", 9, 21, 1, 1, 1, ImportSame<OpKind::kErf>},
    {"Exp", 7, 21, 1, 1, 1, ImportSame<OpKind::kExp>},
    {"Expand", 8, 21, 2, 2, 1, ImportExpand},
    {"EyeLike", 9, 21, 1, 1, 1, ImportEyeLike},
    {"Flatten", 7, 21, 1, 1, 1, ImportFlatten},
    {"Floor", 7, 21, 1, 1, 1, ImportSame<OpKind::kFloor>},
    {"GRU", 7, 21, 3, 6, 2, ImportGru},
    {"Gather", 7, 21, 2, 2, 1, ImportGather},
    {"GatherElements", 11, 21, 2, 2, 1, ImportGatherElements},
    {"GatherND", 11, 21, 2, 2, 1, ImportGatherND},
    {"Gelu", 20, 21, 1, 1, 1, ImportGelu},
    {"Gemm", 6, 6, 3, 3, 1, ImportGemmOpset6},
    {"Gemm", 7, 10, 3, 3, 1, ImportGemm},
    {"Gemm", 11, 21, 2, 3, 1, ImportGemm},
    {"GlobalAveragePool", 1, 21, 1, 1, 1, ImportGlobalAveragePool},
    {"GlobalLpPool", 7, 21, 1, 1, 1, ImportGlobalLpPool},
    {"GlobalMaxPool", 1, 21, 1, 1, 1, ImportGlobalMaxPool},
    {"Greater", 7, 21, 2, 2, 1, ImportGreater},
    {"GreaterOrEqual", 12, 21, 2, 2, 1, ImportGreaterOrEqual},
    {"GridSample", 16, 21, 2, 2, 1, ImportGridSample},
    {"GroupNormalization", 18, 21, 3, 3, 1, ImportGroupNormalization},
    {"HammingWindow", 17, 21, 1, 1, 1, ImportHammingWindow},
    {"HannWindow", 17, 21, 1, 1, 1, ImportHannWindow},
    {"HardSigmoid", 7, 21, 1, 1, 1, ImportHardSigmoid},
    {"HardSwish", 14, 21, 1, 1, 1, ImportSame<OpKind::kHardSwish>},
    {"Hardmax", 7, 21, 1, 1, 1, ImportHardmax},
    {"Identity", 7, 21, 1, 1, 1, ImportIdentity},
    {"If", 7, 21, 1, 1, kAny, ImportIf},
    {"InstanceNormalization", 7, 21, 3, 3, 1, ImportInstanceNormalization},
    {"IsInf", 10, 21, 1, 1, 1, ImportIsInf},
    {"IsNaN", 9, 21, 1, 1, 1, ImportIsNaN},
    {"LRN", 7, 21, 1, 1, 1, ImportLrn},
    {"LSTM", 7, 21, 3, 8, 3, ImportLstm},
    {"LayerNormalization", 17, 21, 2, 3, 3, ImportLayerNormalization},
    {"LeakyRelu", 7, 21, 1, 1, 1, ImportLeakyRelu},
    {"Less", 7, 21, 2, 2, 1, ImportSame<OpKind::kLess>},
    {"LessOrEqual", 12, 21, 2, 2, 1, ImportSame<OpKind::kLessEqual>},
    {"Log", 7, 21, 1, 1, 1, ImportSame<OpKind::kLog>},
    {"LogSoftmax", 7, 21, 1, 1, 1, ImportLogSoftmax},
    {"Loop", 7, 21, 0, kSome, kAny, ImportLoop},
    {"LpNormalization", 7, 21, 1, 1, 1, ImportLpNormalization},
    {"LpPool", 7, 21, 1, 1, 1, ImportLpPool},
    {"MatMul", 7, 21, 2, 2, 1, ImportMatMul},
    {"MatMulInteger", 10, 21, 2, 4, 1, ImportMatMulInteger},
    {"Max", 7, 21, 1, kAny, 1, ImportMax},
    {"MaxPool", 7, 7, 1, 1, 1, ImportMaxPool},
    {"MaxPool", 8, 21, 1, 1, 2, ImportMaxPool},
    {"MaxRoiPool", 7, 21, 2, 2, 1, ImportMaxRoiPool},
    {"Mean", 7, 21, 1, kAny, 1, ImportMean},
    {"MeanVarianceNormalization", 9, 21, 1, 1, 1,
     ImportMeanVarianceNormalization},
    {"Min", 7, 21, 1, kAny, 1, ImportMin},
    {"Mish", 18, 21, 1, 1, 1, ImportMish},
    {"Mod", 10, 21, 2, 2, 1, ImportMod},
    {"Mul", 6, 6, 2, 2, 1, ImportBinaryOpset6<OpKind::kMultiply>},
    {"Mul", 7, 21, 2, 2, 1, ImportSame<OpKind::kMultiply>},
    {"Neg", 7, 21, 1, 1, 1, ImportSame<OpKind::kNegate>},
    {"NegativeLogLikelihoodLoss", 12, 21, 2, 3, 1,
     ImportNegativeLogLikelihoodLoss},
    {"NonMaxSuppression", 10, 21, 2, 5, 1, ImportNonMaxSuppression},
    {"NonZero", 9, 21, 1, 1, 1, ImportNonZero},
    {"Not", 1, 21, 1, 1, 1, ImportNot},
    {"OneHot", 9, 21, 3, 3, 1, ImportOneHot},
    {"Or", 7, 21, 2, 2, 1, ImportOr},
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
    {"Range", 11, 21, 3, 3, 1, ImportRange},
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
    {"ReverseSequence", 10, 21, 2, 2, 1, ImportReverseSequence},
    {"RoiAlign", 10, 21, 3, 3, 1, ImportRoiAlign},
    {"Round", 11, 21, 1, 1, 1, ImportSame<OpKind::kRound>},
    {"STFT", 17, 21, 2, 4, 1, ImportSTFT},
    {"Scan", 8, 8, 0, kSome, kAny, ImportScanBatches},
    {"Scan", 9, 21, 1, kAny, kAny, ImportScan},
    {"Scatter", 9, 10, 3, 3, 1, ImportScatterElements},
    {"ScatterElements", 11, 21, 3, 3, 1, ImportScatterElements},
    {"ScatterND", 11, 21, 3, 3, 1, ImportScatterND},
    {"Selu", 7, 21, 1, 1, 1, ImportSelu},
    {"Shape", 7, 21, 1, 1, 1, ImportShape},
    {"Shrink", 9, 21, 1, 1, 1, ImportShrink},
    {"Sigmoid", 7, 21, 1, 1, 1, ImportSame<OpKind::kSigmoid>},
    {"Sign", 9, 21, 1, 1, 1, ImportSame<OpKind::kSign>},
    {"Sin", 7, 21, 1, 1, 1, ImportSame<OpKind::kSin>},
    {"Sinh", 9, 21, 1, 1, 1, ImportSame<OpKind::kSinh>},
    {"Size", 7, 21, 1, 1, 1, ImportSize},
    {"Slice", 7, 9, 1, 1, 1, ImportSliceAttributes},
    {"Slice", 10, 21, 3, 5, 1, ImportSliceInputs},
    {"Softmax", 7, 21, 1, 1, 1, ImportSoftmax},
    {"SoftmaxCrossEntropyLoss", 12, 21, 2, 3, 2, ImportSoftmaxCrossEntropyLoss},
    {"Softplus", 1, 21, 1, 1, 1, ImportSame<OpKind::kSoftplus>},
    {"Softsign", 1, 21, 1, 1, 1, ImportSame<OpKind::kSoftsign>},
    {"SpaceToDepth", 7, 21, 1, 1, 1, ImportSpaceToDepth},
    {"Split", 7, 12, 1, 1, kAny, ImportSplitAttribute},
    {"Split", 13, 21, 1, 2, kAny, ImportSplitInput},
    {"Sqrt", 7, 21, 1, 1, 1, ImportSame<OpKind::kSqrt>},
    {"Squeeze", 7, 12, 1, 1, 1, ImportSqueezeAxesAttribute},
    {"Squeeze", 13, 21, 1, 2, 1, ImportSqueezeAxesInput},
    {"Sub", 6, 6, 2, 2, 1, ImportBinaryOpset6<OpKind::kSubtract>},
    {"Sub", 7, 21, 2, 2, 1, ImportSame<OpKind::kSubtract>},
    {"Sum", 7, 21, 1, kAny, 1, ImportSum},
    {"Tan", 7, 21, 1, 1, 1, ImportSame<OpKind::kTan>},
    {"Tanh", 7, 21, 1, 1, 1, ImportSame<OpKind::kTanh>},
    {"ThresholdedRelu", 10, 21, 1, 1, 1, ImportThresholdedRelu},
    {"Tile", 7, 21, 2, 2, 1, ImportTile},
    {"TopK", 7, 9, 1, 1, 2, ImportTopK},
    {"TopK", 10, 21, 2, 2, 2, ImportTopK},
    {"Transpose", 7, 21, 1, 1, 1, ImportTranspose},
    {"Trilu", 14, 21, 1, 2, 1, ImportTrilu},
    {"Unique", 11, 21, 1, 1, 4, ImportUnique},
    {"Unsqueeze", 7, 12, 1, 1, 1, ImportUnsqueezeAxesAttribute},
    {"Unsqueeze", 13, 21, 2, 2, 1, ImportUnsqueezeAxesInput},
    {"Upsample", 7, 8, 1, 1, 1, ImportUpsampleAttribute},
    {"Upsample", 9, 9, 2, 2, 1, ImportUpsampleInput},
    {"Where", 9, 21, 3, 3, 1, ImportSame<OpKind::kSelect>},
    {"Xor", 7, 21, 2, 2, 1, ImportXor},
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

absl::Status CheckOperands(absl::Span<const graph::Value> operands,
                           const OperatorRow& row) {
  const int count = operands.size();
  const bool any = row.max_inputs < 0;
  if (count < row.min_inputs || (!any && count > row.max_inputs)) {
    const std::string most = any ? " or more"
                             : row.min_inputs == row.max_inputs
                                 ? ""
                                 : absl::StrCat(" to ", row.max_inputs);
    return Malformed("takes ", row.min_inputs, most,
                     " inputs but the node has ", count);
  }
  for (int i = 0; i < (any ? count : row.min_inputs); ++i) {
    if (operands[i].node == nullptr) {
      return Malformed("input ", i, " is left out but is required");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckResults(const onnx::NodeProto& node, const OperatorRow& row) {
  const auto& names = node.output();
  if (std::all_of(names.begin(), names.end(),
                  [](const std::string& name) { return name.empty(); })) {
    return Malformed("has no result");
  }
  if (row.max_results >= 0 && node.output_size() > row.max_results) {
    return Malformed("has ", node.output_size(),
                     " results but the operator has at most ", row.max_results);
  }
  return absl::OkStatus();
}

}  // namespace assay::frontend
