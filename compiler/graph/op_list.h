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

// One number to one number of the same type. The meaning of each stands in
// compiler/docs/graph_ir.md.
#define ASSAY_FOR_EACH_UNARY_OP(V)                        \
  V(kRelu, "relu", kElemWise, NoAttrs)                    \
  V(kNegate, "negate", kElemWise, NoAttrs)                \
  V(kAbs, "abs", kElemWise, NoAttrs)                      \
  V(kSign, "sign", kElemWise, NoAttrs)                    \
  V(kExp, "exp", kElemWise, NoAttrs)                      \
  V(kLog, "log", kElemWise, NoAttrs)                      \
  V(kSqrt, "sqrt", kElemWise, NoAttrs)                    \
  V(kRsqrt, "rsqrt", kElemWise, NoAttrs)                  \
  V(kReciprocal, "reciprocal", kElemWise, NoAttrs)        \
  V(kFloor, "floor", kElemWise, NoAttrs)                  \
  V(kCeil, "ceil", kElemWise, NoAttrs)                    \
  V(kRound, "round", kElemWise, NoAttrs)                  \
  V(kErf, "erf", kElemWise, NoAttrs)                      \
  V(kTanh, "tanh", kElemWise, NoAttrs)                    \
  V(kSigmoid, "sigmoid", kElemWise, NoAttrs)              \
  V(kSoftplus, "softplus", kElemWise, NoAttrs)            \
  V(kSoftsign, "softsign", kElemWise, NoAttrs)            \
  V(kHardSwish, "hard_swish", kElemWise, NoAttrs)         \
  V(kGelu, "gelu", kElemWise, NoAttrs)                    \
  V(kSin, "sin", kElemWise, NoAttrs)                      \
  V(kCos, "cos", kElemWise, NoAttrs)                      \
  V(kTan, "tan", kElemWise, NoAttrs)                      \
  V(kAsin, "asin", kElemWise, NoAttrs)                    \
  V(kAcos, "acos", kElemWise, NoAttrs)                    \
  V(kAtan, "atan", kElemWise, NoAttrs)                    \
  V(kSinh, "sinh", kElemWise, NoAttrs)                    \
  V(kCosh, "cosh", kElemWise, NoAttrs)                    \
  V(kAsinh, "asinh", kElemWise, NoAttrs)                  \
  V(kAcosh, "acosh", kElemWise, NoAttrs)                  \
  V(kAtanh, "atanh", kElemWise, NoAttrs)                  \
  V(kBitwiseNot, "bitwise_not", kElemWise, NoAttrs)       \
  V(kLeakyRelu, "leaky_relu", kElemWise, AlphaAttrs)      \
  V(kElu, "elu", kElemWise, AlphaAttrs)                   \
  V(kHardSigmoid, "hard_sigmoid", kElemWise, LinearAttrs) \
  V(kClip, "clip", kElemWise, ClipAttrs)

// Two numbers of one type to a bool, with broadcasting.
#define ASSAY_FOR_EACH_COMPARISON_OP(V)   \
  V(kEqual, "equal", kBroadcast, NoAttrs) \
  V(kLess, "less", kBroadcast, NoAttrs)   \
  V(kLessEqual, "less_equal", kBroadcast, NoAttrs)

// Two numbers of one type to one of that type, or to a bool where they are
// compared, with broadcasting.
#define ASSAY_FOR_EACH_BINARY_OP(V)                  \
  V(kAdd, "add", kBroadcast, NoAttrs)                \
  V(kSubtract, "subtract", kBroadcast, NoAttrs)      \
  V(kMultiply, "multiply", kBroadcast, NoAttrs)      \
  V(kDivide, "divide", kBroadcast, NoAttrs)          \
  V(kMaximum, "maximum", kBroadcast, NoAttrs)        \
  V(kMinimum, "minimum", kBroadcast, NoAttrs)        \
  V(kPower, "power", kBroadcast, NoAttrs)            \
  V(kPrelu, "prelu", kBroadcast, NoAttrs)            \
  V(kFloorMod, "floor_mod", kBroadcast, NoAttrs)     \
  V(kTruncMod, "trunc_mod", kBroadcast, NoAttrs)     \
  V(kBitwiseAnd, "bitwise_and", kBroadcast, NoAttrs) \
  V(kBitwiseOr, "bitwise_or", kBroadcast, NoAttrs)   \
  V(kBitwiseXor, "bitwise_xor", kBroadcast, NoAttrs) \
  V(kShiftLeft, "shift_left", kBroadcast, NoAttrs)   \
  V(kShiftRight, "shift_right", kBroadcast, NoAttrs) \
  ASSAY_FOR_EACH_COMPARISON_OP(V)

// The commutative combination of all elements along some axes.
#define ASSAY_FOR_EACH_REDUCE_OP(V)                       \
  V(kReduceSum, "reduce_sum", kCommReduce, ReduceAttrs)   \
  V(kReduceMean, "reduce_mean", kCommReduce, ReduceAttrs) \
  V(kReduceMax, "reduce_max", kCommReduce, ReduceAttrs)   \
  V(kReduceMin, "reduce_min", kCommReduce, ReduceAttrs)   \
  V(kReduceProd, "reduce_prod", kCommReduce, ReduceAttrs)

