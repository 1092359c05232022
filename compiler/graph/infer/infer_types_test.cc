#include "compiler/graph/infer/infer_types.h"

#include <string>

#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

// The inferred type of `op` over comma-free type texts, or the error.
std::string Infer(OpKind kind, const Attrs& attrs,
                  std::initializer_list<absl::string_view> inputs) {
  std::vector<TensorType> types;
  for (absl::string_view text : inputs) {
    absl::StatusOr<TensorType> type = TensorType::Parse(text);
    CHECK(type.ok()) << type.status();
    types.push_back(*std::move(type));
  }
  const auto result = InferTypes(kind, attrs, types);
  if (!result.ok()) return std::string(result.status().message());
  return result->at(0).ToString();
}

std::string Conv(const Conv2dAttrs& attrs, absl::string_view data,
                 absl::string_view weights) {
  return Infer(OpKind::kConv2d, attrs, {data, weights});
}

TEST(InferTypesTest, Conv2d) {
  Conv2dAttrs a;
  a.strides = {2, 2};
  a.padding = {3, 3, 3, 3};
  EXPECT_EQ(Conv(a, "float32[1,3,224,224]", "float32[64,3,7,7]"),
            "float32[1,64,112,112]");
  a = Conv2dAttrs();
  a.dilations = {2, 3};
  a.padding = {1, 2, 0, 3};
  EXPECT_EQ(Conv(a, "float32[2,4,9,11]", "float32[5,4,3,3]"),
            "float32[2,5,6,10]");
  a = Conv2dAttrs();
  a.groups = 2;
  EXPECT_EQ(Conv(a, "float32[1,4,3,3]", "float32[6,2,1,1]"),
            "float32[1,6,3,3]");
}

TEST(InferTypesTest, Conv2dErrors) {
  Conv2dAttrs a;
  EXPECT_EQ(Conv(a, "float32[1,3,8,8]", "float32[4,2,3,3]"),
            "data has 3 channels in 1 groups but weights expect 2 per group");
  EXPECT_EQ(Conv(a, "float32[1,3,2,2]", "float32[4,3,3,3]"),
            "the window [3,3] with dilations [1,1] does not fit in data of 2 "
            "by 2 with padding [0,0,0,0]");
  EXPECT_EQ(Conv(a, "float64[1,3,8,8]", "float32[4,3,3,3]"),
            "operands are float64[1,3,8,8] and float32[4,3,3,3]; two of "
            "float32, float16 or bfloat16, or any of int8, uint8 and int16 are "
            "supported");
  EXPECT_EQ(Conv(a, "float32[1,3,8]", "float32[4,3,3,3]"),
            "data is float32[1,3,8] but rank 4 is needed");
  EXPECT_EQ(Conv(a, "float32[1,3,8,8]", "float32[4,3,3]"),
            "weights are float32[4,3,3] but rank 4 is needed");
  EXPECT_EQ(Conv(a, "float32[1,3,0,8]", "float32[4,3,3,3]"),
            "operand 0 is float32[1,3,0,8] and has no elements");
  EXPECT_EQ(Infer(OpKind::kConv2d, a, {"float32[1,3,8,8]"}),
            "takes 2 operands, not 1");
  a.strides = {0, 1};
  EXPECT_EQ(Conv(a, "float32[1,3,8,8]", "float32[4,3,3,3]"),
            "strides [0,1] is out of range; every entry lies between 1 and "
            "16777216");
  a = Conv2dAttrs();
  a.padding = {-1, 0, 0, 0};
  EXPECT_EQ(Conv(a, "float32[1,3,8,8]", "float32[4,3,3,3]"),
            "padding [-1,0,0,0] is out of range; every entry lies between 0 "
            "and 16777216");
  a = Conv2dAttrs();
  a.groups = 2;
  EXPECT_EQ(Conv(a, "float32[1,3,8,8]", "float32[4,3,3,3]"),
            "2 groups do not divide 3 channels and 4 filters");
  a = Conv2dAttrs();
  a.padding = {1 << 24, 1 << 24, 1 << 24, 1 << 24};
  EXPECT_EQ(Conv(a, "float32[1,3,8,8]", "float32[4,3,3,3]"),
            "shape [1,4,33554438,33554438] is too large");
}

