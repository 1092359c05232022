// Arithmetic, products and data movement in each export style: imports one ONNX
// node and compares the text of the graph.
#include "compiler/frontend/onnx/testing/one_node.h"
#include "gtest/gtest.h"

namespace assay::frontend {
namespace {

TEST(ElementwiseTest, BroadcastAndRelu) {
  EXPECT_EQ(OneNode("Add", 7).Data({2, 3}).Data({3}).Text(),
            "%2: float32[2,3] = add(%x0, %x1) \"n\"");
  EXPECT_EQ(OneNode("Mul", 14).Data({2, 1}).Data({1, 3}).Text(),
            "%2: float32[2,3] = multiply(%x0, %x1) \"n\"");
  EXPECT_EQ(OneNode("Relu", 13).Data({2, 3}).Text(),
            "%1: float32[2,3] = relu(%x0) \"n\"");
  EXPECT_EQ(OneNode("Add", 13).Data({2, 3}).Data({2}).Text(),
            "error: node `n` (Add): shapes [2,3] and [2] do not broadcast");
  EXPECT_EQ(OneNode("Add", 13).Data({2}).Int64s({1, 2}).Text(),
            "error: node `n` (Add): operands are float32[2] and int64[2], of "
            "different element types");
  EXPECT_EQ(OneNode("Add", 13).Data({2, 3}).Text(),
            "error: node `n` (Add): takes 2 inputs but the node has 1");
  EXPECT_EQ(OneNode("Add", 13).Data({2}).LeaveOut().Data({2}).Text(),
            "error: node `n` (Add): takes 2 inputs but the node has 3");
}

TEST(MatMulTest, OperandsOfRankOneAreRowsAndColumns) {
  EXPECT_EQ(OneNode("MatMul", 13).Data({4, 2, 3}).Weights({3, 5}).Text(),
            "%2: float32[4,2,5] = matmul(%x0, %0) \"n\"");
  EXPECT_EQ(OneNode("MatMul", 9).Data({3}).Data({4, 3, 5}).Text(),
            "%2: float32[1,3] = reshape(%x0) {shape=[1,3]} \"n\"\n"
            "%3: float32[4,1,5] = matmul(%2, %x1) \"n\"\n"
            "%4: float32[4,5] = reshape(%3) {shape=[4,5]} \"n\"");
  EXPECT_EQ(OneNode("MatMul", 7).Data({3}).Data({3}).Text(),
            "%2: float32[1,3] = reshape(%x0) {shape=[1,3]} \"n\"\n"
            "%3: float32[3,1] = reshape(%x1) {shape=[3,1]} \"n\"\n"
            "%4: float32[1,1] = matmul(%2, %3) \"n\"\n"
            "%5: float32[] = reshape(%4) {shape=[]} \"n\"");
  EXPECT_EQ(OneNode("MatMul", 7).Data({}).Data({3}).Text(),
            "error: node `n` (MatMul): input 0 is float32[] but rank 1 or more "
            "is needed");
}

TEST(GemmTest, TransposesAndScales) {
  EXPECT_EQ(OneNode("Gemm", 13)
                .Data({2, 3})
                .Weights({5, 3})
                .Weights({5})
                .Int("transB", 1)
                .Text(),
            "%3: float32[2,5] = dense(%x0, %0) \"n\"\n"
            "%4: float32[2,5] = add(%3, %1) \"n\"");
  EXPECT_EQ(OneNode("Gemm", 11)
                .Data({3, 2})
                .Data({3, 5})
                .Int("transA", 1)
                .Float("alpha", 0.5f)
                .Text(),
            "%2: float32[2,3] = transpose(%x0) {perm=[1,0]} \"n\"\n"
            "%3: float32[5,3] = transpose(%x1) {perm=[1,0]} \"n\"\n"
            "%4: float32[2,5] = dense(%2, %3) \"n\"\n"
            "%6: float32[2,5] = multiply(%4, %5) \"n\"");
  EXPECT_EQ(OneNode("Gemm", 7)
                .Data({2, 3})
                .Data({5, 3})
                .Data({1, 5})
                .Int("transB", 1)
                .Float("beta", 2.0f)
                .Text(),
            "%3: float32[2,5] = dense(%x0, %x1) \"n\"\n"
            "%5: float32[1,5] = multiply(%x2, %4) \"n\"\n"
            "%6: float32[2,5] = add(%3, %5) \"n\"");
  // The third operand is not read.
  EXPECT_EQ(OneNode("Gemm", 7)
                .Data({2, 3})
                .Data({5, 3})
                .Data({5})
                .Int("transB", 1)
                .Float("beta", 0)
                .Text(),
            "%3: float32[2,5] = dense(%x0, %x1) \"n\"");
}

TEST(GemmTest, Errors) {
  EXPECT_EQ(OneNode("Gemm", 7).Data({2, 3}).Data({3, 5}).Text(),
            "error: node `n` (Gemm): takes 3 inputs but the node has 2");
  EXPECT_EQ(OneNode("Gemm", 13).Data({2, 3}).Data({4, 5}).Text(),
            "error: node `n` (Gemm): inputs float32[2,3] (transA=0) and "
            "float32[4,5] (transB=0) do not multiply");
  EXPECT_EQ(
      OneNode("Gemm", 13).Data({2, 3, 1}).Data({3, 5}).Text(),
      "error: node `n` (Gemm): input 0 is float32[2,3,1] but rank 2 is needed");
  EXPECT_EQ(
      OneNode("Gemm", 13).Data({2, 3}).Data({3, 5}).Data({4, 2, 5}).Text(),
      "error: node `n` (Gemm): input 2 is float32[4,2,5], which does not "
      "broadcast to the product float32[2,5]");
  EXPECT_EQ(
      OneNode("Gemm", 13).Data({2, 3}).Data({3, 5}).Int("transA", 2).Text(),
      "error: node `n` (Gemm): attribute `transA` is 2 but 0 or 1 is needed");
}

TEST(FlattenTest, Axes) {
  const auto flatten = [](int opset, int64_t axis) {
    return OneNode("Flatten", opset).Data({2, 3, 4}).Int("axis", axis).Text();
  };
  EXPECT_EQ(OneNode("Flatten", 7).Data({2, 3, 4}).Text(),
            "%1: float32[2,12] = reshape(%x0) {shape=[2,12]} \"n\"");
  EXPECT_EQ(flatten(7, 0),
            "%1: float32[1,24] = reshape(%x0) {shape=[1,24]} \"n\"");
  EXPECT_EQ(flatten(7, 3),
            "%1: float32[24,1] = reshape(%x0) {shape=[24,1]} \"n\"");
  EXPECT_EQ(flatten(11, -1),
            "%1: float32[6,4] = reshape(%x0) {shape=[6,4]} \"n\"");
  EXPECT_EQ(flatten(9, -1),
            "error: node `n` (Flatten): attribute `axis` -1 is negative, which "
            "opset 9 does not allow");
  EXPECT_EQ(flatten(13, 4),
            "error: node `n` (Flatten): attribute `axis` 4 is out of range for "
            "rank 3");
}

TEST(ReshapeTest, ZeroAndMinusOne) {
  const auto reshape = [](const std::vector<int64_t>& shape) {
    return OneNode("Reshape", 13).Data({2, 3, 4}).Int64s(shape).Text();
  };
  EXPECT_EQ(reshape({0, -1}),
            "%2: float32[2,12] = reshape(%x0) {shape=[2,12]} \"n\"");
  EXPECT_EQ(reshape({4, 6}),
            "%2: float32[4,6] = reshape(%x0) {shape=[4,6]} \"n\"");
  EXPECT_EQ(reshape({-1, -1}),
            "error: node `n` (Reshape): shape [-1,-1] leaves more than one "
            "extent open");
  EXPECT_EQ(reshape({5, -1}),
            "error: node `n` (Reshape): shape [5,-1] does not divide the "
            "elements of float32[2,3,4]");
  EXPECT_EQ(reshape({1, 2, 3, 0}),
            "error: node `n` (Reshape): shape [1,2,3,0] copies extent 3 of "
            "float32[2,3,4], which has none");
  EXPECT_EQ(reshape({4, 5}),
            "error: node `n` (Reshape): shape [4,5] has 20 elements but the "
            "operand is float32[2,3,4]");
  EXPECT_EQ(reshape({-2, 12}),
            "error: node `n` (Reshape): shape [-2,12] has a negative extent");
  EXPECT_EQ(
      reshape({int64_t{1} << 62, 4}),
      "error: node `n` (Reshape): shape [4611686018427387904,4] is too large");
  EXPECT_EQ(OneNode("Reshape", 14)
                .Data({2, 3})
                .Int64s({0, -1})
                .Int("allowzero", 1)
                .Text(),
            "error: node `n` (Reshape): shape [0,-1] does not divide the "
            "elements of float32[2,3]");
  EXPECT_EQ(
      OneNode("Reshape", 13).Data({6}).Int64s({6}).Int("allowzero", 0).Text(),
      "error: node `n` (Reshape): attribute `allowzero` is not supported for "
      "Reshape in opset 13");
  EXPECT_EQ(OneNode("Reshape", 13)
                .Data({6})
                .Data({1}, onnx::TensorProto::INT64)
                .Text(),
            "error: node `n` (Reshape): extent 0 of the shape is computed when "
            "the model runs and has no known upper limit; give the input of "
            "the model that it depends on as a constant");
  EXPECT_EQ(OneNode("Reshape", 13).Data({6}).Weights({1}).Text(),
            "error: node `n` (Reshape): input 1 (shape) is float32[1] but "
            "int64 of rank 1 is needed");
}

TEST(SqueezeTest, AxesAsAttributeAndAsInput) {
  EXPECT_EQ(OneNode("Squeeze", 11).Data({1, 3, 1}).Ints("axes", {-1}).Text(),
            "%1: float32[1,3] = reshape(%x0) {shape=[1,3]} \"n\"");
  EXPECT_EQ(OneNode("Squeeze", 13).Data({1, 3, 1}).Int64s({0}).Text(),
            "%2: float32[3,1] = reshape(%x0) {shape=[3,1]} \"n\"");
  EXPECT_EQ(OneNode("Squeeze", 13).Data({1, 3, 1}).Text(),
            "%1: float32[3] = reshape(%x0) {shape=[3]} \"n\"");
  EXPECT_EQ(OneNode("Squeeze", 7).Data({1, 3, 1}).Ints("axes", {-1}).Text(),
            "error: node `n` (Squeeze): axis -1 is negative, which opset 7 "
            "does not allow");
  EXPECT_EQ(OneNode("Squeeze", 13).Data({1, 3, 1}).Ints("axes", {0}).Text(),
            "error: node `n` (Squeeze): attribute `axes` is not supported for "
            "Squeeze in opset 13");
  EXPECT_EQ(
      OneNode("Squeeze", 13).Data({1, 3, 1}).Int64s({1}).Text(),
      "error: node `n` (Squeeze): axis 1 of float32[1,3,1] is not of extent 1");
}

TEST(UnsqueezeTest, AxesAsAttributeAndAsInput) {
  EXPECT_EQ(OneNode("Unsqueeze", 7).Data({2, 3}).Ints("axes", {0, 3}).Text(),
            "%1: float32[1,2,3,1] = reshape(%x0) {shape=[1,2,3,1]} \"n\"");
  EXPECT_EQ(OneNode("Unsqueeze", 13).Data({2, 3}).Int64s({-1, 1}).Text(),
            "%2: float32[2,1,3,1] = reshape(%x0) {shape=[2,1,3,1]} \"n\"");
  EXPECT_EQ(OneNode("Unsqueeze", 13)
                .Data({2, 3})
                .Constant(NDArray::FromVector<int64_t>({}, {1}))
                .Text(),
            "%2: float32[2,1,3] = reshape(%x0) {shape=[2,1,3]} \"n\"");
  EXPECT_EQ(OneNode("Unsqueeze", 13).Data({2, 3}).Int64s({1, 1}).Text(),
            "error: node `n` (Unsqueeze): axis 1 is given twice");
  EXPECT_EQ(OneNode("Unsqueeze", 13).Data({2, 3}).Int64s({4}).Text(),
            "error: node `n` (Unsqueeze): axis 4 is out of range for rank 3");
  EXPECT_EQ(OneNode("Unsqueeze", 7).Data({2, 3}).Text(),
            "error: node `n` (Unsqueeze): attribute `axes` is missing");
  EXPECT_EQ(OneNode("Unsqueeze", 13).Data({2, 3}).Text(),
            "error: node `n` (Unsqueeze): takes 2 inputs but the node has 1");
}

TEST(ShapeTest, IsAConstant) {
  EXPECT_EQ(OneNode("Shape", 13).Data({2, 3, 4}).Text(),
            "%1: int64[3] = constant {value=[2,3,4]} \"n\"");
  EXPECT_EQ(OneNode("Shape", 15).Data({2, 3, 4}).Int("start", -2).Text(),
            "%1: int64[2] = constant {value=[3,4]} \"n\"");
  EXPECT_EQ(OneNode("Shape", 15)
                .Data({2, 3, 4})
                .Int("start", -9)
                .Int("end", -1)
                .Text(),
            "%1: int64[2] = constant {value=[2,3]} \"n\"");
  EXPECT_EQ(
      OneNode("Shape", 15).Data({2, 3, 4}).Int("start", 2).Int("end", 1).Text(),
      "%1: int64[0] = constant {value=[]} \"n\"");
  EXPECT_EQ(OneNode("Shape", 13).Data({2, 3, 4}).Int("start", 1).Text(),
            "error: node `n` (Shape): attribute `start` is not supported for "
            "Shape in opset 13");
}

TEST(DataMovementTest, Concat) {
  EXPECT_EQ(
      OneNode("Concat", 13).Data({2, 3}).Data({2, 4}).Int("axis", -1).Text(),
      "%2: float32[2,7] = concat(%x0, %x1) {axis=1} \"n\"");
  EXPECT_EQ(
      OneNode("Concat", 13).Int64s({1, 2}).Int64s({3}).Int("axis", 0).Text(),
      "%3: int64[3] = constant {value=[1,2,3]} \"n\"");
  EXPECT_EQ(OneNode("Concat", 7).Data({2, 3}).Int("axis", -1).Text(),
            "error: node `n` (Concat): attribute `axis` -1 is negative, which "
            "opset 7 does not allow");
  EXPECT_EQ(OneNode("Concat", 13).Data({2, 3}).Text(),
            "error: node `n` (Concat): attribute `axis` is missing");
  EXPECT_EQ(
      OneNode("Concat", 13).Data({2, 3}).Data({3, 3}).Int("axis", 1).Text(),
      "error: node `n` (Concat): operand 1 is float32[3,3] and operand 0 "
      "float32[2,3]; they may differ only on axis 1");
  EXPECT_EQ(OneNode("Concat", 13)
                .Data({2})
                .LeaveOut()
                .Data({2})
                .Int("axis", 0)
                .Text(),
            "error: node `n` (Concat): input 1 is left out but is required");
}

TEST(DataMovementTest, Gather) {
  EXPECT_EQ(OneNode("Gather", 13).Data({4, 3}).Int64s({-1, 0}).Text(),
            "%3: float32[2,3] = gather(%x0, %2) {axis=0} \"n\"");
  EXPECT_EQ(OneNode("Gather", 13)
                .Int64s({10, 20, 30})
                .Constant(NDArray::FromVector<int32_t>({}, {1}))
                .Text(),
            "%6: int64[] = constant {value=[20]} \"n\"");
  EXPECT_EQ(
      OneNode("Gather", 13).Data({4, 3}).Int64s({3}).Int("axis", 1).Text(),
      "error: node `n` (Gather): input 1 (indices) has the index 3 but the "
      "axis allows -3 to 2");
  EXPECT_EQ(OneNode("Gather", 10).Data({4, 3}).Int64s({-1}).Text(),
            "error: node `n` (Gather): input 1 (indices) has the index -1 but "
            "the axis allows 0 to 3");
  EXPECT_EQ(OneNode("Gather", 13)
                .Data({4, 3})
                .Data({2}, onnx::TensorProto::INT64)
                .Text(),
            "%2: float32[2,3] = gather(%x0, %x1) {axis=0} \"n\"");
  EXPECT_EQ(OneNode("Gather", 13).Data({4, 3}).Weights({1}).Text(),
            "error: node `n` (Gather): input 1 (indices) is float32[1] but "
            "int32 or int64 is needed");
}

TEST(DataMovementTest, Transpose) {
  EXPECT_EQ(OneNode("Transpose", 13).Data({2, 3, 4}).Text(),
            "%1: float32[4,3,2] = transpose(%x0) {perm=[2,1,0]} \"n\"");
  EXPECT_EQ(
      OneNode("Transpose", 13).Data({2, 3, 4}).Ints("perm", {1, 0, 2}).Text(),
      "%1: float32[3,2,4] = transpose(%x0) {perm=[1,0,2]} \"n\"");
  EXPECT_EQ(OneNode("Transpose", 13).Data({2, 3}).Ints("perm", {0, 0}).Text(),
            "error: node `n` (Transpose): perm [0,0] is not a permutation of "
            "the axes of float32[2,3]");
  EXPECT_EQ(OneNode("Transpose", 13)
                .Constant(NDArray::FromVector<int64_t>({2, 2}, {1, 2, 3, 4}))
                .Text(),
            "%2: int64[2,2] = constant {value=[1,3,2,4]} \"n\"");
}

TEST(IdentityTest, ResultIsTheOperand) {
  EXPECT_EQ(OneNode("Identity", 13).Int64s({1}).Text(),
            "%0: int64[1] = constant {value=[1]} \"x0\"");
  EXPECT_EQ(OneNode("Dropout", 7).Int64s({1}).Float("ratio", 0.1f).Text(),
            "%0: int64[1] = constant {value=[1]} \"x0\"");
  EXPECT_EQ(OneNode("Dropout", 7).Int64s({1}).Result("mask").Text(),
            "%0: int64[1] = constant {value=[1]} \"x0\"");
  EXPECT_EQ(OneNode("Dropout", 12).Int64s({1}).Int("seed", 3).Text(),
            "%0: int64[1] = constant {value=[1]} \"x0\"");
  EXPECT_EQ(OneNode("Dropout", 12).Int64s({1}).Float("ratio", 0.1f).Text(),
            "error: node `n` (Dropout): attribute `ratio` is not supported for "
            "Dropout in opset 12");
  EXPECT_EQ(OneNode("Dropout", 12).Int64s({1}).LeaveOut().Data({1}).Text(),
            "error: node `n` (Dropout): input 2 (training_mode) is computed "
            "when the model runs; only constants are supported");
}

TEST(ConstantTest, EveryKindOfValue) {
  EXPECT_EQ(OneNode("Constant", 12).Int("value_int", 3).Text(),
            "%0: int64[] = constant {value=[3]} \"n\"");
  EXPECT_EQ(OneNode("Constant", 12).Ints("value_ints", {3, 4}).Text(),
            "%0: int64[2] = constant {value=[3,4]} \"n\"");
  EXPECT_EQ(OneNode("Constant", 12).Float("value_float", 0.5f).Text(),
            "%0: float32[] = constant {value=[0.5]} \"n\"");
  EXPECT_EQ(OneNode("Constant", 11).Int("value_int", 3).Text(),
            "error: node `n` (Constant): attribute `value_int` is not "
            "supported for Constant in opset 11");
  EXPECT_EQ(OneNode("Constant", 12).String("value_string", "a").Text(),
            "error: node `n` (Constant): attribute `value_string` is not "
            "supported for Constant in opset 12");
  EXPECT_EQ(OneNode("Constant", 12).Text(),
            "error: node `n` (Constant): has 0 values but exactly one is "
            "needed; attribute `value` holds a tensor");
  EXPECT_EQ(OneNode("Constant", 12)
                .Int("value_int", 3)
                .Float("value_float", 0.5f)
                .Text(),
            "error: node `n` (Constant): has 2 values but exactly one is "
            "needed; attribute `value` holds a tensor");
}

}  // namespace
}  // namespace assay::frontend
