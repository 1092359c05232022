// Computed indices, and tensors of a given shape: imports one ONNX node and
// compares the text of the graph.
#include "compiler/frontend/onnx/testing/one_node.h"
#include "gtest/gtest.h"

namespace assay::frontend {
namespace {

constexpr auto kInt64 = onnx::TensorProto::INT64;
constexpr auto kInt32 = onnx::TensorProto::INT32;

TEST(IndexingTest, Gathers) {
  EXPECT_EQ(OneNode("Gather", 13).Data({4, 3}).Data({2}, kInt32).Text(),
            "%2: int64[2] = cast(%x1) {dtype=int64} \"n\"\n"
            "%3: float32[2,3] = gather(%x0, %2) {axis=0} \"n\"");
  EXPECT_EQ(OneNode("GatherElements", 13)
                .Data({4, 3})
                .Data({4, 1}, kInt64)
                .Int("axis", -1)
                .Text(),
            "%2: float32[4,1] = gather_elements(%x0, %x1) {axis=1} \"n\"");
  EXPECT_EQ(OneNode("GatherND", 13)
                .Data({4, 3, 2})
                .Data({4, 1}, kInt64)
                .Int("batch_dims", 1)
                .Text(),
            "%2: float32[4,2] = gather_nd(%x0, %x1) {batch_dims=1} \"n\"");
}

TEST(IndexingTest, Scatters) {
  EXPECT_EQ(OneNode("Scatter", 9)
                .Data({4, 3})
                .Data({2, 3}, kInt64)
                .Data({2, 3})
                .Text(),
            "%3: float32[4,3] = scatter_elements(%x0, %x1, %x2) {axis=0} "
            "\"n\"");
  EXPECT_EQ(OneNode("ScatterND", 18)
                .Data({4, 3})
                .Data({2, 1}, kInt64)
                .Data({2, 3})
                .String("reduction", "max")
                .Text(),
            "%3: float32[4,3] = scatter_nd(%x0, %x1, %x2) {reduction=maximum} "
            "\"n\"");
  EXPECT_EQ(OneNode("ScatterND", 16)
                .Data({4, 3})
                .Data({2, 1}, kInt64)
                .Data({2, 3})
                .String("reduction", "max")
                .Text(),
            "error: node `n` (ScatterND): attribute `reduction` is `max` but "
            "none, add or mul is needed");
}

TEST(IndexingTest, TopKBecomesSortAndGather) {
  EXPECT_EQ(
      OneNode("TopK", 11).Data({4, 9}).Int64s({3}).Result("indices").Text(),
      "%2: int64[4,3] = arg_sort(%x0) {axis=1, k=3, descending=true} \"n\"\n"
      "%3: float32[4,3] = gather_elements(%x0, %2) {axis=1} \"n\"");
  EXPECT_EQ(OneNode("TopK", 11).Data({4, 9}).Int64s({10}).Text(),
            "error: node `n` (TopK): k is 10 but axis 1 of float32[4,9] allows "
            "0 to 9");
}

TEST(IndexingTest, RunningSums) {
  EXPECT_EQ(OneNode("CumSum", 14)
                .Data({4, 9})
                .Constant(NDArray::FromVector<int32_t>({}, {-1}))
                .Int("reverse", 1)
                .Text(),
            "%2: float32[4,9] = cum_sum(%x0) {axis=1, reverse=true} \"n\"");
  EXPECT_EQ(OneNode("CumSum", 14).Data({4, 9}).Data({}, kInt32).Text(),
            "error: node `n` (CumSum): input 1 (axis) is computed when the "
            "model runs; only constants are supported");
}

TEST(ExpandTest, Repetition) {
  EXPECT_EQ(OneNode("Expand", 8).Data({3, 1}).Int64s({2, 1, 6}).Text(),
            "%2: float32[2,3,6] = broadcast_to(%x0) {shape=[2,3,6]} \"n\"");
  EXPECT_EQ(OneNode("Expand", 8).Data({3, 1}).Int64s({1}).Text(), "");
  EXPECT_EQ(OneNode("Tile", 13).Data({3, 2}).Int64s({1, 4}).Text(),
            "%2: float32[1,3,1,2] = reshape(%x0) {shape=[1,3,1,2]} \"n\"\n"
            "%3: float32[1,3,4,2] = broadcast_to(%2) {shape=[1,3,4,2]} \"n\"\n"
            "%4: float32[3,8] = reshape(%3) {shape=[3,8]} \"n\"");
}

TEST(ExpandTest, ConstantsOfAShape) {
  EXPECT_EQ(OneNode("ConstantOfShape", 9).Int64s({2, 3}).Text(),
            "%3: float32[2,3] = constant {fill=0} \"n\"");
  EXPECT_EQ(OneNode("Range", 11)
                .Constant(NDArray::FromVector<int64_t>({}, {10}))
                .Constant(NDArray::FromVector<int64_t>({}, {3}))
                .Constant(NDArray::FromVector<int64_t>({}, {-3}))
                .Text(),
            "%3: int64[3] = constant {value=[10,7,4]} \"n\"");
  EXPECT_EQ(
      OneNode("EyeLike", 9).Data({2, 3}).Int("k", 1).Int("dtype", 6).Text(),
      "%9: int32[2,3] = constant {value=[0,1,0,0,0,1]} \"n\"");
  EXPECT_EQ(OneNode("Size", 13).Data({2, 3}).Text(),
            "%1: int64[] = constant {value=[6]} \"n\"");
  EXPECT_EQ(OneNode("HannWindow", 17)
                .Constant(NDArray::FromVector<int64_t>({}, {4}))
                .Text(),
            "%1: float32[4] = constant {value=[0,0.5,1,0.5]} \"n\"");
}

TEST(ExpandTest, Positions) {
  EXPECT_EQ(OneNode("Trilu", 14).Data({2, 3}).Int("upper", 0).Text(),
            "%9: float32[2,3] = select(%7, %x0, %8) \"n\"");
  EXPECT_EQ(OneNode("Hardmax", 13).Data({2, 3}).Text(),
            "%1: int64[2,1] = arg_max(%x0) {axis=1, keepdims=true} \"n\"\n"
            "%3: bool[2,3] = equal(%1, %2) \"n\"\n"
            "%4: float32[2,3] = cast(%3) {dtype=float32} \"n\"");
}

}  // namespace
}  // namespace assay::frontend