TEST(InferTypesTest, Pools) {
  Pool2dAttrs a;
  a.kernel = {3, 3};
  a.strides = {2, 2};
  a.padding = {1, 1, 1, 1};
  EXPECT_EQ(Infer(OpKind::kMaxPool2d, a, {"float32[1,64,112,112]"}),
            "float32[1,64,56,56]");
  a.padding = {0, 0, 0, 0};
  EXPECT_EQ(Infer(OpKind::kMaxPool2d, a, {"float32[1,1,6,6]"}),
            "float32[1,1,2,2]");
  a.ceil_mode = true;
  EXPECT_EQ(Infer(OpKind::kMaxPool2d, a, {"float32[1,1,6,6]"}),
            "float32[1,1,3,3]");
  a.padding = {3, 0, 0, 0};
  EXPECT_EQ(Infer(OpKind::kMaxPool2d, a, {"float32[1,1,6,6]"}),
            "padding [3,0,0,0] is not smaller than the window [3,3]");
  EXPECT_EQ(Infer(OpKind::kGlobalAvgPool2d, NoAttrs(), {"float32[2,5,7,3]"}),
            "float32[2,5,1,1]");
}

TEST(InferTypesTest, CeilModeStartsNoWindowInTrailingPadding) {
  // Width 2, stride 2, padding 1: the third window would begin behind the data.
  EXPECT_EQ(WindowExtent(3, 2, 2, 1, 1, 1, true), 2);
  EXPECT_EQ(WindowExtent(4, 2, 2, 1, 0, 0, true), 2);
  EXPECT_EQ(WindowExtent(5, 2, 2, 1, 0, 0, true), 3);
  EXPECT_EQ(WindowExtent(5, 2, 2, 1, 0, 0, false), 2);
  EXPECT_EQ(WindowExtent(1, 3, 1, 1, 0, 0, false), 0);
}

TEST(InferTypesTest, BatchNormAndDense) {
  EXPECT_EQ(Infer(OpKind::kBatchNorm, BatchNormAttrs(),
                  {"float32[1,3,4,4]", "float32[3]", "float32[3]", "float32[3]",
                   "float32[3]"}),
            "float32[1,3,4,4]");
  EXPECT_EQ(Infer(OpKind::kBatchNorm, BatchNormAttrs(),
                  {"float32[1,3,4,4]", "float32[3]", "float32[4]", "float32[3]",
                   "float32[3]"}),
            "operand 2 is float32[4] but data has 3 channels");
  EXPECT_EQ(Infer(OpKind::kBatchNorm, BatchNormAttrs{-1},
                  {"float32[1,1]", "float32[1]", "float32[1]", "float32[1]",
                   "float32[1]"}),
            "epsilon -1 is not a positive number");
  EXPECT_EQ(
      Infer(OpKind::kDense, NoAttrs(), {"float32[2,512]", "float32[10,512]"}),
      "float32[2,10]");
  EXPECT_EQ(
      Infer(OpKind::kDense, NoAttrs(), {"float32[2,512]", "float32[512,10]"}),
      "operands are float32[2,512] and float32[512,10] but [n,k] and [m,k] "
      "are needed");
}

TEST(InferTypesTest, Matmul) {
  EXPECT_EQ(
      Infer(OpKind::kMatmul, NoAttrs(), {"float32[5,1,2,3]", "float32[4,3,7]"}),
      "float32[5,4,2,7]");
  EXPECT_EQ(
      Infer(OpKind::kMatmul, NoAttrs(), {"float32[2,512]", "float32[10,512]"}),
      "operands are float32[2,512] and float32[10,512] but [...,m,k] and "
      "[...,k,n] are needed");
}

TEST(InferTypesTest, ProductsOfNarrowTypesHaveWideResults) {
  EXPECT_EQ(Infer(OpKind::kMatmul, NoAttrs(), {"uint8[2,3]", "int8[3,7]"}),
            "int32[2,7]");
  EXPECT_EQ(Infer(OpKind::kDense, NoAttrs(), {"int16[2,3]", "int8[7,3]"}),
            "int32[2,7]");
  EXPECT_EQ(Conv(Conv2dAttrs(), "float16[1,3,8,8]", "float16[4,3,3,3]"),
            "float32[1,4,6,6]");
  EXPECT_EQ(Infer(OpKind::kMatmul, NoAttrs(), {"int32[2,3]", "int8[3,7]"}),
            "operands are int32[2,3] and int8[3,7]; two of float32, float16 "
            "or bfloat16, or any of int8, uint8 and int16 are supported");
}

