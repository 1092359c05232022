// The list of graph operators. The enum, the names, the parser, the variant of
// attribute structs and the dispatch code of every layer are generated from it.
//
//   V(kind, text name, pattern kind, attribute struct, rule)
//
// The pattern kind says how operator fusion may treat the operator (op.h).
//
// `rule` names the functions that define the operator, one in each layer:
//   infer::RULE       computes its result types
//                     (compiler/graph/infer/rules.h)
//   reference::RULE   computes its results (compiler/graph/reference/rules.h)
//   ops::RULEKernel   says how kernels compute it (compiler/ops/kernel_rule.h)
// Operators with the same rule share these functions, which receive the kind of
// the operator. The functions are declared from this list. If a layer does not
// define one of them, the linker reports the name of the missing function.
// compiler/docs/adding_an_operator.md walks through an example.
//
// Operators are grouped by family. Every layer has a file or folder for each
// family: compiler/graph/{attrs,infer,reference}/FAMILY, compiler/ops/FAMILY
// and compiler/frontend/onnx/operators/FAMILY. compiler/docs/graph_ir.md
// defines the meaning of the operators.
#ifndef ASSAY_COMPILER_GRAPH_OP_OP_LIST_H_
#define ASSAY_COMPILER_GRAPH_OP_OP_LIST_H_

// Elementwise operators with one operand.
#define ASSAY_FOR_EACH_UNARY_OP(V)                               \
  V(kRelu, "relu", kElemWise, NoAttrs, Unary)                    \
  V(kNegate, "negate", kElemWise, NoAttrs, Unary)                \
  V(kAbs, "abs", kElemWise, NoAttrs, Unary)                      \
  V(kSign, "sign", kElemWise, NoAttrs, Unary)                    \
  V(kExp, "exp", kElemWise, NoAttrs, Unary)                      \
  V(kLog, "log", kElemWise, NoAttrs, Unary)                      \
  V(kSqrt, "sqrt", kElemWise, NoAttrs, Unary)                    \
  V(kRsqrt, "rsqrt", kElemWise, NoAttrs, Unary)                  \
  V(kReciprocal, "reciprocal", kElemWise, NoAttrs, Unary)        \
  V(kFloor, "floor", kElemWise, NoAttrs, Unary)                  \
  V(kCeil, "ceil", kElemWise, NoAttrs, Unary)                    \
  V(kRound, "round", kElemWise, NoAttrs, Unary)                  \
  V(kErf, "erf", kElemWise, NoAttrs, Unary)                      \
  V(kTanh, "tanh", kElemWise, NoAttrs, Unary)                    \
  V(kSigmoid, "sigmoid", kElemWise, NoAttrs, Unary)              \
  V(kSoftplus, "softplus", kElemWise, NoAttrs, Unary)            \
  V(kSoftsign, "softsign", kElemWise, NoAttrs, Unary)            \
  V(kHardSwish, "hard_swish", kElemWise, NoAttrs, Unary)         \
  V(kGelu, "gelu", kElemWise, NoAttrs, Unary)                    \
  V(kSin, "sin", kElemWise, NoAttrs, Unary)                      \
  V(kCos, "cos", kElemWise, NoAttrs, Unary)                      \
  V(kTan, "tan", kElemWise, NoAttrs, Unary)                      \
  V(kAsin, "asin", kElemWise, NoAttrs, Unary)                    \
  V(kAcos, "acos", kElemWise, NoAttrs, Unary)                    \
  V(kAtan, "atan", kElemWise, NoAttrs, Unary)                    \
  V(kSinh, "sinh", kElemWise, NoAttrs, Unary)                    \
  V(kCosh, "cosh", kElemWise, NoAttrs, Unary)                    \
  V(kAsinh, "asinh", kElemWise, NoAttrs, Unary)                  \
  V(kAcosh, "acosh", kElemWise, NoAttrs, Unary)                  \
  V(kAtanh, "atanh", kElemWise, NoAttrs, Unary)                  \
  V(kBitwiseNot, "bitwise_not", kElemWise, NoAttrs, Unary)       \
  V(kLeakyRelu, "leaky_relu", kElemWise, AlphaAttrs, Unary)      \
  V(kElu, "elu", kElemWise, AlphaAttrs, Unary)                   \
  V(kHardSigmoid, "hard_sigmoid", kElemWise, LinearAttrs, Unary) \
  V(kClip, "clip", kElemWise, ClipAttrs, Unary)

