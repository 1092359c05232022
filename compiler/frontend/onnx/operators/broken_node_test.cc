// Nodes with invalid or much too large operands and attributes: each gives an
// error of one line, without using the memory or time it asks for.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "compiler/frontend/onnx/testing/one_node.h"
#include "gtest/gtest.h"

namespace assay::frontend {
namespace {

constexpr int64_t kHuge = int64_t{1} << 28;

struct Case {
  OneNode node;
  // The error after the name of the node.
  const char* error;
};

void ExpectErrors(const std::vector<Case>& cases) {
  for (size_t i = 0; i < cases.size(); ++i) {
    const OneNode& node = cases[i].node;
    const std::string label =
        absl::StrCat("error: node `n` (", OneNode(node).node().op_type(),
                     "): ", cases[i].error);
    const std::string text = node.Text();
    EXPECT_TRUE(absl::StartsWith(text, label)) << i << ": " << text;
    EXPECT_FALSE(absl::StrContains(text, "\n")) << text;
  }
}

OneNode Node(absl::string_view op_type, int opset = 13) {
  return OneNode(op_type, opset);
}

NDArray Floats(const std::vector<float>& values) {
  return NDArray::FromVector<float>({static_cast<int64_t>(values.size())},
                                    values);
}

template <typename T>
NDArray Scalar(T value) {
  return NDArray::FromVector<T>({}, {value});
}

// An LSTM of 2 steps, 3 sequences and 4 hidden elements.
OneNode Lstm() {
  return Node("LSTM").Data({2, 3, 1}).Weights({1, 16, 1}).Weights({1, 16, 4});
}

TEST(BrokenNodeTest, Recurrence) {
  ExpectErrors({
      {Lstm().Data({1, 8}), "input 3 (B) is float32[1,8] but [1,32] is needed"},
      {Lstm().LeaveOut().Data({}, onnx::TensorProto::INT32),
       "input 4 (sequence_lens) is int32[] but [3] is needed"},
      {Lstm().LeaveOut().LeaveOut().Data({}),
       "input 5 (initial_h) is float32[] but [1,3,4] is needed"},
      {Lstm().LeaveOut().LeaveOut().LeaveOut().Data({3, 1, 4}),
       "input 6 (initial_c) is float32[3,1,4] but [1,3,4] is needed"},
      {Lstm().LeaveOut().LeaveOut().LeaveOut().LeaveOut().Data({12}),
       "input 7 (P) is float32[12] but [1,12] is needed"},
  });
}

TEST(BrokenNodeTest, Numbers) {
  ExpectErrors({
      {Node("Range")
           .Constant(Scalar<int64_t>(0))
           .Constant(Scalar<int64_t>(3))
           .Constant(Scalar(1.0f)),
       "start is int64[] but input 2 is float32[]"},
      {Node("OneHot")
           .Data({2}, onnx::TensorProto::INT64)
           .Constant(Scalar<int64_t>(1000000000))
           .Weights({2}),
       "int64[1,1000000000] needs 7.5 GiB, more than the 4 GiB"},
      {Node("EyeLike").Data({int64_t{1} << 30, 1}),
       "int64[1073741824,1] needs 8 GiB, more than the 0 bytes"},
      {Node("Cast").Data({1}).Int("to", (int64_t{1} << 32) + 1),
       "attribute `to` is 4294967297, which is no element type"},
      {Node("CumSum", 14).Data({2}).Constant(Scalar(1.0f)),
       "input 1 (axis) is float32[] but one whole number or truth value"},
      {Node("NonMaxSuppression")
           .Data({1, 6, 4})
           .Data({1, 1, 6})
           .Constant(Scalar(std::nanf(""))),
       "input 2 (max_output_boxes_per_class) is float32[] but one whole"},
      {Node("Det").Constant(NDArray(DType::Float32(), {1, 0, 0})),
       "determinants of order 0 are not supported; 1 to 4 are"},
      {Node("Add", 6)
           .Data({2, 2})
           .Data({2})
           .Int("broadcast", 1)
           .Int("axis", std::numeric_limits<int64_t>::max()),
       "attribute `axis` is 9223372036854775807 but float32[2] has no place"},
      {Node("Split", 18).Data({8}).Int("num_outputs", int64_t{1} << 62),
       "there are 4611686018427387904 extents for 1 results"},
      {Node("Split").Data({8}).Int64s({std::numeric_limits<int64_t>::max()}),
       "the extents [9223372036854775807] do not make up axis 0"},
      {Node("BatchNormalization", 15)
           .Data({1, 2}, onnx::TensorProto::UINT64)
           .Data({2})
           .Data({2})
           .Data({2})
           .Data({2})
           .Float("epsilon", std::nanf("")),
       "the operator needs the number nan, which is no uint64"},
      {Node("LRN").Data({1, 1 << 20, 1}).Int("size", 1 << 20),
       "has more than 4096 channels in a sum, which are unrolled"},
  });
}

TEST(BrokenNodeTest, Resize) {
  const auto crop = [](float begin) {
    return Node("Resize")
        .Data({4})
        .Constant(Floats({begin, 1}))
        .Constant(Floats({2}))
        .String("coordinate_transformation_mode", "tf_crop_and_resize");
  };
  const auto resize = [](std::vector<int64_t> sizes) {
    return Node("Resize", 18)
        .Data(Shape(sizes.size(), 4))
        .LeaveOut()
        .LeaveOut()
        .Int64s(sizes);
  };
  ExpectErrors({
      {crop(std::nanf("")), "input 1 (roi) has the number nan"},
      {crop(1e30f), "input 1 (roi) has the number 1e+30; every number lies"},
      {resize({int64_t{1} << 35}),
       "float32[34359738368] needs 128 GiB, more than the 4 GiB"},
      {resize({int64_t{1} << 62}), "shape [4611686018427387904] is too large"},
      {resize({1 << 29}).String("mode", "cubic"),
       "int64[536870912,4] needs 16 GiB, more than the 4 GiB"},
      {resize({0}).String("mode", "cubic").Int("antialias", 1),
       "size 0 of axis 0 cannot be had from 4 elements"},
      {Node("Resize").Data({4}).LeaveOut().Constant(Floats({1e-30f})),
       "axis 0 has no elements"},
      {resize({int64_t{1} << 62, 1})
           .String("keep_aspect_ratio_policy", "not_smaller"),
       "shape [999999986991104,4] is too large"},
  });
}

TEST(BrokenNodeTest, Signals) {
  ExpectErrors({
      {Node("DFT", 17).Data({1, kHuge, 1}).Constant(Scalar<int64_t>(4096)),
       "shape [268435456,8192] is too large"},
      {Node("STFT", 17)
           .Data({1, kHuge, 1})
           .Constant(Scalar<int64_t>(1))
           .LeaveOut()
           .Constant(Scalar<int64_t>(kHuge / 2)),
       "shape [134217729,134217728] is too large"},
      {Node("DFT", 17).Constant(NDArray(DType::Float32(), {1, 0, 1})),
       "a transform of 0 elements is not supported; 1 to 4096 are"},
  });
}

TEST(BrokenNodeTest, Einsum) {
  ExpectErrors({
      {Node("Einsum").Data({1, 3}).String("equation", "ii->i"),
       "operand 0 is float32[1,3], which has no diagonal"},
      {Node("Einsum")
           .Data({kHuge, 1})
           .Data({1, kHuge})
           .String("equation", "ij,ij->ij"),
       "shape [268435456,268435456] is too large"},
  });
}

TEST(BrokenNodeTest, EinsumRepeatsByBroadcasting) {
  EXPECT_EQ(Node("Einsum")
                .Data({1})
                .Data({1 << 20})
                .String("equation", "i,i->i")
                .Import()
                .status(),
            absl::OkStatus());
}

TEST(BrokenNodeTest, Windows) {
  const auto pool = [](const char* type, onnx::TensorProto::DataType element) {
    return Node(type)
        .Data({1, 1, 1 << 14, 1 << 14}, element)
        .Ints("kernel_shape", {128, 64});
  };
  const int64_t most = int64_t{1} << 24;
  ExpectErrors({
      {pool("MaxPool", onnx::TensorProto::INT64),
       "has more than 4096 elements in a window, which are unrolled"},
      {Node("LpPool")
           .Data({1, 1, 4, 4, 4})
           .Ints("kernel_shape", {most, most, most})
           .Ints("pads", {most, most, most, most, most, most}),
       "shape [16777216,16777216,16777216] is too large"},
      {Node("Conv").Data({1, 1, 4}).Weights({1, 1, 0}),
       "the weights are for the window [0], which has no elements"},
      {Node("Conv").Data({1, 1, 1 << 20, 1, 1}).Data({1, 1, 1 << 20, 1, 1}),
       "has more than 4096 planes of weights, which are unrolled"},
      {Node("ConvTranspose").Data({1, 1, 1, 1, 1}).Data({1, 1, 1 << 20, 1, 1}),
       "has more than 4096 planes of weights, which are unrolled"},
      {Node("ConvTranspose")
           .Data({1, 1, 4})
           .Weights({1, 1, 3})
           .Ints("pads", {std::numeric_limits<int64_t>::min(), 0}),
       "attribute `pads` is [-9223372036854775808,0]; every number lies"},
      {Node("ConvTranspose")
           .Data({1, 1, 4})
           .Weights({1, 1, 3})
           .Ints("pads", {1, 1})
           .String("auto_pad", "SAME_UPPER"),
       "attribute `pads` is [1,1] although `auto_pad` is `SAME_UPPER`"},
      {Node("ConvTranspose")
           .Data({1, 1, 4})
           .Weights({1, 1, 3})
           .Ints("output_shape", {std::numeric_limits<int64_t>::min()}),
       "shape [-9223372036854775808] has a negative extent"},
  });
  OneNode with_indices =
      pool("MaxPool", onnx::TensorProto::FLOAT).Result("indices");
  with_indices.model().mutable_graph()->add_output()->set_name("indices");
  ExpectErrors(
      {{with_indices, "has more than 4096 elements in a window, which are"}});
}

TEST(BrokenNodeTest, Padding) {
  ExpectErrors({
      {Node("Pad").Data({4}).Int64s({std::numeric_limits<int64_t>::min(), 0}),
       "pads [-9223372036854775808,0] have a number that is not between"},
      {Node("Pad")
           .Data({4})
           .Int64s({int64_t{1} << 40, 0})
           .String("mode", "edge"),
       "shape [1099511627780] is too large"},
      {Node("Pad", 19).Data({4}).Int64s({-4, 1}).String("mode", "wrap"),
       "axis 0 has no elements"},
  });
}

// Constants may have no elements; their extents must not be divided by.
TEST(BrokenNodeTest, NoElements) {
  const NDArray nothing(DType::Float32(), {0, 2, 3});
  std::vector<OneNode> nodes = {
      Node("GroupNormalization", 18)
          .Constant(nothing)
          .Weights({1})
          .Weights({1})
          .Int("num_groups", 1),
      Node("GroupNormalization", 18)
          .Constant(NDArray(DType::Float32(), {1, 0, 3}))
          .Weights({1})
          .Weights({1})
          .Int("num_groups", 1),
      Node("SoftmaxCrossEntropyLoss")
          .Constant(nothing)
          .Constant(NDArray(DType::Int64(), {0, 3})),
      Node("MaxPool").Constant(nothing).Ints("kernel_shape", {2}),
      Node("MaxPool")
          .Constant(NDArray(DType::Int64(), {1, 0, 3}))
          .Ints("kernel_shape", {2}),
      Node("STFT", 17)
          .Constant(NDArray(DType::Float32(), {0, 4, 1}))
          .Constant(Scalar<int64_t>(1))
          .LeaveOut()
          .Constant(Scalar<int64_t>(2)),
      Node("RNN")
          .Constant(NDArray(DType::Float32(), {0, 1, 1}))
          .Weights({1, 1, 1})
          .Weights({1, 1, 1}),
  };
  nodes[3].Result("indices").model().mutable_graph()->add_output()->set_name(
      "indices");
  for (size_t i = 0; i < nodes.size(); ++i) {
    EXPECT_FALSE(absl::StrContains(nodes[i].Text(), "wrong graph")) << i;
  }
}

}  // namespace
}  // namespace assay::frontend
