#include "tests/fuzz/operator_recipes.h"

namespace assay::fuzz {
namespace {

#define ASSAY_WINDOW "auto_pad:P dilations:I pads:2 strides:I "
#define ASSAY_REDUCE "axes:A keepdims:b noop_with_empty_axes:b"

constexpr OperatorRecipe kRecipes[] = {
    {"ArgMax", "x", "axis:a keepdims:b select_last_index:b"},
    {"ArgMin", "x", "axis:a keepdims:b select_last_index:b"},
    {"AveragePool", "x",
     "kernel_shape!:I ceil_mode:b count_include_pad:b " ASSAY_WINDOW},
    {"BatchNormalization", "xccvv", "epsilon:f"},
    {"BitShift", "xy", "direction!:LEFT|RIGHT"},
    {"BlackmanWindow", "K", "periodic:b"},
    {"Cast", "x", "to!:t"},
    {"Celu", "x", "alpha:f"},
    {"Clip", "x?ss", "min:f max:f"},
    {"Compress", "xB", "axis:a"},
    {"Concat", "xyy", "axis!:a"},
    {"ConstantOfShape", "i", ""},
    {"Conv", "xw?C", "group:g " ASSAY_WINDOW},
    {"ConvInteger", "8w?zz", "group:g " ASSAY_WINDOW},
    {"ConvTranspose", "xd?C", "group:g output_padding:I " ASSAY_WINDOW},
    {"CumSum", "xK", "exclusive:b reverse:b"},
    {"DFT", "x", "axis:a inverse:b onesided:b"},
    {"DepthToSpace", "x", "blocksize!:2 mode:DCR|CRD"},
    {"DequantizeLinear", "8qz", "axis:a"},
    {"Einsum", "xy",
     "equation!:ij,ij->ij|ij,ij->|ij,kj->ik|...ij,...kj->...ik|i,j->ij|ij,ij"},
    {"Elu", "x", "alpha:f"},
    {"Expand", "xi", ""},
    {"EyeLike", "x", "k:i dtype:t"},
    {"Flatten", "x", "axis:a"},
    {"GRU", "xGH", "hidden_size!:2 linear_before_reset:b"},
    {"Gather", "xn", "axis:a"},
    {"GatherElements", "xn", "axis:a"},
    {"GatherND", "xn", "batch_dims:i"},
    {"Gelu", "x", "approximate:none|tanh"},
    {"Gemm", "xm?y", "alpha:f beta:f transA:b transB:b"},
    {"GlobalLpPool", "x", "p:i"},
    {"GridSample", "xr",
     "align_corners:b mode:bilinear|nearest|bicubic|linear|cubic "
     "padding_mode:zeros|border|reflection"},
    {"GroupNormalization", "xcc", "epsilon:f num_groups!:i"},
    {"HammingWindow", "K", "periodic:b"},
    {"HannWindow", "K", "periodic:b"},
    {"HardSigmoid", "x", "alpha:f beta:f"},
    {"Hardmax", "x", "axis:a"},
    {"InstanceNormalization", "xcc", "epsilon:f"},
    {"IsInf", "x", "detect_negative:b detect_positive:b"},
    {"LRN", "x", "size!:i alpha:f beta:f bias:f"},
    {"LSTM", "xGH", "hidden_size!:2"},
    {"LayerNormalization", "xl?l", "axis:a epsilon:f"},
    {"LeakyRelu", "x", "alpha:f"},
    {"LogSoftmax", "x", "axis:a"},
    {"LpNormalization", "x", "axis:a p:i"},
    {"LpPool", "x", "kernel_shape!:I p:i ceil_mode:b " ASSAY_WINDOW},
    {"MatMul", "xm", ""},
    {"MatMulInteger", "8m?zz", ""},
    {"Max", "xyy", ""},
    {"MaxPool", "x", "kernel_shape!:I ceil_mode:b " ASSAY_WINDOW},
    {"MaxRoiPool", "x5", "pooled_shape!:I spatial_scale:f"},
    {"Mean", "xyy", ""},
    {"MeanVarianceNormalization", "x", "axes:A"},
    {"MelWeightMatrix", "KKKqq", ""},
    {"Min", "xyy", ""},
    {"Mod", "xy", "fmod:b"},
    {"NonMaxSuppression", "XS?kqq", "center_point_box:b"},
    {"OneHot", "nKV", "axis:a"},
    {"Pad", "xp?s", "mode:constant|reflect|edge|wrap pads:R value:f"},
    {"QLinearConv", "8qzwqzqz", "group:g " ASSAY_WINDOW},
    {"QLinearMatMul", "8qzmqzqz", ""},
    {"QuantizeLinear", "x?qo", "axis:a"},
    {"RNN", "xGH", "hidden_size!:2"},
    {"Range", "KKK", ""},
    {"ReduceL1", "x?i", ASSAY_REDUCE},
    {"ReduceL2", "x?i", ASSAY_REDUCE},
    {"ReduceLogSum", "x?i", ASSAY_REDUCE},
    {"ReduceLogSumExp", "x?i", ASSAY_REDUCE},
    {"ReduceMax", "x?i", ASSAY_REDUCE},
    {"ReduceMean", "x?i", ASSAY_REDUCE},
    {"ReduceMin", "x?i", ASSAY_REDUCE},
    {"ReduceProd", "x?i", ASSAY_REDUCE},
    {"ReduceSum", "x?i", ASSAY_REDUCE},
    {"ReduceSumSquare", "x?i", ASSAY_REDUCE},
    {"Reshape", "xi", "allowzero:b"},
    {"Resize", "xeF?i",
     "mode:nearest|linear|cubic antialias:b exclude_outside:b axes:A "
     "coordinate_transformation_mode:half_pixel|asymmetric|align_corners|"
     "pytorch_half_pixel|half_pixel_symmetric "
     "nearest_mode:round_prefer_floor|floor|ceil|round_prefer_ceil"},
    {"ReverseSequence", "xL", "batch_axis!:0 time_axis!:1"},
    {"RoiAlign", "x4j",
     "output_height:i output_width:i sampling_ratio:i mode:avg|max "
     "coordinate_transformation_mode:half_pixel|output_half_pixel"},
    {"STFT", "xk", "onesided:b"},
    {"ScatterElements", "xnu", "axis:a reduction:none|add|mul|max|min"},
    {"ScatterND", "xnu", "reduction:none|add|mul|max|min"},
    {"Selu", "x", "alpha:f gamma:f"},
    {"Shape", "x", "start:i end:i"},
    {"Shrink", "x", "bias:f lambd:f"},
    {"Slice", "xkk?kk", "starts:k ends:k axes:k"},
    {"Softmax", "x", "axis:a"},
    {"SpaceToDepth", "x", "blocksize!:2"},
    {"Split", "x?i", "axis:a split:A num_outputs:2"},
    {"Squeeze", "x?k", "axes:A"},
    {"Sum", "xyy", ""},
    {"ThresholdedRelu", "x", "alpha:f"},
    {"Tile", "xi", ""},
    {"TopK", "xk", "axis:a largest:b sorted:b k:i"},
    {"Transpose", "x", "perm:T"},
    {"Trilu", "x?K", "upper:b"},
    {"Unique", "x", "axis:a sorted:b"},
    {"Unsqueeze", "xk", "axes:A"},
    {"Upsample", "xF", "mode:nearest|linear scales!:F"},
    {"Where", "bxy", ""},
};

#undef ASSAY_WINDOW
#undef ASSAY_REDUCE

constexpr OperatorRecipe kSame[] = {
    {"", "", ""}, {"", "x", ""}, {"", "xy", ""}, {"", "xyy", ""}};

// Operators with subgraphs, or whose results may be sequences and optional
// values, which no recipe describes.
constexpr const char* kExcluded[] = {
    "ConcatFromSequence",
    "If",
    "Loop",
    "Optional",
    "OptionalGetElement",
    "OptionalHasElement",
    "Scan",
    "SequenceAt",
    "SequenceConstruct",
    "SequenceEmpty",
    "SequenceErase",
    "SequenceInsert",
    "SequenceLength",
    "SequenceMap",
    "SplitToSequence",
};

}  // namespace

const OperatorRecipe* FindRecipe(absl::string_view op_type, int min_inputs) {
  for (const char* excluded : kExcluded) {
    if (op_type == excluded) return nullptr;
  }
  for (const OperatorRecipe& recipe : kRecipes) {
    if (op_type == recipe.op_type) return &recipe;
  }
  return &kSame[min_inputs < 3 ? min_inputs : 3];
}

}  // namespace assay::fuzz