#define ASSAY_FOR_EACH_GRAPH_OP(V)                                          \
  V(kInput, "input", kOpaque, NoAttrs)                                      \
  V(kConstant, "constant", kOpaque, ConstantAttrs)                          \
  V(kConv2d, "conv2d", kOutEWiseFusable, Conv2dAttrs)                       \
  V(kConv2dTranspose, "conv2d_transpose", kOutEWiseFusable,                 \
    Conv2dTransposeAttrs)                                                   \
  V(kBatchNorm, "batch_norm", kOpaque, BatchNormAttrs)                      \
  ASSAY_FOR_EACH_UNARY_OP(V)                                                \
  ASSAY_FOR_EACH_BINARY_OP(V)                                               \
  V(kSelect, "select", kBroadcast, NoAttrs)                                 \
  V(kBroadcastTo, "broadcast_to", kBroadcast, ReshapeAttrs)                 \
  V(kMaxPool2d, "max_pool2d", kOutEWiseFusable, Pool2dAttrs)                \
  V(kAvgPool2d, "avg_pool2d", kOutEWiseFusable, Pool2dAttrs)                \
  V(kGlobalAvgPool2d, "global_avg_pool2d", kOutEWiseFusable,                \
    GlobalPool2dAttrs)                                                      \
  V(kGlobalMaxPool2d, "global_max_pool2d", kOutEWiseFusable,                \
    GlobalPool2dAttrs)                                                      \
  ASSAY_FOR_EACH_REDUCE_OP(V)                                               \
  V(kArgMax, "arg_max", kCommReduce, ArgReduceAttrs)                        \
  V(kArgMin, "arg_min", kCommReduce, ArgReduceAttrs)                        \
  V(kSoftmax, "softmax", kOutEWiseFusable, SoftmaxAttrs)                    \
  V(kLogSoftmax, "log_softmax", kOutEWiseFusable, SoftmaxAttrs)             \
  V(kLayerNorm, "layer_norm", kOutEWiseFusable, LayerNormAttrs)             \
  V(kDense, "dense", kOutEWiseFusable, NoAttrs)                             \
  V(kPackedDense, "packed_dense", kOutEWiseFusable, PackedDenseAttrs)       \
  V(kMatmul, "matmul", kOutEWiseFusable, NoAttrs)                           \
  V(kReshape, "reshape", kInjective, ReshapeAttrs)                          \
  V(kTranspose, "transpose", kInjective, TransposeAttrs)                    \
  V(kConcat, "concat", kInjective, ConcatAttrs)                             \
  V(kGather, "gather", kInjective, GatherAttrs)                             \
  V(kGatherElements, "gather_elements", kInjective, GatherAttrs)            \
  V(kGatherNd, "gather_nd", kInjective, GatherNdAttrs)                      \
  V(kScatterElements, "scatter_elements", kOpaque, ScatterElementsAttrs)    \
  V(kScatterNd, "scatter_nd", kOpaque, ScatterNdAttrs)                      \
  V(kArgSort, "arg_sort", kOpaque, ArgSortAttrs)                            \
  V(kCumSum, "cum_sum", kOpaque, CumSumAttrs)                               \
  V(kSlice, "slice", kInjective, SliceAttrs)                                \
  V(kPad, "pad", kInjective, PadAttrs)                                      \
  V(kCast, "cast", kElemWise, CastAttrs)                                    \
  V(kQuantize, "quantize", kBroadcast, QuantizeAttrs)                       \
  V(kDequantize, "dequantize", kBroadcast, QuantizeAttrs)                   \
  V(kRequantize, "requantize", kBroadcast, QuantizeAttrs)                   \
  V(kLayoutTransform, "layout_transform", kInjective, LayoutTransformAttrs) \
  V(kWinogradWeights, "winograd_weights", kOpaque, WinogradWeightsAttrs)    \
  V(kResample, "resample", kOutEWiseFusable, ResampleAttrs)                 \
  V(kGridSample, "grid_sample", kOutEWiseFusable, GridSampleAttrs)          \
  V(kRoiAlign, "roi_align", kOpaque, RoiAlignAttrs)                         \
  V(kMaxRoiPool, "max_roi_pool", kOpaque, MaxRoiPoolAttrs)                  \
  V(kReverseSequence, "reverse_sequence", kInjective, ReverseSequenceAttrs) \
  V(kNonMaxSuppression, "non_max_suppression", kOpaque,                     \
    NonMaxSuppressionAttrs)                                                 \
  V(kNonZero, "non_zero", kOpaque, NoAttrs)                                 \
  V(kUnique, "unique", kOpaque, UniqueAttrs)                                \
  V(kKernel, "kernel", kOpaque, KernelAttrs)

#endif  // ASSAY_COMPILER_GRAPH_OP_LIST_H_