TEST(InferTypesTest, Elementwise) {
  EXPECT_EQ(
      Infer(OpKind::kAdd, NoAttrs(), {"float32[1,8,4,4]", "float32[8,1,1]"}),
      "float32[1,8,4,4]");
  EXPECT_EQ(Infer(OpKind::kMultiply, NoAttrs(), {"int64[]", "int64[3]"}),
            "int64[3]");
  EXPECT_EQ(Infer(OpKind::kAdd, NoAttrs(), {"float32[2]", "int64[2]"}),
            "operands are float32[2] and int64[2], of different element "
            "types");
  EXPECT_EQ(Infer(OpKind::kRelu, NoAttrs(), {"bool[2]"}),
            "element type bool is not supported; floats and integers are");
  EXPECT_EQ(Infer(OpKind::kShiftLeft, NoAttrs(), {"int8[2]", "int8[2]"}),
            "element type int8 is not supported; unsigned integers are");
  EXPECT_EQ(Infer(OpKind::kLess, NoAttrs(), {"uint8[2,1]", "uint8[3]"}),
            "bool[2,3]");
  EXPECT_EQ(
      Infer(OpKind::kSelect, NoAttrs(), {"bool[2,1]", "int8[3]", "int8[]"}),
      "int8[2,3]");
  EXPECT_EQ(Infer(OpKind::kSelect, NoAttrs(), {"int8[]", "int8[]", "int8[]"}),
            "operand 0 is int8[] but bool is needed");
  EXPECT_EQ(Infer(OpKind::kBroadcastTo, ReshapeAttrs{{2, 3}}, {"int8[2]"}),
            "operand is int8[2], which does not broadcast to [2,3]");
  EXPECT_EQ(Infer(OpKind::kSigmoid, NoAttrs(), {"int32[2]"}),
            "element type int32 is not supported; floats are");
  EXPECT_EQ(Infer(OpKind::kErf, NoAttrs(), {"float64[2]"}),
            "element type float64 is not supported; float32, float16 and "
            "bfloat16 are");
  EXPECT_EQ(Infer(OpKind::kGelu, NoAttrs(), {"float16[2]"}), "float16[2]");
}

TEST(InferTypesTest, ShapeOperators) {
  EXPECT_EQ(Infer(OpKind::kReshape, ReshapeAttrs{{6}}, {"float32[2,3]"}),
            "float32[6]");
  EXPECT_EQ(Infer(OpKind::kReshape, ReshapeAttrs{{-1}}, {"float32[2,3]"}),
            "shape [-1] has a negative extent");
  EXPECT_EQ(Infer(OpKind::kReshape, ReshapeAttrs{{5}}, {"float32[2,3]"}),
            "shape [5] has 5 elements but the operand is float32[2,3]");
  EXPECT_EQ(
      Infer(OpKind::kTranspose, TransposeAttrs{{2, 0, 1}}, {"int8[2,3,4]"}),
      "int8[4,2,3]");
  for (const TransposeAttrs& bad :
       {TransposeAttrs{{0, 1}}, TransposeAttrs{{0, 1, 1}},
        TransposeAttrs{{0, 1, 3}}, TransposeAttrs{{0, 1, 2, 0}}}) {
    EXPECT_NE(Infer(OpKind::kTranspose, bad, {"int8[2,3,4]"})
                  .find("is not a permutation"),
              std::string::npos);
  }
  EXPECT_EQ(Infer(OpKind::kConcat, ConcatAttrs{1},
                  {"int64[2,3]", "int64[2,1]", "int64[2,0]"}),
            "int64[2,4]");
  EXPECT_EQ(Infer(OpKind::kConcat, ConcatAttrs{1}, {"int64[2,3]", "int64[3]"}),
            "operand 1 is int64[3] and operand 0 int64[2,3]; they may differ "
            "only on axis 1");
  EXPECT_EQ(Infer(OpKind::kConcat, ConcatAttrs{2}, {"int64[2,3]"}),
            "axis 2 is not an axis of int64[2,3]");
  EXPECT_EQ(Infer(OpKind::kConcat, ConcatAttrs{0}, {}),
            "takes at least one operand");
  EXPECT_EQ(
      Infer(OpKind::kGather, GatherAttrs{1}, {"float32[2,3,4]", "int64[5,6]"}),
      "float32[2,5,6,4]");
  EXPECT_EQ(Infer(OpKind::kGather, GatherAttrs{0}, {"int64[4]", "int64[]"}),
            "int64[]");
  EXPECT_EQ(Infer(OpKind::kGather, GatherAttrs{0}, {"int64[4]", "int32[]"}),
            "indices are int32[], not int64");
}

