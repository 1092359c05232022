// Reductions, softmax, normalization and average pooling: imports one ONNX node
// and compares the text of the graph.
#include "compiler/frontend/onnx/testing/one_node.h"
#include "gtest/gtest.h"

namespace assay::frontend {
namespace {

TEST(ReduceTest, AxesByOpset) {
  EXPECT_EQ(OneNode("ReduceSum", 12).Data({2, 3, 4}).Ints("axes", {-1}).Text(),
            "%1: float32[2,3,1] = reduce_sum(%x0) {axes=[2], keepdims=true} "
            "\"n\"");
  EXPECT_EQ(OneNode("ReduceSum", 7).Data({2, 3}).Ints("axes", {-1}).Text(),
            "error: node `n` (ReduceSum): axis -1 is negative, which opset 7 "
            "does not allow");
  EXPECT_EQ(OneNode("ReduceSum", 13)
                .Data({2, 3})
                .Int64s({1, 0})
                .Int("keepdims", 0)
                .Text(),
            "%2: float32[] = reduce_sum(%x0) {axes=[0,1]} \"n\"");
  EXPECT_EQ(OneNode("ReduceSum", 13).Data({2, 3}).Ints("axes", {1}).Text(),
            "error: node `n` (ReduceSum): attribute `axes` is not supported "
            "for ReduceSum in opset 13");
  EXPECT_EQ(OneNode("ReduceMax", 17).Data({2, 3}).Ints("axes", {1}).Text(),
            "%1: float32[2,1] = reduce_max(%x0) {axes=[1], keepdims=true} "
            "\"n\"");
  EXPECT_EQ(OneNode("ReduceMax", 18).Data({2, 3}).Int64s({1}).Text(),
            "%2: float32[2,1] = reduce_max(%x0) {axes=[1], keepdims=true} "
            "\"n\"");
  EXPECT_EQ(OneNode("ReduceMean", 13).Data({2, 3}).Text(),
            "%1: float32[1,1] = reduce_mean(%x0) {axes=[0,1], keepdims=true} "
            "\"n\"");
  EXPECT_EQ(OneNode("ReduceProd", 13).Data({2}).Ints("axes", {0, 0}).Text(),
            "error: node `n` (ReduceProd): axes [0,0] name one axis twice");
}

TEST(ReduceTest, ArgMaxAndArgMin) {
  EXPECT_EQ(OneNode("ArgMax", 13).Data({2, 3}).Text(),
            "%1: int64[1,3] = arg_max(%x0) {axis=0, keepdims=true} \"n\"");
  EXPECT_EQ(OneNode("ArgMin", 12)
                .Data({2, 3, 4})
                .Int("axis", -2)
                .Int("keepdims", 0)
                .Int("select_last_index", 1)
                .Text(),
            "%1: int64[2,4] = arg_min(%x0) {axis=1, last=true} \"n\"");
  EXPECT_EQ(OneNode("ArgMax", 11).Data({2}).Int("select_last_index", 1).Text(),
            "error: node `n` (ArgMax): attribute `select_last_index` is not "
            "supported for ArgMax in opset 11");
  EXPECT_EQ(OneNode("ArgMax", 10).Data({2}).Int("axis", -1).Text(),
            "error: node `n` (ArgMax): attribute `axis` -1 is negative, which "
            "opset 10 does not allow");
}

TEST(ReduceTest, NoAxesCanBeTheIdentity) {
  EXPECT_EQ(OneNode("ReduceSumSquare", 18)
                .Data({2})
                .Int("noop_with_empty_axes", 1)
                .Text(),
            "%1: float32[2] = multiply(%x0, %x0) \"n\"");
}

TEST(ReduceTest, CompositionsOfOtherReductions) {
  EXPECT_EQ(OneNode("ReduceL2", 13).Data({2, 3}).Ints("axes", {1}).Text(),
            "%1: float32[2,3] = multiply(%x0, %x0) \"n\"\n"
            "%2: float32[2,1] = reduce_sum(%1) {axes=[1], keepdims=true} "
            "\"n\"\n"
            "%3: float32[2,1] = sqrt(%2) \"n\"");
  EXPECT_EQ(OneNode("ReduceLogSumExp", 13)
                .Data({2, 3})
                .Ints("axes", {1})
                .Int("keepdims", 0)
                .Text(),
            "%1: float32[2,1] = reduce_max(%x0) {axes=[1], keepdims=true} "
            "\"n\"\n"
            "%4: float32[2,1] = abs(%1) \"n\"\n"
            "%5: bool[2,1] = less(%4, %2) \"n\"\n"
            "%6: float32[2,1] = select(%5, %1, %3) \"n\"\n"
            "%7: float32[2,3] = subtract(%x0, %6) \"n\"\n"
            "%8: float32[2,3] = exp(%7) \"n\"\n"
            "%9: float32[2] = reduce_sum(%8) {axes=[1]} \"n\"\n"
            "%10: float32[2] = log(%9) \"n\"\n"
            "%11: float32[2] = reshape(%6) {shape=[2]} \"n\"\n"
            "%12: float32[2] = add(%10, %11) \"n\"");
}

TEST(SoftmaxTest, OneAxisSinceOpset13) {
  EXPECT_EQ(OneNode("Softmax", 13).Data({2, 3, 4}).Text(),
            "%1: float32[2,3,4] = softmax(%x0) {axis=2} \"n\"");
  EXPECT_EQ(OneNode("LogSoftmax", 13).Data({2, 3, 4}).Int("axis", 1).Text(),
            "%1: float32[2,3,4] = log_softmax(%x0) {axis=1} \"n\"");
  EXPECT_EQ(OneNode("Softmax", 12).Data({2, 3, 4}).Text(),
            "%1: float32[2,12] = reshape(%x0) {shape=[2,12]} \"n\"\n"
            "%2: float32[2,12] = softmax(%1) {axis=1} \"n\"\n"
            "%3: float32[2,3,4] = reshape(%2) {shape=[2,3,4]} \"n\"");
  EXPECT_EQ(OneNode("Softmax", 7).Data({2, 3}).Text(),
            "%1: float32[2,3] = softmax(%x0) {axis=1} \"n\"");
}

TEST(LayerNormTest, WithAndWithoutBias) {
  EXPECT_EQ(OneNode("LayerNormalization", 17)
                .Data({2, 3, 4})
                .Weights({4})
                .Weights({4})
                .Text(),
            "%3: float32[2,3,4] = layer_norm(%x0, %0, %1) {axis=2, "
            "epsilon=1e-05} \"n\"");
  EXPECT_EQ(OneNode("LayerNormalization", 17)
                .Data({2, 3, 4})
                .Weights({3, 4})
                .Int("axis", 1)
                .Text(),
            "%3: float32[2,3,4] = layer_norm(%x0, %0, %2) {axis=1, "
            "epsilon=1e-05} \"n\"");
  EXPECT_EQ(
      OneNode("LayerNormalization", 17).Data({2, 3, 4}).Weights({3}).Text(),
      "error: node `n` (LayerNormalization): operand 1 is "
      "float32[3] but the normalised axes are [4]");
}

TEST(AveragePoolTest, AttributesByOpset) {
  const auto pool = [](int opset) {
    return OneNode("AveragePool", opset)
        .Data({1, 4, 8, 8})
        .Ints("kernel_shape", {3, 3})
        .Ints("pads", {1, 1, 1, 1});
  };
  EXPECT_EQ(pool(7).Text(),
            "%1: float32[1,4,8,8] = avg_pool2d(%x0) {kernel=[3,3], "
            "strides=[1,1], padding=[1,1,1,1]} \"n\"");
  EXPECT_EQ(pool(7).Int("count_include_pad", 1).Text(),
            "%1: float32[1,4,8,8] = avg_pool2d(%x0) {kernel=[3,3], "
            "strides=[1,1], padding=[1,1,1,1], count_include_pad=true} \"n\"");
  EXPECT_EQ(pool(11).Ints("dilations", {2, 2}).Text(),
            "error: node `n` (AveragePool): attribute `dilations` is not "
            "supported for AveragePool in opset 11");
  EXPECT_EQ(pool(19).Ints("dilations", {2, 2}).Text(),
            "%1: float32[1,4,6,6] = avg_pool2d(%x0) {kernel=[3,3], "
            "strides=[1,1], padding=[1,1,1,1], dilations=[2,2]} \"n\"");
  EXPECT_EQ(OneNode("GlobalMaxPool", 7).Data({1, 4, 8, 8}).Text(),
            "%1: float32[1,4,1,1] = global_max_pool2d(%x0) \"n\"");
}

}  // namespace
}  // namespace assay::frontend
