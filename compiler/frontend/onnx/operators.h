// The importers of all operators. Each reads one ONNX node, whose operands
// have been counted, and gives it a result (op_import.h). One file per family.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compiler/frontend/onnx/op_import.h"

namespace assay::frontend {

// An operator that is one of the graph's, with the same operands and without
// attributes.
template <graph::OpKind kind>
absl::Status ImportSame(OpImport& op) {
  return op.SetResult(op.Add(kind, graph::NoAttrs(), op.inputs()));
}

// constant.cc
absl::Status ImportConstant(OpImport& op);

// conv.cc
absl::Status ImportConv(OpImport& op);

// activation.cc
absl::Status ImportCelu(OpImport& op);
absl::Status ImportElu(OpImport& op);
absl::Status ImportGelu(OpImport& op);
absl::Status ImportHardSigmoid(OpImport& op);
absl::Status ImportLeakyRelu(OpImport& op);
absl::Status ImportMish(OpImport& op);
absl::Status ImportSelu(OpImport& op);

// elementwise.cc
absl::Status ImportClipAttributes(OpImport& op);
absl::Status ImportClipInputs(OpImport& op);
absl::Status ImportMax(OpImport& op);
absl::Status ImportMean(OpImport& op);
absl::Status ImportMin(OpImport& op);
absl::Status ImportPow(OpImport& op);
absl::Status ImportPRelu(OpImport& op);
absl::Status ImportSum(OpImport& op);

// det.cc
absl::Status ImportDet(OpImport& op);

// einsum.cc
absl::Status ImportEinsum(OpImport& op);

// logic.cc
absl::Status ImportAnd(OpImport& op);
absl::Status ImportBitShift(OpImport& op);
absl::Status ImportGreater(OpImport& op);
absl::Status ImportGreaterOrEqual(OpImport& op);
absl::Status ImportIsInf(OpImport& op);
absl::Status ImportIsNaN(OpImport& op);
absl::Status ImportMod(OpImport& op);
absl::Status ImportNot(OpImport& op);
absl::Status ImportOr(OpImport& op);
absl::Status ImportShrink(OpImport& op);
absl::Status ImportThresholdedRelu(OpImport& op);
absl::Status ImportXor(OpImport& op);

// gemm.cc
absl::Status ImportGemm(OpImport& op);

// integer_products.cc
absl::Status ImportConvInteger(OpImport& op);
absl::Status ImportMatMulInteger(OpImport& op);
absl::Status ImportQLinearConv(OpImport& op);
absl::Status ImportQLinearMatMul(OpImport& op);

// losses.cc
absl::Status ImportNegativeLogLikelihoodLoss(OpImport& op);
absl::Status ImportSoftmaxCrossEntropyLoss(OpImport& op);

// matmul.cc
absl::Status ImportMatMul(OpImport& op);

// normalization.cc
absl::Status ImportBatchNormalization(OpImport& op);
absl::Status ImportGroupNormalization(OpImport& op);
absl::Status ImportInstanceNormalization(OpImport& op);
absl::Status ImportLayerNormalization(OpImport& op);
absl::Status ImportLpNormalization(OpImport& op);
absl::Status ImportLrn(OpImport& op);
absl::Status ImportMeanVarianceNormalization(OpImport& op);

// identity.cc: operators that do nothing at inference.
absl::Status ImportIdentity(OpImport& op);
absl::Status ImportDropoutRatioAttribute(OpImport& op);
absl::Status ImportDropoutRatioInput(OpImport& op);

// pool.cc
absl::Status ImportAveragePool(OpImport& op);
absl::Status ImportGlobalAveragePool(OpImport& op);
absl::Status ImportGlobalLpPool(OpImport& op);
absl::Status ImportGlobalMaxPool(OpImport& op);
absl::Status ImportLpPool(OpImport& op);
absl::Status ImportMaxPool(OpImport& op);

// arg_reduce.cc
absl::Status ImportArgMax(OpImport& op);
absl::Status ImportArgMin(OpImport& op);

// recurrent.cc
absl::Status ImportGru(OpImport& op);
absl::Status ImportLstm(OpImport& op);
absl::Status ImportRnn(OpImport& op);

// reduce.cc
absl::Status ImportReduceL1AxesAttribute(OpImport& op);
absl::Status ImportReduceL1AxesInput(OpImport& op);
absl::Status ImportReduceL2AxesAttribute(OpImport& op);
absl::Status ImportReduceL2AxesInput(OpImport& op);
absl::Status ImportReduceLogSumAxesAttribute(OpImport& op);
absl::Status ImportReduceLogSumAxesInput(OpImport& op);
absl::Status ImportReduceLogSumExpAxesAttribute(OpImport& op);
absl::Status ImportReduceLogSumExpAxesInput(OpImport& op);
absl::Status ImportReduceMaxAxesAttribute(OpImport& op);
absl::Status ImportReduceMaxAxesInput(OpImport& op);
absl::Status ImportReduceMeanAxesAttribute(OpImport& op);
absl::Status ImportReduceMeanAxesInput(OpImport& op);
absl::Status ImportReduceMinAxesAttribute(OpImport& op);
absl::Status ImportReduceMinAxesInput(OpImport& op);
absl::Status ImportReduceProdAxesAttribute(OpImport& op);
absl::Status ImportReduceProdAxesInput(OpImport& op);
absl::Status ImportReduceSumAxesAttribute(OpImport& op);
absl::Status ImportReduceSumAxesInput(OpImport& op);
absl::Status ImportReduceSumSquareAxesAttribute(OpImport& op);
absl::Status ImportReduceSumSquareAxesInput(OpImport& op);

// softmax.cc
absl::Status ImportLogSoftmax(OpImport& op);
absl::Status ImportSoftmax(OpImport& op);

// shape.cc: operators that change or read extents.
absl::Status ImportFlatten(OpImport& op);
absl::Status ImportReshape(OpImport& op);
absl::Status ImportShape(OpImport& op);
absl::Status ImportSqueezeAxesAttribute(OpImport& op);
absl::Status ImportSqueezeAxesInput(OpImport& op);
absl::Status ImportUnsqueezeAxesAttribute(OpImport& op);
absl::Status ImportUnsqueezeAxesInput(OpImport& op);

// data_movement.cc
absl::Status ImportConcat(OpImport& op);
absl::Status ImportGather(OpImport& op);
absl::Status ImportTranspose(OpImport& op);

// control_flow.cc
absl::Status ImportIf(OpImport& op);
absl::Status ImportLoop(OpImport& op);
absl::Status ImportScan(OpImport& op);
absl::Status ImportScanBatches(OpImport& op);

// depth_space.cc
absl::Status ImportDepthToSpace(OpImport& op);
absl::Status ImportSpaceToDepth(OpImport& op);

// regions.cc
absl::Status ImportGridSample(OpImport& op);
absl::Status ImportMaxRoiPool(OpImport& op);
absl::Status ImportReverseSequence(OpImport& op);
absl::Status ImportRoiAlign(OpImport& op);

// selection.cc
absl::Status ImportCompress(OpImport& op);
absl::Status ImportNonZero(OpImport& op);
absl::Status ImportUnique(OpImport& op);

// non_max_suppression.cc
absl::Status ImportNonMaxSuppression(OpImport& op);

// indexing.cc
absl::Status ImportCumSum(OpImport& op);
absl::Status ImportGatherElements(OpImport& op);
absl::Status ImportGatherND(OpImport& op);
absl::Status ImportScatterElements(OpImport& op);
absl::Status ImportScatterND(OpImport& op);
absl::Status ImportTopK(OpImport& op);

// expand.cc
absl::Status ImportConstantOfShape(OpImport& op);
absl::Status ImportExpand(OpImport& op);
absl::Status ImportEyeLike(OpImport& op);
absl::Status ImportHardmax(OpImport& op);
absl::Status ImportOneHot(OpImport& op);
absl::Status ImportRange(OpImport& op);
absl::Status ImportSize(OpImport& op);
absl::Status ImportTile(OpImport& op);
absl::Status ImportTrilu(OpImport& op);

// fourier.cc
absl::Status ImportDFT(OpImport& op);
absl::Status ImportSTFT(OpImport& op);

// signal_window.cc
absl::Status ImportBlackmanWindow(OpImport& op);
absl::Status ImportHammingWindow(OpImport& op);
absl::Status ImportHannWindow(OpImport& op);

// conv_transpose.cc
absl::Status ImportConvTranspose(OpImport& op);

// opset6.cc: what has another meaning since opset 7.
absl::Status ImportDropoutOpset6(OpImport& op);
absl::Status ImportGemmOpset6(OpImport& op);
absl::Status ImportPReluOpset6(OpImport& op);
// The second operand, of a shape that broadcasts to the first's.
absl::StatusOr<graph::Value> PlaceOpset6Operand(OpImport& op);
template <graph::OpKind kind>
absl::Status ImportBinaryOpset6(OpImport& op) {
  const absl::StatusOr<graph::Value> b = PlaceOpset6Operand(op);
  if (!b.ok()) return b.status();
  return op.SetResult(op.Add(kind, graph::NoAttrs(), {op.Input(0), *b}));
}

// pad.cc
absl::Status ImportPadAttributes(OpImport& op);
absl::Status ImportPadInputs(OpImport& op);

// quantize.cc
absl::Status ImportCast(OpImport& op);
absl::Status ImportCastLike(OpImport& op);
absl::Status ImportDequantizeLinear(OpImport& op);
absl::Status ImportDynamicQuantizeLinear(OpImport& op);
absl::Status ImportQuantizeLinear(OpImport& op);

// resize.cc
absl::Status ImportResize(OpImport& op);
absl::Status ImportResizeScales(OpImport& op);
absl::Status ImportUpsampleAttribute(OpImport& op);
absl::Status ImportUpsampleInput(OpImport& op);

// slice.cc
absl::Status ImportSliceAttributes(OpImport& op);
absl::Status ImportSliceInputs(OpImport& op);

// split.cc
absl::Status ImportSplitAttribute(OpImport& op);
absl::Status ImportSplitInput(OpImport& op);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_H_