TEST(InferTypesTest, ComputedIndices) {
  EXPECT_EQ(Infer(OpKind::kGatherElements, GatherAttrs{1},
                  {"int8[2,3]", "int64[2,9]"}),
            "int8[2,9]");
  EXPECT_EQ(Infer(OpKind::kGatherElements, GatherAttrs{1},
                  {"int8[2,3]", "int64[3,9]"}),
            "indices are int64[3,9] but data is int8[2,3]; only axis 1 may be "
            "larger");
  EXPECT_EQ(Infer(OpKind::kGatherNd, GatherNdAttrs{1},
                  {"int8[2,3,4]", "int64[2,5,1]"}),
            "int8[2,5,4]");
  EXPECT_EQ(Infer(OpKind::kScatterNd, ScatterNdAttrs{},
                  {"int8[2,3]", "int64[5,1]", "int8[5,2]"}),
            "updates are int8[5,2] but int8[5,3] is needed");
  EXPECT_EQ(Infer(OpKind::kArgSort, ArgSortAttrs{1, 3}, {"int8[2,3]"}),
            "int64[2,3]");
  EXPECT_EQ(Infer(OpKind::kCumSum, CumSumAttrs{2}, {"int8[2,3]"}),
            "axis 2 is not an axis of int8[2,3]");
}

TEST(InferTypesTest, RejectsIndicesIntoEmptyAxis) {
  const std::string error =
      "indices are int64[2,1] but data is int8[2,0] and has no elements to "
      "pick";
  const auto infer = [](OpKind kind, const Attrs& attrs,
                        absl::string_view indices) {
    return Infer(kind, attrs, {"int8[2,0]", indices});
  };
  const auto scatter = [](OpKind kind, const Attrs& attrs,
                          absl::string_view indices,
                          absl::string_view updates) {
    return Infer(kind, attrs, {"int8[2,0]", indices, updates});
  };
  EXPECT_EQ(infer(OpKind::kGather, GatherAttrs{1}, "int64[2,1]"), error);
  EXPECT_EQ(infer(OpKind::kGather, GatherAttrs{0}, "int64[3]"), "int8[3,0]");
  EXPECT_EQ(infer(OpKind::kGather, GatherAttrs{1}, "int64[0]"), "int8[2,0]");
  EXPECT_EQ(infer(OpKind::kGatherElements, GatherAttrs{1}, "int64[2,1]"),
            error);
  EXPECT_EQ(infer(OpKind::kGatherElements, GatherAttrs{1}, "int64[2,0]"),
            "int8[2,0]");
  EXPECT_EQ(infer(OpKind::kGatherNd, GatherNdAttrs{1}, "int64[2,1]"), error);
  EXPECT_EQ(infer(OpKind::kGatherNd, GatherNdAttrs{0}, "int64[2,1]"),
            "int8[2,0]");
  EXPECT_EQ(scatter(OpKind::kScatterElements, ScatterElementsAttrs{1},
                    "int64[2,1]", "int8[2,1]"),
            error);
  EXPECT_EQ(
      scatter(OpKind::kScatterNd, ScatterNdAttrs{}, "int64[1,2]", "int8[1]"),
      "indices are int64[1,2] but data is int8[2,0] and has no elements "
      "to pick");
  EXPECT_EQ(
      scatter(OpKind::kScatterNd, ScatterNdAttrs{}, "int64[0,2]", "int8[0]"),
      "int8[2,0]");
}