// Elementwise comparisons of two operands. The operands are broadcast to a
// common shape, and the element type of the result is bool.
#define ASSAY_FOR_EACH_COMPARISON_OP(V)           \
  V(kEqual, "equal", kBroadcast, NoAttrs, Binary) \
  V(kLess, "less", kBroadcast, NoAttrs, Binary)   \
  V(kLessEqual, "less_equal", kBroadcast, NoAttrs, Binary)

// Elementwise operators with two operands, which have the same element type and
// are broadcast to a common shape.
#define ASSAY_FOR_EACH_BINARY_OP(V)                          \
  V(kAdd, "add", kBroadcast, NoAttrs, Binary)                \
  V(kSubtract, "subtract", kBroadcast, NoAttrs, Binary)      \
  V(kMultiply, "multiply", kBroadcast, NoAttrs, Binary)      \
  V(kDivide, "divide", kBroadcast, NoAttrs, Binary)          \
  V(kMaximum, "maximum", kBroadcast, NoAttrs, Binary)        \
  V(kMinimum, "minimum", kBroadcast, NoAttrs, Binary)        \
  V(kPower, "power", kBroadcast, NoAttrs, Binary)            \
  V(kPrelu, "prelu", kBroadcast, NoAttrs, Binary)            \
  V(kFloorMod, "floor_mod", kBroadcast, NoAttrs, Binary)     \
  V(kTruncMod, "trunc_mod", kBroadcast, NoAttrs, Binary)     \
  V(kBitwiseAnd, "bitwise_and", kBroadcast, NoAttrs, Binary) \
  V(kBitwiseOr, "bitwise_or", kBroadcast, NoAttrs, Binary)   \
  V(kBitwiseXor, "bitwise_xor", kBroadcast, NoAttrs, Binary) \
  V(kShiftLeft, "shift_left", kBroadcast, NoAttrs, Binary)   \
  V(kShiftRight, "shift_right", kBroadcast, NoAttrs, Binary) \
  ASSAY_FOR_EACH_COMPARISON_OP(V)

// Operators that reduce the elements along some axes by a commutative
// operation.
#define ASSAY_FOR_EACH_REDUCE_OP(V)                               \
  V(kReduceSum, "reduce_sum", kCommReduce, ReduceAttrs, Reduce)   \
  V(kReduceMean, "reduce_mean", kCommReduce, ReduceAttrs, Reduce) \
  V(kReduceMax, "reduce_max", kCommReduce, ReduceAttrs, Reduce)   \
  V(kReduceMin, "reduce_min", kCommReduce, ReduceAttrs, Reduce)   \
  V(kReduceProd, "reduce_prod", kCommReduce, ReduceAttrs, Reduce)

// Operators that are part of the graph structure and have no rule.
#define ASSAY_FOR_EACH_STRUCTURAL_OP(V)                  \
  V(kInput, "input", kOpaque, NoAttrs, None)             \
  V(kConstant, "constant", kOpaque, ConstantAttrs, None) \
  V(kKernel, "kernel", kOpaque, KernelAttrs, None)

// Operators with several results.
#define ASSAY_FOR_EACH_MULTI_RESULT_OP(V)                        \
  /* image */                                                    \
  V(kNonMaxSuppression, "non_max_suppression", kOpaque,          \
    NonMaxSuppressionAttrs, NonMaxSuppression)                   \
  /* indexing */                                                 \
  V(kNonZero, "non_zero", kOpaque, NoAttrs, NonZero)             \
  /* recurrent */                                                \
  V(kRecurrent, "recurrent", kOpaque, RecurrentAttrs, Recurrent) \
  /* sorting */                                                  \
  V(kUnique, "unique", kOpaque, UniqueAttrs, Unique)

