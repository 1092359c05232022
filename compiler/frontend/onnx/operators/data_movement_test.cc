// Slice, Split, Pad, Cast, quantization, ConvTranspose and Resize: imports one
// ONNX node and compares the text of the graph.
#include "compiler/frontend/onnx/testing/one_node.h"
#include "compiler/graph/reference/evaluate.h"
#include "gtest/gtest.h"

namespace assay::frontend {
namespace {

TEST(SliceTest, AttributesAndInputs) {
  EXPECT_EQ(OneNode("Slice", 9)
                .Data({4, 6})
                .Ints("starts", {1, -3})
                .Ints("ends", {100, -1})
                .Text(),
            "%1: float32[3,2] = slice(%x0) {begins=[1,3], steps=[1,1], "
            "sizes=[3,2]} \"n\"");
  EXPECT_EQ(OneNode("Slice", 13)
                .Data({4, 6})
                .Int64s({5})
                .Int64s({-100})
                .Int64s({-1})
                .Int64s({-2})
                .Text(),
            "%5: float32[4,3] = slice(%x0) {begins=[0,5], steps=[1,-2], "
            "sizes=[4,3]} \"n\"");
  EXPECT_EQ(OneNode("Slice", 13).Data({4}).Int64s({2}).Int64s({1}).Text(),
            "%3: float32[0] = slice(%x0) {begins=[0], steps=[1], sizes=[0]} "
            "\"n\"");
  EXPECT_EQ(OneNode("Slice", 13)
                .Data({4})
                .Int64s({0})
                .Int64s({4})
                .Int64s({0})
                .Int64s({0})
                .Text(),
            "error: node `n` (Slice): the step of axis 0 is 0");
  EXPECT_EQ(OneNode("Slice", 9).Data({4}).Ints("starts", {1}).Text(),
            "error: node `n` (Slice): attribute `ends` is missing");
}

TEST(SplitTest, EqualAndGivenParts) {
  EXPECT_EQ(OneNode("Split", 12).Data({6}).Result("z").Text(),
            "%1: float32[3] = slice(%x0) {begins=[0], steps=[1], sizes=[3]} "
            "\"n\"\n"
            "%2: float32[3] = slice(%x0) {begins=[3], steps=[1], sizes=[3]} "
            "\"n\"");
  EXPECT_EQ(
      OneNode("Split", 13).Data({6}).Int64s({4, 2}).Result("z").Text(),
      "%2: float32[4] = slice(%x0) {begins=[0], steps=[1], sizes=[4]} \"n\"\n"
      "%3: float32[2] = slice(%x0) {begins=[4], steps=[1], sizes=[2]} \"n\"");
  EXPECT_EQ(OneNode("Split", 13).Data({6}).Int64s({4, 1}).Result("z").Text(),
            "error: node `n` (Split): the extents [4,1] do not make up axis 0 "
            "of float32[6]");
  EXPECT_EQ(OneNode("Split", 12).Data({5}).Result("z").Text(),
            "error: node `n` (Split): 2 equal parts do not make up float32[5]");
}

TEST(PadTest, ConstantByOpset) {
  EXPECT_EQ(OneNode("Pad", 10)
                .Data({2, 3})
                .Ints("pads", {0, 1, 2, 0})
                .Float("value", 1.5f)
                .Text(),
            "%1: float32[4,4] = pad(%x0) {before=[0,1], after=[2,0], "
            "value=1.5} \"n\"");
  EXPECT_EQ(OneNode("Pad", 11).Data({2, 3}).Int64s({0, 1, 2, 0}).Text(),
            "%2: float32[4,4] = pad(%x0) {before=[0,1], after=[2,0]} \"n\"");
  EXPECT_EQ(OneNode("Pad", 18)
                .Data({2, 3})
                .Int64s({1, 0})
                .LeaveOut()
                .Int64s({-1})
                .Text(),
            "%3: float32[2,4] = pad(%x0) {before=[0,1], after=[0,0]} \"n\"");
  EXPECT_EQ(OneNode("Pad", 11).Data({2, 3}).Int64s({0, -1, 0, 0}).Text(),
            "%2: float32[2,2] = slice(%x0) {begins=[0,1], steps=[1,1], "
            "sizes=[2,2]} \"n\"");
}

TEST(PadTest, ValueComputedAtRunTime) {
  EXPECT_EQ(
      OneNode("Pad", 13).Data({2, 3}).Int64s({0, 1, 1, 0}).Data({1}).Text(),
      "%3: float32[] = reshape(%x2) {shape=[]} \"n\"\n"
      "%4: float32[1,3] = broadcast_to(%3) {shape=[1,3]} \"n\"\n"
      "%5: float32[3,3] = concat(%x0, %4) {axis=0} \"n\"\n"
      "%6: float32[3,1] = broadcast_to(%3) {shape=[3,1]} \"n\"\n"
      "%7: float32[3,4] = concat(%6, %5) {axis=1} \"n\"");
  EXPECT_EQ(OneNode("Pad", 13).Data({2}).Int64s({0, 1}).Data({2}).Text(),
            "error: node `n` (Pad): input 2 (constant_value) is float32[2] but "
            "one number is needed");
}

TEST(PadTest, OtherModesRepeatElements) {
  EXPECT_EQ(OneNode("Pad", 11)
                .Data({3})
                .Int64s({2, 1})
                .String("mode", "reflect")
                .Text(),
            "%3: float32[6] = gather(%x0, %2) {axis=0} \"n\"");
  EXPECT_EQ(
      OneNode("Pad", 11).Data({3}).Int64s({2, 1}).String("mode", "wrap").Text(),
      "error: node `n` (Pad): attribute `mode` is `wrap` but constant, "
      "edge, reflect is needed");
}

// The first output for the input 1, 2, 3, ….
std::vector<float> Evaluated(const OneNode& node, const Shape& shape) {
  const auto graph = node.Import();
  EXPECT_TRUE(graph.ok()) << graph.status();
  if (!graph.ok()) return {};
  NDArray x(DType::Float32(), shape);
  float next = 1;
  for (float& v : x.data<float>()) v = next++;
  const auto results = graph::Evaluate(**graph, {x});
  EXPECT_TRUE(results.ok()) << results.status();
  const auto data = (*results)[0].data<float>();
  return {data.begin(), data.end()};
}

using V = std::vector<float>;

TEST(PadTest, Values) {
  const auto pad = [](const char* mode) {
    return Evaluated(
        OneNode("Pad", 19).Data({3}).Int64s({2, 2}).String("mode", mode), {3});
  };
  EXPECT_EQ(pad("reflect"), (V{3, 2, 1, 2, 3, 2, 1}));
  EXPECT_EQ(pad("edge"), (V{1, 1, 1, 2, 3, 3, 3}));
  EXPECT_EQ(pad("wrap"), (V{2, 3, 1, 2, 3, 1, 2}));
}

NDArray Scales(const V& values) {
  return NDArray::FromVector<float>({static_cast<int64_t>(values.size())},
                                    values);
}

// Expected values are those of examples in the ONNX specification, if it has
// any.
TEST(ResizeTest, Nearest) {
  EXPECT_EQ(Evaluated(OneNode("Resize", 10)
                          .Data({1, 1, 2, 2})
                          .Constant(Scales({1, 1, 2, 3})),
                      {1, 1, 2, 2}),
            (V{1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2,
               3, 3, 3, 4, 4, 4, 3, 3, 3, 4, 4, 4}));
  EXPECT_EQ(Evaluated(OneNode("Resize", 13)
                          .Data({1, 1, 2, 4})
                          .LeaveOut()
                          .Constant(Scales({1, 1, 0.6f, 0.6f})),
                      {1, 1, 2, 4}),
            (V{1, 3}));
  EXPECT_EQ(
      Evaluated(OneNode("Upsample", 9).Data({1, 2}).Constant(Scales({2, 2})),
                {1, 2}),
      (V{1, 1, 2, 2, 1, 1, 2, 2}));
}

TEST(ResizeTest, Linear) {
  const auto resize = [](const char* coordinates) {
    return Evaluated(OneNode("Resize", 11)
                         .Data({1, 1, 2, 2})
                         .LeaveOut()
                         .Constant(Scales({1, 1, 2, 2}))
                         .String("mode", "linear")
                         .String("coordinate_transformation_mode", coordinates),
                     {1, 1, 2, 2});
  };
  EXPECT_EQ(resize("half_pixel"),
            (V{1, 1.25f, 1.75f, 2, 1.5f, 1.75f, 2.25f, 2.5f, 2.5f, 2.75f, 3.25f,
               3.5f, 3, 3.25f, 3.75f, 4}));
  const V aligned = resize("align_corners");
  ASSERT_EQ(aligned.size(), 16u);
  EXPECT_FLOAT_EQ(aligned[1], 1.33333333f);
  EXPECT_FLOAT_EQ(aligned[4], 1.66666667f);
}

TEST(ResizeTest, CubicAndSizes) {
  const V y = Evaluated(OneNode("Resize", 11)
                            .Data({1, 1, 4, 4})
                            .LeaveOut()
                            .LeaveOut()
                            .Int64s({1, 1, 8, 8})
                            .String("mode", "cubic"),
                        {1, 1, 4, 4});
  ASSERT_EQ(y.size(), 64u);
  EXPECT_NEAR(y[0], 0.47265625f, 1e-5);
  EXPECT_NEAR(y[1], 0.76953125f, 1e-5);
  EXPECT_NEAR(y[63], 16.52734375f, 1e-5);
}

TEST(ResizeTest, CropsAndAntialiases) {
  const V cropped = Evaluated(
      OneNode("Resize", 11)
          .Data({1, 1, 4, 4})
          .Constant(Scales({0, 0, 0.4f, 0.6f, 1, 1, 0.6f, 0.8f}))
          .LeaveOut()
          .Int64s({1, 1, 3, 3})
          .String("mode", "linear")
          .String("coordinate_transformation_mode", "tf_crop_and_resize"),
      {1, 1, 4, 4});
  const V expected = {7.6f, 7.9f, 8.2f, 8.8f, 9.1f, 9.4f, 10, 10.3f, 10.6f};
  ASSERT_EQ(cropped.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(cropped[i], expected[i], 1e-5) << i;
  }
  // A crop region twice as large as the data.
  EXPECT_EQ(Evaluated(OneNode("Resize", 13)
                          .Data({3})
                          .Constant(Scales({-0.5f, 1.5f}))
                          .LeaveOut()
                          .Int64s({5})
                          .String("coordinate_transformation_mode",
                                  "tf_crop_and_resize")
                          .Float("extrapolation_value", 9),
                      {3}),
            (V{9, 1, 2, 3, 9}));
  const V smooth = Evaluated(OneNode("Resize", 18)
                                 .Data({1, 1, 4, 4})
                                 .LeaveOut()
                                 .Constant(Scales({1, 1, 0.6f, 0.6f}))
                                 .Int("antialias", 1)
                                 .String("mode", "linear"),
                             {1, 1, 4, 4});
  ASSERT_EQ(smooth.size(), 4u);
  EXPECT_NEAR(smooth[0], 2.875f, 1e-5);
  EXPECT_NEAR(smooth[3], 11.0f, 1e-5);
}

// Sizes and scales of some axes only, in any order.
TEST(ResizeTest, Axes) {
  EXPECT_EQ(Evaluated(OneNode("Resize", 18)
                          .Data({1, 1, 2, 2})
                          .LeaveOut()
                          .Constant(Scales({3, 2}))
                          .Ints("axes", {-1, 2}),
                      {1, 1, 2, 2}),
            (V{1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2,
               3, 3, 3, 4, 4, 4, 3, 3, 3, 4, 4, 4}));
  EXPECT_EQ(Evaluated(OneNode("Resize", 19)
                          .Data({1, 1, 2, 2})
                          .LeaveOut()
                          .LeaveOut()
                          .Int64s({3})
                          .Ints("axes", {3}),
                      {1, 1, 2, 2}),
            (V{1, 1, 2, 3, 3, 4}));
}

// An image of 2x4 pixels that becomes 3x7 has scales of 1.5 and 1.75.
TEST(ResizeTest, OneScaleKeepsTheAspectRatio) {
  const auto resize = [](const char* policy) {
    return OneNode("Resize", 18)
        .Data({1, 1, 2, 4})
        .LeaveOut()
        .LeaveOut()
        .Int64s({3, 7})
        .Ints("axes", {2, 3})
        .String("keep_aspect_ratio_policy", policy);
  };
  // 3x6 and, 3.5 being rounded up, 4x7.
  EXPECT_EQ(Evaluated(resize("not_larger"), {1, 1, 2, 4}),
            (V{1, 1, 2, 3, 3, 4, 1, 1, 2, 3, 3, 4, 5, 5, 6, 7, 7, 8}));
  EXPECT_EQ(Evaluated(resize("not_smaller"), {1, 1, 2, 4}).size(), 28u);
}

TEST(ResizeTest, Errors) {
  EXPECT_EQ(OneNode("Resize", 18)
                .Data({1, 2})
                .LeaveOut()
                .Constant(Scales({2, 2}))
                .Ints("axes", {1, -1})
                .Text(),
            "error: node `n` (Resize): axis 1 occurs twice in attribute "
            "`axes`");
  EXPECT_EQ(OneNode("Resize", 18)
                .Data({1, 2})
                .LeaveOut()
                .Constant(Scales({2, 2}))
                .Ints("axes", {1})
                .Text(),
            "error: node `n` (Resize): there are 2 scales for 1 axes");
  EXPECT_EQ(OneNode("Resize", 11)
                .Data({1, 2})
                .LeaveOut()
                .Constant(Scales({1, 2}))
                .String("coordinate_transformation_mode", "tf_crop_and_resize")
                .Text(),
            "error: node `n` (Resize): input 1 (roi) is left out but "
            "tf_crop_and_resize needs it");
  EXPECT_EQ(OneNode("Resize", 11).Data({1, 2}).LeaveOut().LeaveOut().Text(),
            "error: node `n` (Resize): one of input 2 (scales) and input 3 "
            "(sizes) is needed");
}

TEST(CastTest, ConvertsToEveryType) {
  EXPECT_EQ(OneNode("Cast", 13).Data({2}).Int("to", 7).Text(),
            "%1: int64[2] = cast(%x0) {dtype=int64} \"n\"");
  EXPECT_EQ(OneNode("Cast", 13).Data({2}).Int("to", 8).Text(),
            "error: node `n` (Cast): attribute `to` is `string`, an element "
            "type that is not supported");
}

// Attributes that newer definitions add.
TEST(NewAttributesTest, AreReadIfTheyChangeNothing) {
  EXPECT_EQ(OneNode("Cast", 24)
                .Data({2})
                .Int("to", 7)
                .String("round_mode", "nearest")
                .Text(),
            "%1: int64[2] = cast(%x0) {dtype=int64} \"n\"");
  EXPECT_EQ(OneNode("Cast", 23)
                .Data({2})
                .Int("to", 7)
                .String("round_mode", "nearest")
                .Text(),
            "error: node `n` (Cast): attribute `round_mode` is not supported "
            "for Cast in opset 23");
  EXPECT_EQ(OneNode("QuantizeLinear", 23)
                .Data({2, 3})
                .Data({})
                .Int("precision", 1)
                .Text(),
            "%3: uint8[2,3] = quantize(%x0, %x1, %2) {axis=0, dtype=uint8} "
            "\"n\"");
  EXPECT_EQ(OneNode("QuantizeLinear", 23)
                .Data({2, 3})
                .Data({})
                .Int("precision", 10)
                .Text(),
            "error: node `n` (QuantizeLinear): attribute `precision` is "
            "float16; only float32 is supported");
  EXPECT_EQ(OneNode("DequantizeLinear", 23)
                .Data({2, 3}, onnx::TensorProto::UINT8)
                .Data({})
                .Int("output_dtype", 17)
                .Text(),
            "error: node `n` (DequantizeLinear): attribute `output_dtype` is "
            "`float8e4m3fn`, an element type that is not supported");
  EXPECT_EQ(OneNode("Mod", 28).Data({2}).Data({2}).Text(),
            "error: node `n` (Mod): attribute `fmod` is 0 and the operands are "
            "float32[2]; the floored remainder of floats is not supported");
}

TEST(SpaceToDepthTest, OrdersBlocksAndChannels) {
  const auto text = [](int opset, const char* mode) {
    OneNode node("SpaceToDepth", opset);
    node.Data({1, 3, 2, 4}).Int("blocksize", 2);
    if (mode != nullptr) node.String("mode", mode);
    return node.Text();
  };
  const auto rearranged = [](const char* perm, const char* shape) {
    return std::string(
               "%1: float32[1,3,1,2,2,2] = reshape(%x0) "
               "{shape=[1,3,1,2,2,2]} \"n\"\n%2: float32") +
           shape + " = transpose(%1) {perm=" + perm +
           "} \"n\"\n"
           "%3: float32[1,12,1,2] = reshape(%2) {shape=[1,12,1,2]} \"n\"";
  };
  EXPECT_EQ(text(13, nullptr), rearranged("[0,3,5,1,2,4]", "[1,2,2,3,1,2]"));
  EXPECT_EQ(text(28, "DCR"), text(13, nullptr));
  EXPECT_EQ(text(28, "CRD"), rearranged("[0,1,3,5,2,4]", "[1,3,2,2,1,2]"));
  EXPECT_EQ(text(27, "CRD"),
            "error: node `n` (SpaceToDepth): attribute `mode` is not supported "
            "for SpaceToDepth in opset 27");
}

TEST(QuantizeTest, PerTensorAndPerChannel) {
  EXPECT_EQ(OneNode("QuantizeLinear", 10).Data({2, 3}).Data({}).Text(),
            "%3: uint8[2,3] = quantize(%x0, %x1, %2) {axis=0, dtype=uint8} "
            "\"n\"");
  EXPECT_EQ(OneNode("QuantizeLinear", 13)
                .Data({2, 3})
                .Data({3})
                .Constant(NDArray(DType::Int(8), {3}))
                .Text(),
            "%3: int8[2,3] = quantize(%x0, %x1, %0) {axis=1, dtype=int8} "
            "\"n\"");
  EXPECT_EQ(OneNode("DequantizeLinear", 13)
                .Constant(NDArray(DType::Int(8), {2, 3}))
                .Data({2})
                .Int("axis", 0)
                .Text(),
            "%3: float32[2,3] = dequantize(%0, %x1, %2) {axis=0, "
            "dtype=float32} \"n\"");
}

TEST(IntegerProductsTest, SubtractsZeroPointsFirst) {
  constexpr auto kU8 = onnx::TensorProto::UINT8;
  constexpr auto kS8 = onnx::TensorProto::INT8;
  EXPECT_EQ(OneNode("MatMulInteger", 10)
                .Data({2, 3}, kU8)
                .Data({3, 5}, kS8)
                .IntegerText(),
            "%10: int32[2,5] = matmul(%x0, %x1) \"n\"");
  // A constant zero point of 0 is dropped; a variable one per row varies with
  // the rows.
  EXPECT_EQ(OneNode("MatMulInteger", 10)
                .Data({2, 3}, kU8)
                .Data({3, 5}, kS8)
                .Data({2}, kU8)
                .Constant(NDArray(DType::Int(8), {}))
                .IntegerText(),
            "%10: int32[2,3] = cast(%x0) {dtype=int32}\n"
            "%11: uint8[2,1] = reshape(%x2) {shape=[2,1]}\n"
            "%12: int32[2,1] = cast(%11) {dtype=int32}\n"
            "%13: int32[2,3] = subtract(%10, %12)\n"
            "%14: int16[2,3] = cast(%13) {dtype=int16}\n"
            "%15: int32[2,5] = matmul(%14, %x1) \"n\"");
  EXPECT_EQ(OneNode("ConvInteger", 10)
                .Data({1, 3, 5, 5}, kU8)
                .Data({4, 3, 3, 3}, kS8)
                .Ints("pads", {1, 1, 1, 1})
                .IntegerText(),
            "%10: int32[1,4,5,5] = conv2d(%x0, %x1) {strides=[1,1], "
            "padding=[1,1,1,1], dilations=[1,1], groups=1} \"n\"");
  EXPECT_EQ(
      OneNode("MatMulInteger", 10).Data({2, 3}).Data({3, 5}).IntegerText(),
      "error: node `n` (MatMulInteger): input 0 is float32[2,3]; only "
      "int8 and uint8 are supported");
  EXPECT_EQ(OneNode("MatMulInteger", 10)
                .Data({2, 3}, kU8)
                .Data({3, 5}, kS8)
                .Data({}, kS8)
                .IntegerText(),
            "error: node `n` (MatMulInteger): the zero point of input 0 is "
            "int8[], not uint8");
}

TEST(IntegerProductsTest, QLinearRequantises) {
  constexpr auto kU8 = onnx::TensorProto::UINT8;
  const NDArray zero(DType::UInt(8), {});
  EXPECT_EQ(OneNode("QLinearMatMul", 10)
                .Data({2, 3}, kU8)
                .Data({})
                .Constant(zero)
                .Data({3, 5}, kU8)
                .Data({5})
                .Constant(zero)
                .Data({})
                .Data({}, kU8)
                .IntegerText(),
            "%12: int32[2,5] = matmul(%x0, %x3)\n"
            "%13: float32[5] = multiply(%x1, %x4)\n"
            "%16: float32[5] = divide(%13, %x6)\n"
            "%17: float32[2,5] = cast(%12) {dtype=float32}\n"
            "%18: float32[2,5] = multiply(%17, %16)\n"
            "%20: uint8[2,5] = quantize(%18, %19, %x7) {axis=0, dtype=uint8} "
            "\"n\"");
  EXPECT_EQ(OneNode("QLinearConv", 10)
                .Data({1, 3, 5, 5}, kU8)
                .Data({})
                .Constant(zero)
                .Data({4, 3, 3, 3}, kU8)
                .Data({4})
                .Constant(zero)
                .Data({})
                .Data({}, kU8)
                .Data({4}, onnx::TensorProto::INT32)
                .IntegerText(),
            "%18: int32[1,4,3,3] = conv2d(%x0, %x3) {strides=[1,1], "
            "padding=[0,0,0,0], dilations=[1,1], groups=1}\n"
            "%19: float32[4] = multiply(%x1, %x4)\n"
            "%22: int32[4,1,1] = reshape(%x8) {shape=[4,1,1]}\n"
            "%23: int32[1,4,3,3] = add(%18, %22)\n"
            "%26: float32[4] = divide(%19, %x6)\n"
            "%27: float32[4,1,1] = reshape(%26) {shape=[4,1,1]}\n"
            "%28: float32[1,4,3,3] = cast(%23) {dtype=float32}\n"
            "%29: float32[1,4,3,3] = multiply(%28, %27)\n"
            "%31: uint8[1,4,3,3] = quantize(%29, %30, %x7) {axis=0, "
            "dtype=uint8} \"n\"");
}

TEST(ConvTransposeTest, PaddingInEveryExportStyle) {
  const auto conv = [] {
    return OneNode("ConvTranspose", 11)
        .Data({1, 4, 5, 5})
        .Weights({4, 2, 3, 3})
        .Ints("strides", {2, 2});
  };
  EXPECT_EQ(conv().Ints("pads", {1, 1, 1, 1}).Text(),
            "%2: float32[1,2,9,9] = conv2d_transpose(%x0, %0) {strides=[2,2], "
            "padding=[1,1,1,1], dilations=[1,1], output_padding=[0,0], "
            "groups=1} \"n\"");
  EXPECT_EQ(conv().String("auto_pad", "SAME_UPPER").Text(),
            "%2: float32[1,2,10,10] = conv2d_transpose(%x0, %0) "
            "{strides=[2,2], padding=[0,0,1,1], dilations=[1,1], "
            "output_padding=[0,0], groups=1} \"n\"");
  EXPECT_EQ(conv().Ints("output_shape", {9, 10}).Text(),
            "%2: float32[1,2,9,10] = conv2d_transpose(%x0, %0) "
            "{strides=[2,2], padding=[1,1,1,0], dilations=[1,1], "
            "output_padding=[0,0], groups=1} \"n\"");
  EXPECT_EQ(conv().Weights({3}).Text(),
            "error: node `n` (ConvTranspose): the bias is float32[3] but 2 "
            "values are needed");
}

}  // namespace
}  // namespace assay::frontend