TEST(InferTypesTest, Reductions) {
  ReduceAttrs attrs;
  attrs.axes = {0, 2};
  EXPECT_EQ(Infer(OpKind::kReduceSum, attrs, {"int32[2,3,4]"}), "int32[3]");
  attrs.keepdims = true;
  EXPECT_EQ(Infer(OpKind::kReduceMax, attrs, {"float32[2,3,4]"}),
            "float32[1,3,1]");
  EXPECT_EQ(Infer(OpKind::kReduceMean, attrs, {"int32[2,3,4]"}),
            "element type int32 is not supported; float32 and float64 are");
  attrs.axes = {2, 0};
  EXPECT_EQ(Infer(OpKind::kReduceSum, attrs, {"float32[2,3,4]"}),
            "axes [2,0] are not ascending axes of float32[2,3,4]");
  attrs.axes = {};
  EXPECT_EQ(Infer(OpKind::kReduceSum, attrs, {"float32[2]"}),
            "no axis is to be reduced");
  EXPECT_EQ(Infer(OpKind::kArgMax, ArgReduceAttrs{1, false, true},
                  {"float32[2,3,4]"}),
            "int64[2,4]");
  EXPECT_EQ(Infer(OpKind::kArgMin, ArgReduceAttrs{1, true}, {"int32[2,3]"}),
            "int64[2,1]");
  EXPECT_EQ(Infer(OpKind::kArgMin, ArgReduceAttrs{2}, {"int32[2,3]"}),
            "axis 2 is not an axis of int32[2,3]");
  EXPECT_EQ(Infer(OpKind::kArgMax, ArgReduceAttrs{0}, {"bool[2]"}),
            "element type bool is not supported; float32, float64 and "
            "integers are");
  EXPECT_EQ(Infer(OpKind::kSoftmax, SoftmaxAttrs{2}, {"float32[2,3]"}),
            "axis 2 is not an axis of float32[2,3]");
  EXPECT_EQ(Infer(OpKind::kLayerNorm, LayerNormAttrs{1, 0.1f},
                  {"float32[2,3]", "float32[2]", "float32[3]"}),
            "operand 1 is float32[2] but the normalised axes are [3]");
}

TEST(InferTypesTest, DataOperators) {
  SliceAttrs slice;
  slice.begins = {1, 2};
  slice.steps = {1, -2};
  slice.sizes = {3, 2};
  EXPECT_EQ(Infer(OpKind::kSlice, slice, {"bool[4,3]"}), "bool[3,2]");
  EXPECT_EQ(Infer(OpKind::kSlice, slice, {"bool[3,3]"}),
            "begins [1,2], steps [1,-2] and sizes [3,2] leave bool[3,3]");
  PadAttrs pad;
  pad.before = {1, 0};
  pad.after = {0, 2};
  EXPECT_EQ(Infer(OpKind::kPad, pad, {"int8[4,3]"}), "int8[5,5]");
  CastAttrs cast;
  cast.dtype = DType::BFloat16();
  EXPECT_EQ(Infer(OpKind::kCast, cast, {"bool[4]"}), "bfloat16[4]");
  QuantizeAttrs quantize;
  quantize.dtype = DType::UInt(8);
  EXPECT_EQ(Infer(OpKind::kQuantize, quantize,
                  {"float32[2,3]", "float32[3]", "uint8[]"}),
            "uint8[2,3]");
  EXPECT_EQ(Infer(OpKind::kQuantize, quantize,
                  {"float32[2,3]", "float32[2]", "uint8[]"}),
            "operand 1 is float32[2] but one element or one for each index of "
            "axis 1 of float32[2,3] is needed");
  EXPECT_EQ(Infer(OpKind::kRequantize, quantize,
                  {"float32[2,3]", "float32[]", "uint8[]"}),
            "operand 0 is float32[2,3] but int32 is needed");
  Conv2dTransposeAttrs conv;
  conv.strides = {2, 2};
  EXPECT_EQ(Infer(OpKind::kConv2dTranspose, conv,
                  {"float32[1,4,5,5]", "float32[4,2,3,3]"}),
            "float32[1,2,11,11]");
  EXPECT_EQ(Infer(OpKind::kConv2dTranspose, conv,
                  {"float32[1,4,5,5]", "float32[3,2,3,3]"}),
            "weights are float32[3,2,3,3] for data float32[1,4,5,5] in 1 "
            "groups");
}

