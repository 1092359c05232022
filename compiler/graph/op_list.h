// The list of graph operators; enum, names, parser, attribute types and the
// fusion pass all derive from it.
//
//   V(kind, text name, pattern kind, attribute struct)
//
// The pattern kind is what operator fusion knows of an operator (op.h). An
// operator is added here first; every exhaustive switch then fails to compile
// with -Wswitch until it handles the new kind.
#ifndef ASSAY_COMPILER_GRAPH_OP_LIST_H_
#define ASSAY_COMPILER_GRAPH_OP_LIST_H_

#define ASSAY_FOR_EACH_GRAPH_OP(V)                                          \
  V(kInput, "input", kOpaque, NoAttrs)                                      \
  V(kConstant, "constant", kOpaque, ConstantAttrs)                          \
  V(kConv2d, "conv2d", kOutEWiseFusable, Conv2dAttrs)                       \
  V(kBatchNorm, "batch_norm", kOpaque, BatchNormAttrs)                      \
  V(kRelu, "relu", kElemWise, NoAttrs)                                      \
  V(kAdd, "add", kBroadcast, NoAttrs)                                       \
  V(kMultiply, "multiply", kBroadcast, NoAttrs)                             \
  V(kMaxPool2d, "max_pool2d", kOutEWiseFusable, Pool2dAttrs)                \
  V(kGlobalAvgPool2d, "global_avg_pool2d", kOutEWiseFusable,                \
    GlobalPool2dAttrs)                                                      \
  V(kDense, "dense", kOutEWiseFusable, NoAttrs)                             \
  V(kMatmul, "matmul", kOutEWiseFusable, NoAttrs)                           \
  V(kReshape, "reshape", kInjective, ReshapeAttrs)                          \
  V(kTranspose, "transpose", kInjective, TransposeAttrs)                    \
  V(kConcat, "concat", kInjective, ConcatAttrs)                             \
  V(kGather, "gather", kInjective, GatherAttrs)                             \
  V(kLayoutTransform, "layout_transform", kInjective, LayoutTransformAttrs) \
  V(kWinogradWeights, "winograd_weights", kOpaque, WinogradWeightsAttrs)    \
  V(kKernel, "kernel", kOpaque, KernelAttrs)

#endif  // ASSAY_COMPILER_GRAPH_OP_LIST_H_
