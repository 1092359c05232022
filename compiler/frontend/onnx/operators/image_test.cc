// Convolution, pooling and normalization in each export style: imports one ONNX
// node and compares the text of the graph.
#include "compiler/frontend/onnx/testing/one_node.h"
#include "gtest/gtest.h"

namespace assay::frontend {
namespace {

OneNode Conv(int opset = 13) {
  return OneNode("Conv", opset).Data({1, 4, 9, 10}).Weights({8, 4, 3, 3});
}

TEST(ConvTest, Defaults) {
  EXPECT_EQ(Conv().Text(),
            "%2: float32[1,8,7,8] = conv2d(%x0, %0) {strides=[1,1], "
            "padding=[0,0,0,0], dilations=[1,1], groups=1} \"n\"");
}

TEST(ConvTest, AllAttributes) {
  EXPECT_EQ(OneNode("Conv", 13)
                .Data({1, 4, 9, 10})
                .Weights({8, 2, 3, 2})
                .Ints("kernel_shape", {3, 2})
                .Ints("strides", {2, 1})
                .Ints("pads", {1, 2, 3, 4})
                .Ints("dilations", {2, 3})
                .Int("group", 2)
                .Text(),
            "%2: float32[1,8,5,13] = conv2d(%x0, %0) {strides=[2,1], "
            "padding=[1,2,3,4], dilations=[2,3], groups=2} \"n\"");
}

TEST(ConvTest, BiasIsASeparateAddition) {
  EXPECT_EQ(Conv().Weights({8}).Text(),
            "%3: float32[1,8,7,8] = conv2d(%x0, %0) {strides=[1,1], "
            "padding=[0,0,0,0], dilations=[1,1], groups=1} \"n\"\n"
            "%6: float32[1,8,7,8] = add(%3, %5) \"n\"");
}

TEST(ConvTest, OmittedBias) {
  EXPECT_EQ(Conv().LeaveOut().Text(), Conv().Text());
}

// Extent 9 with stride 2: 5 results need 2 more elements; extent 10 with
// stride 2: 5 results need 1 more.
TEST(ConvTest, AutoPad) {
  EXPECT_EQ(
      Conv().Ints("strides", {2, 2}).String("auto_pad", "SAME_UPPER").Text(),
      "%2: float32[1,8,5,5] = conv2d(%x0, %0) {strides=[2,2], "
      "padding=[1,0,1,1], dilations=[1,1], groups=1} \"n\"");
  EXPECT_EQ(
      Conv().Ints("strides", {2, 2}).String("auto_pad", "SAME_LOWER").Text(),
      "%2: float32[1,8,5,5] = conv2d(%x0, %0) {strides=[2,2], "
      "padding=[1,1,1,0], dilations=[1,1], groups=1} \"n\"");
  EXPECT_EQ(Conv().String("auto_pad", "VALID").Text(), Conv().Text());
  EXPECT_EQ(Conv().String("auto_pad", "NOTSET").Text(), Conv().Text());
}

// The window spans 5 rows; 4 rows of padding are needed in total.
TEST(ConvTest, AutoPadWithDilations) {
  EXPECT_EQ(
      Conv().String("auto_pad", "SAME_UPPER").Ints("dilations", {2, 1}).Text(),
      "%2: float32[1,8,9,10] = conv2d(%x0, %0) {strides=[1,1], "
      "padding=[2,1,2,1], dilations=[2,1], groups=1} \"n\"");
  EXPECT_EQ(Conv().String("auto_pad", "VALID").Ints("dilations", {1, 1}).Text(),
            Conv().Text());
}

TEST(ConvTest, OneAxisBecomesTwo) {
  EXPECT_EQ(OneNode("Conv", 13)
                .Data({1, 4, 9})
                .Weights({8, 2, 3})
                .Int("group", 2)
                .Ints("strides", {2})
                .Ints("pads", {0, 1})
                .Text(),
            "%2: float32[1,4,1,9] = reshape(%x0) {shape=[1,4,1,9]} \"n\"\n"
            "%5: float32[1,8,1,4] = conv2d(%2, %4) {strides=[1,2], "
            "padding=[0,0,0,1], dilations=[1,1], groups=2} \"n\"\n"
            "%6: float32[1,8,4] = reshape(%5) {shape=[1,8,4]} \"n\"");
}

TEST(ConvTest, Errors) {
  EXPECT_EQ(Conv().Ints("strides", {1}).Text(),
            "error: node `n` (Conv): attribute `strides` is [1] but 2 numbers "
            "are needed for data of rank 4");
  EXPECT_EQ(Conv().Ints("strides", {0, 1}).Text(),
            "error: node `n` (Conv): attribute `strides` is [0,1]; every "
            "number lies between 1 and 16777216");
  EXPECT_EQ(Conv().Ints("pads", {-1, 0, 0, 0}).Text(),
            "error: node `n` (Conv): attribute `pads` is [-1,0,0,0]; every "
            "number lies between 0 and 16777216");
  EXPECT_EQ(Conv().Ints("kernel_shape", {5, 5}).Text(),
            "error: node `n` (Conv): attribute `kernel_shape` is [5,5] but the "
            "weights are for [3,3]");
  EXPECT_EQ(Conv().Int("group", 3).Text(),
            "error: node `n` (Conv): attribute `group` is 3, which does not "
            "divide 4 channels and 8 filters");
  EXPECT_EQ(
      Conv().Int("strides", 1).Text(),
      "error: node `n` (Conv): attribute `strides` is INT but INTS is needed");
  EXPECT_EQ(Conv().String("auto_pad", "SAME").Text(),
            "error: node `n` (Conv): attribute `auto_pad` is `SAME` but "
            "NOTSET, SAME_UPPER, SAME_LOWER or VALID is needed");
  EXPECT_EQ(
      Conv().String("auto_pad", "VALID").Ints("pads", {1, 1, 1, 1}).Text(),
      "error: node `n` (Conv): attribute `pads` is [1,1,1,1] although "
      "`auto_pad` is `VALID`");
  EXPECT_EQ(
      Conv().Weights({4}).Text(),
      "error: node `n` (Conv): the bias is float32[4] but 8 values are needed");
  EXPECT_EQ(OneNode("Conv", 13).Data({1, 4, 9}).Weights({8, 4}).Text(),
            "error: node `n` (Conv): convolution over one to three axes is "
            "supported, but the data is float32[1,4,9] and the weights are "
            "float32[8,4]");
  EXPECT_EQ(OneNode("Conv", 13).Data({1, 4, 9, 9}).Text(),
            "error: node `n` (Conv): takes 2 to 3 inputs but the node has 1");
}

OneNode MaxPool(int opset) {
  return OneNode("MaxPool", opset)
      .Data({1, 4, 8, 8})
      .Ints("kernel_shape", {3, 3})
      .Ints("strides", {2, 2});
}

TEST(MaxPoolTest, AttributesByOpset) {
  EXPECT_EQ(MaxPool(7).Ints("pads", {1, 1, 1, 1}).Text(),
            "%1: float32[1,4,4,4] = max_pool2d(%x0) {kernel=[3,3], "
            "strides=[2,2], padding=[1,1,1,1]} \"n\"");
  EXPECT_EQ(MaxPool(7).Int("storage_order", 0).Text(),
            "error: node `n` (MaxPool): attribute `storage_order` is not "
            "supported for MaxPool in opset 7");
  EXPECT_EQ(MaxPool(8).Int("storage_order", 1).Text(), MaxPool(7).Text());
  EXPECT_EQ(MaxPool(8).Int("ceil_mode", 1).Text(),
            "error: node `n` (MaxPool): attribute `ceil_mode` is not supported "
            "for MaxPool in opset 8");
  EXPECT_EQ(MaxPool(10).Int("ceil_mode", 1).Text(),
            "%1: float32[1,4,4,4] = max_pool2d(%x0) {kernel=[3,3], "
            "strides=[2,2], padding=[0,0,0,0], ceil_mode=true} \"n\"");
  EXPECT_EQ(MaxPool(10).Ints("dilations", {2, 2}).Text(),
            "%1: float32[1,4,2,2] = max_pool2d(%x0) {kernel=[3,3], "
            "strides=[2,2], padding=[0,0,0,0], dilations=[2,2]} \"n\"");
}

TEST(MaxPoolTest, AutoPadAndCeilMode) {
  EXPECT_EQ(MaxPool(13).String("auto_pad", "SAME_UPPER").Text(),
            "%1: float32[1,4,4,4] = max_pool2d(%x0) {kernel=[3,3], "
            "strides=[2,2], padding=[0,0,1,1]} \"n\"");
  EXPECT_EQ(
      MaxPool(13).String("auto_pad", "SAME_UPPER").Int("ceil_mode", 1).Text(),
      MaxPool(13).String("auto_pad", "SAME_UPPER").Text());
  EXPECT_EQ(MaxPool(13).String("auto_pad", "VALID").Int("ceil_mode", 1).Text(),
            MaxPool(13).Text());
}

// The padding value is below every value of the type.
TEST(MaxPoolTest, PaddingOfIntegers) {
  const auto padding = [](onnx::TensorProto::DataType type) {
    const std::string text = OneNode("MaxPool", 12)
                                 .Data({1, 1, 5}, type)
                                 .Ints("kernel_shape", {2})
                                 .Ints("pads", {1, 0})
                                 .Text();
    const size_t at = text.find("pad(");
    return at == std::string::npos ? text
                                   : text.substr(at, text.find('}') + 1 - at);
  };
  EXPECT_EQ(padding(onnx::TensorProto::INT32),
            "pad(%x0) {before=[0,0,1], after=[0,0,0], value=-2.1474836e+09}");
  EXPECT_EQ(padding(onnx::TensorProto::UINT64),
            "pad(%x0) {before=[0,0,1], after=[0,0,0]}");
}

TEST(MaxPoolTest, Errors) {
  EXPECT_EQ(OneNode("MaxPool", 13).Data({1, 4, 8, 8}).Text(),
            "error: node `n` (MaxPool): attribute `kernel_shape` is missing");
  EXPECT_EQ(MaxPool(13).Ints("pads", {3, 3, 3, 3}).Text(),
            "error: node `n` (MaxPool): padding [3,3,3,3] is not smaller than "
            "the window [3,3]");
  EXPECT_EQ(MaxPool(7).Result("indices").Text(),
            "error: node `n` (MaxPool): has 2 results but the operator has at "
            "most 1");
  // The additional results are not read.
  EXPECT_EQ(MaxPool(8).Result("indices").Text(), MaxPool(8).Text());
}

TEST(GlobalAveragePoolTest, Images) {
  EXPECT_EQ(OneNode("GlobalAveragePool", 7).Data({1, 4, 8, 8}).Text(),
            "%1: float32[1,4,1,1] = global_avg_pool2d(%x0) \"n\"");
  EXPECT_EQ(OneNode("GlobalAveragePool", 7).Data({1, 4, 8}).Text(),
            "%1: float32[1,4,1] = reduce_mean(%x0) {axes=[2], keepdims=true} "
            "\"n\"");
}

OneNode BatchNorm(int opset) {
  return OneNode("BatchNormalization", opset)
      .Data({1, 4, 2, 2})
      .Weights({4})
      .Weights({4})
      .Weights({4})
      .Weights({4});
}

TEST(BatchNormalizationTest, AttributesByOpset) {
  EXPECT_EQ(BatchNorm(13).Text(),
            "%5: float32[1,4,2,2] = batch_norm(%x0, %0, %1, %2, %3) "
            "{epsilon=1e-05} \"n\"");
  EXPECT_EQ(BatchNorm(7).Float("epsilon", 0.5f).Int("spatial", 1).Text(),
            "%5: float32[1,4,2,2] = batch_norm(%x0, %0, %1, %2, %3) "
            "{epsilon=0.5} \"n\"");
  EXPECT_EQ(BatchNorm(7).Int("spatial", 0).Text(),
            "error: node `n` (BatchNormalization): attribute `spatial` is 0, "
            "which is not supported");
  EXPECT_EQ(BatchNorm(9).Int("spatial", 1).Text(),
            "error: node `n` (BatchNormalization): attribute `spatial` is not "
            "supported for BatchNormalization in opset 9");
  EXPECT_EQ(BatchNorm(9).Float("momentum", 0.5f).Text(), BatchNorm(13).Text());
  EXPECT_EQ(BatchNorm(13).Int("training_mode", 0).Text(),
            "error: node `n` (BatchNormalization): attribute `training_mode` "
            "is not supported for BatchNormalization in opset 13");
  EXPECT_EQ(BatchNorm(14).Int("training_mode", 0).Text(), BatchNorm(13).Text());
}

TEST(BatchNormalizationTest, RejectsResultsOfTraining) {
  EXPECT_EQ(BatchNorm(9).Result("mean").Text(),
            "error: node `n` (BatchNormalization): is in training mode, which "
            "is supported since opset 14; export the model for inference");
  EXPECT_EQ(BatchNorm(15).Result("mean").Text(), BatchNorm(13).Text());
}

TEST(ImageOperatorsTest, NonMaxSuppression) {
  const auto number = [](float x) {
    return NDArray::FromVector<float>({1}, {x});
  };
  const auto node = [] {
    return OneNode("NonMaxSuppression", 11).Data({2, 5, 4}).Data({2, 3, 5});
  };
  EXPECT_EQ(node()
                .Int64s({2})
                .Constant(number(0.5f))
                .Constant(number(0.25f))
                .Int("center_point_box", 1)
                .Text(),
            "%5: (int64[12,3], int64[]) = non_max_suppression(%x0, %x1) "
            "{most=2, iou_threshold=0.5, score_threshold=0.25, center=true} "
            "\"n\"");
  // More than there are boxes, and no thresholds.
  const auto graph = node().Int64s({1000}).Import();
  ASSERT_TRUE(graph.ok()) << graph.status();
  const graph::Output& output = (*graph)->outputs()[0];
  EXPECT_EQ(output.value.type().ToString(), "int64[30,3]");
  EXPECT_EQ(output.axis, 0);
  EXPECT_EQ((*graph)->outputs()[output.extent].value,
            (graph::Value{output.value.node, 1}));
  EXPECT_EQ(node().Data({1}).Text(),
            "error: node `n` (NonMaxSuppression): input 2 "
            "(max_output_boxes_per_class) is computed when the model runs; "
            "only constants are supported");
}

}  // namespace
}  // namespace assay::frontend