TEST(InferTypesTest, ElementsAndWindowsAreStoredLikeTheOperands) {
  EXPECT_EQ(Infer(OpKind::kRelu, NoAttrs(), {"float32[1,8,3,3]@blocks(4)"}),
            "float32[1,8,3,3]@blocks(4)");
  EXPECT_EQ(Infer(OpKind::kAdd, NoAttrs(),
                  {"float32[8,1,1]", "float32[1,8,3,3]@blocks(4)"}),
            "float32[1,8,3,3]@blocks(4)");
  EXPECT_EQ(Infer(OpKind::kGlobalAvgPool2d, NoAttrs(),
                  {"float32[1,8,3,3]@blocks(4)"}),
            "float32[1,8,1,1]@blocks(4)");
  EXPECT_EQ(Infer(OpKind::kConcat, ConcatAttrs{1},
                  {"float32[1,8,3,3]@blocks(4)", "float32[1,4,3,3]@blocks(4)"}),
            "float32[1,12,3,3]@blocks(4)");
  // The slice does not consist of whole blocks.
  EXPECT_EQ(Infer(OpKind::kSlice,
                  SliceAttrs{{0, 0, 0, 0}, {1, 1, 1, 1}, {1, 6, 3, 3}},
                  {"float32[1,8,3,3]@blocks(4)"}),
            "float32[1,6,3,3]");
}

TEST(InferTypesTest, OtherResultsArePlain) {
  EXPECT_EQ(Infer(OpKind::kEncode, NoAttrs(), {"float32[1,8,3,3]@blocks(4)"}),
            "float32[1,8,3,3]");
  EXPECT_EQ(Infer(OpKind::kReshape, ReshapeAttrs{{8, 9}},
                  {"float32[1,8,3,3]@blocks(4)"}),
            "float32[8,9]");
  EXPECT_EQ(Conv(Conv2dAttrs(), "float32[1,8,3,3]@blocks(4)",
                 "float32[16,8,3,3]@filters(in=4,out=8)"),
            "float32[1,16,1,1]");
}

TEST(InferTypesTest, Recurrent) {
  RecurrentAttrs a;
  a.cell = RecurrentCell::kGru;
  a.reverse = {0, 1};
  a.functions.assign(4, Activation::kTanh);
  const auto infer = [&](absl::string_view x, absl::string_view weights,
                         absl::string_view state = "float32[2,5,21]") {
    return Infer(OpKind::kRecurrent, a,
                 {x, weights, "float32[2,2,3,16]", state});
  };
  const auto valid = [&] {
    return infer("float32[7,5,2,2,3,16]", "float32[2,2,3,21,16]");
  };
  EXPECT_EQ(valid(), "float32[7,2,5,21]");
  EXPECT_EQ(
      infer("float32[7,5,2,2,3,16]", "float32[2,2,3,21,16]", "float32[2,4,21]"),
      "operand 3 is float32[2,4,21] but float32[2,5,21] is needed");
  EXPECT_EQ(
      infer("float32[7,5,2,2,3,16]", "float32[2,2,3,33,16]", "float32[2,5,33]"),
      "2 panels of 16 units do not hold 33 units");
  EXPECT_EQ(infer("float32[7,5,1,2,3,16]", "float32[2,2,3,21,16]"),
            "operand 0 is float32[7,5,1,2,3,16] but float32[7,5,2,2,3,16] is "
            "needed");
  EXPECT_EQ(infer("float16[7,5,2,2,3,16]", "float16[2,2,3,21,16]"),
            "operand 0 is float16[7,5,2,2,3,16]; only float32 and float64 are "
            "supported");
  EXPECT_EQ(infer("float32[0,5,2,2,3,16]", "float32[2,2,3,21,16]"),
            "operand 0 is float32[0,5,2,2,3,16] and has no elements");
  a.lengths = true;
  EXPECT_EQ(valid(), "takes 5 operands, not 4");
  a.lengths = false;
  a.peepholes = true;
  EXPECT_EQ(valid(), "input_forget, peepholes and quantized are only for lstm");
  a.peepholes = false;
  a.clip = 0;
  EXPECT_EQ(valid(), "clip 0 is not a positive number");
  a.clip = 1;
  a.alphas = {1};
  EXPECT_EQ(valid(), "there are 1 parameters for 4 functions");
  a.alphas.clear();
  a.functions.pop_back();
  EXPECT_EQ(valid(), "there are 3 functions but 4 are needed");
  a.functions.push_back(Activation::kTanh);
  a.reverse = {0, 2};
  EXPECT_EQ(valid(), "reverse has the entry 2; only 0 and 1 are allowed");
  a.reverse = {};
  EXPECT_EQ(valid(), "reverse has 0 entries; 1 or 2 are needed");
}

}  // namespace
}  // namespace assay::graph