// Operators with one result.
#define ASSAY_FOR_EACH_SINGLE_RESULT_OP(V)                                     \
  /* elementwise */                                                            \
  ASSAY_FOR_EACH_UNARY_OP(V)                                                   \
  ASSAY_FOR_EACH_BINARY_OP(V)                                                  \
  V(kSelect, "select", kBroadcast, NoAttrs, Select)                            \
  V(kCast, "cast", kElemWise, CastAttrs, Cast)                                 \
  /* data_movement */                                                          \
  V(kReshape, "reshape", kInjective, ReshapeAttrs, Reshape)                    \
  V(kBroadcastTo, "broadcast_to", kBroadcast, ReshapeAttrs, BroadcastTo)       \
  V(kTranspose, "transpose", kInjective, TransposeAttrs, Transpose)            \
  V(kConcat, "concat", kInjective, ConcatAttrs, Concat)                        \
  V(kSlice, "slice", kInjective, SliceAttrs, Slice)                            \
  V(kPad, "pad", kInjective, PadAttrs, Pad)                                    \
  V(kReverseSequence, "reverse_sequence", kInjective, ReverseSequenceAttrs,    \
    ReverseSequence)                                                           \
  V(kEncode, "encode", kInjective, NoAttrs, Encode)                            \
  /* conv */                                                                   \
  V(kConv2d, "conv2d", kOutEWiseFusable, Conv2dAttrs, Conv2d)                  \
  V(kConv2dTranspose, "conv2d_transpose", kOutEWiseFusable,                    \
    Conv2dTransposeAttrs, Conv2dTranspose)                                     \
  /* matmul */                                                                 \
  V(kDense, "dense", kOutEWiseFusable, NoAttrs, Dense)                         \
  V(kMatmul, "matmul", kOutEWiseFusable, NoAttrs, Matmul)                      \
  /* pool */                                                                   \
  V(kMaxPool2d, "max_pool2d", kOutEWiseFusable, Pool2dAttrs, Pool2d)           \
  V(kAvgPool2d, "avg_pool2d", kOutEWiseFusable, Pool2dAttrs, Pool2d)           \
  V(kGlobalAvgPool2d, "global_avg_pool2d", kOutEWiseFusable, NoAttrs,          \
    GlobalPool2d)                                                              \
  V(kGlobalMaxPool2d, "global_max_pool2d", kOutEWiseFusable, NoAttrs,          \
    GlobalPool2d)                                                              \
  /* reduction */                                                              \
  ASSAY_FOR_EACH_REDUCE_OP(V)                                                  \
  V(kArgMax, "arg_max", kCommReduce, ArgReduceAttrs, ArgReduce)                \
  V(kArgMin, "arg_min", kCommReduce, ArgReduceAttrs, ArgReduce)                \
  /* normalization */                                                          \
  V(kBatchNorm, "batch_norm", kOpaque, BatchNormAttrs, BatchNorm)              \
  V(kSoftmax, "softmax", kOutEWiseFusable, SoftmaxAttrs, Softmax)              \
  V(kLogSoftmax, "log_softmax", kOutEWiseFusable, SoftmaxAttrs, Softmax)       \
  V(kLayerNorm, "layer_norm", kOutEWiseFusable, LayerNormAttrs, LayerNorm)     \
  /* indexing */                                                               \
  V(kGather, "gather", kInjective, GatherAttrs, Gather)                        \
  V(kGatherElements, "gather_elements", kInjective, GatherAttrs,               \
    GatherElements)                                                            \
  V(kGatherNd, "gather_nd", kInjective, GatherNdAttrs, GatherNd)               \
  V(kScatterElements, "scatter_elements", kOpaque, ScatterElementsAttrs,       \
    ScatterElements)                                                           \
  V(kScatterNd, "scatter_nd", kOpaque, ScatterNdAttrs, ScatterNd)              \
  /* sorting */                                                                \
  V(kArgSort, "arg_sort", kOpaque, ArgSortAttrs, ArgSort)                      \
  /* scan */                                                                   \
  V(kCumSum, "cum_sum", kOpaque, CumSumAttrs, CumSum)                          \
  /* image */                                                                  \
  V(kResample, "resample", kOutEWiseFusable, ResampleAttrs, Resample)          \
  V(kGridSample, "grid_sample", kOutEWiseFusable, GridSampleAttrs, GridSample) \
  V(kRoiAlign, "roi_align", kOpaque, RoiAlignAttrs, RoiAlign)                  \
  V(kMaxRoiPool, "max_roi_pool", kOpaque, MaxRoiPoolAttrs, MaxRoiPool)         \
  /* quantization */                                                           \
  V(kQuantize, "quantize", kBroadcast, QuantizeAttrs, Quantize)                \
  V(kDequantize, "dequantize", kBroadcast, QuantizeAttrs, Quantize)            \
  V(kRequantize, "requantize", kBroadcast, QuantizeAttrs, Quantize)

#define ASSAY_FOR_EACH_GRAPH_OP(V)   \
  ASSAY_FOR_EACH_STRUCTURAL_OP(V)    \
  ASSAY_FOR_EACH_SINGLE_RESULT_OP(V) \
  ASSAY_FOR_EACH_MULTI_RESULT_OP(V)

#endif  // ASSAY_COMPILER_GRAPH_OP_OP_LIST_H_
