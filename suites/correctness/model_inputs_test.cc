#include "suites/correctness/model_inputs.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/graph/parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/file.h"

namespace assay::suites {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr int64_t kMemory = 1 << 20;

class BindDimsTest : public testing::Test {
 protected:
  BindDimsTest() : dir_(TempDir::Create().value()) {
    inputs_.label = "`in.npz`";
    inputs_.noun = "array";
  }

  // Adds an input of the model. An extent is a number, a symbol, or an empty
  // string if it is not specified.
  onnx::ValueInfoProto* AddInput(const std::string& name,
                                 const std::vector<std::string>& extents) {
    onnx::ValueInfoProto* input = model_.mutable_graph()->add_input();
    input->set_name(name);
    auto* type = input->mutable_type()->mutable_tensor_type();
    type->set_elem_type(onnx::TensorProto::FLOAT);
    type->mutable_shape();
    for (const std::string& extent : extents) {
      auto* dim = type->mutable_shape()->add_dim();
      if (extent.empty()) continue;
      if (extent.find_first_not_of("-0123456789") == std::string::npos) {
        dim->set_dim_value(std::stoll(extent));
      } else {
        dim->set_dim_param(extent);
      }
    }
    return input;
  }

  // Adds an array to the file of the inputs.
  void AddArray(const std::string& name, const Shape& shape) {
    UnreadTensor tensor;
    tensor.name = name;
    tensor.label = "`in.npz`: array `" + name + "`";
    tensor.type = {DType::Float32(), shape};
    inputs_.tensors.push_back(std::move(tensor));
  }

  absl::StatusOr<std::map<std::string, int64_t>> Bind(
      const std::map<std::string, int64_t>& dims = {}) {
    const std::string path = JoinPath(dir_.path(), "net.onnx");
    EXPECT_TRUE(WriteFileAtomic(path, model_.SerializeAsString()).ok());
    return BindDims(inputs_, path, dims, kMemory);
  }

  std::string ErrorOf() { return std::string(Bind().status().message()); }

  TempDir dir_;
  onnx::ModelProto model_;
  InputFile inputs_;
};

TEST_F(BindDimsTest, TakesExtentsFromShapes) {
  AddInput("x", {"N", "3", "height", "height"});
  AddInput("y", {"N", "", "-1"});
  AddArray("y", {2, 5, 6});
  AddArray("x", {2, 3, 8, 8});
  const auto dims = Bind();
  ASSERT_TRUE(dims.ok()) << dims.status();
  EXPECT_THAT(*dims, ElementsAre(Pair("N", 2), Pair("height", 8),
                                 Pair("y[1]", 5), Pair("y[2]", 6)));
}

TEST_F(BindDimsTest, FlagsTakePrecedence) {
  AddInput("x", {"N", "M"});
  AddArray("x", {2, 3});
  EXPECT_THAT(*Bind({{"N", 7}, {"other", 1}}),
              ElementsAre(Pair("M", 3), Pair("N", 7), Pair("other", 1)));
}

TEST_F(BindDimsTest, WeightsAreNoInputs) {
  AddInput("x", {"N"});
  AddInput("w", {"4"});
  model_.mutable_graph()->add_initializer()->set_name("w");
  AddArray("x", {2});
  EXPECT_THAT(*Bind(), ElementsAre(Pair("N", 2)));
}

// A wrong number is reported when the model has been imported.
TEST_F(BindDimsTest, NumbersAreNotCompared) {
  AddInput("x", {"N", "3"});
  AddArray("x", {2, 4});
  EXPECT_THAT(*Bind(), ElementsAre(Pair("N", 2)));
}

TEST_F(BindDimsTest, ExtentsMustAgree) {
  AddInput("x", {"N"});
  AddInput("y", {"N"});
  AddArray("x", {2});
  AddArray("y", {3});
  EXPECT_EQ(ErrorOf(),
            "the extent `N` is 2 in `in.npz`: array `x`, but 3 in `in.npz`: "
            "array `y`");
}

TEST_F(BindDimsTest, RanksMustAgree) {
  AddInput("x", {"N", "3", ""});
  AddArray("x", {2, 3});
  EXPECT_EQ(ErrorOf(),
            "`in.npz`: array `x` is float32[2,3], but the shape of the model's "
            "input is [N,3,x[2]]");
}

TEST_F(BindDimsTest, ExtentsArePositive) {
  AddInput("x", {"N", "3"});
  AddArray("x", {0, 3});
  EXPECT_EQ(ErrorOf(),
            "`in.npz`: array `x` is float32[0,3], but every extent must be at "
            "least 1");
}

TEST_F(BindDimsTest, NamesMustAgree) {
  AddInput("x", {"N"});
  AddArray("z", {2});
  EXPECT_EQ(ErrorOf(),
            "`in.npz` has no array for the input `x` of the model; it has `z`");
}

TEST_F(BindDimsTest, InputsWithoutShapeHaveThatOfTheirTensors) {
  AddInput("x", {})->mutable_type()->mutable_tensor_type()->clear_shape();
  AddInput("s", {})->mutable_type()->mutable_tensor_type()->clear_shape();
  AddArray("x", {2, 0});
  AddArray("s", {});
  EXPECT_THAT(*Bind(),
              ElementsAre(Pair("s[]", 1), Pair("x[0]", 2), Pair("x[1]", 0)));
  EXPECT_THAT(*Bind({{"x[0]", 5}}),
              ElementsAre(Pair("s[]", 1), Pair("x[0]", 5)));
}

TEST_F(BindDimsTest, OtherValuesAreLeftToTheImporter) {
  AddInput("s", {})->mutable_type()->mutable_sequence_type();
  AddArray("s", {3});
  EXPECT_THAT(*Bind(), IsEmpty());
  const std::string path = JoinPath(dir_.path(), "broken.onnx");
  ASSERT_TRUE(WriteFileAtomic(path, "no model").ok());
  EXPECT_THAT(*BindDims(inputs_, path, {{"N", 1}}, kMemory),
              ElementsAre(Pair("N", 1)));
  EXPECT_EQ(BindDims(inputs_, path + "x", {}, kMemory).status().code(),
            absl::StatusCode::kNotFound);
}

std::unique_ptr<graph::Graph> Net() {
  auto graph = graph::ParseGraph(
      "graph net(%x: float32[2], %y: float32[1,2]) -> (z=%1) {\n"
      "  %1: float32[1,2] = add(%x, %y)\n}");
  EXPECT_TRUE(graph.ok()) << graph.status();
  return *std::move(graph);
}

// Returns a file with these arrays. Sets `*reads` to the number of arrays whose
// elements were read.
InputFile File(const runtime::NamedTensors& arrays, int* reads) {
  InputFile file;
  file.label = "`in.npz`";
  file.noun = "array";
  *reads = 0;
  for (const runtime::NamedTensor& array : arrays) {
    UnreadTensor tensor;
    tensor.name = array.name;
    tensor.label = "`in.npz`: array `" + array.name + "`";
    tensor.type = {array.value.dtype(), array.value.shape()};
    tensor.read = [value = array.value, reads]() -> absl::StatusOr<NDArray> {
      ++*reads;
      return value;
    };
    file.tensors.push_back(std::move(tensor));
  }
  return file;
}

TEST(ModelInputsTest, HaveTheOrderOfTheModel) {
  const NDArray x = NDArray::FromVector<float>({2}, {1, 2});
  const NDArray y = NDArray::FromVector<float>({1, 2}, {3, 4});
  int reads = 0;
  const auto inputs =
      ReadModelInputs(File({{"y", y}, {"x", x}}, &reads), *Net());
  ASSERT_TRUE(inputs.ok()) << inputs.status();
  EXPECT_EQ(reads, 2);
  ASSERT_EQ(inputs->size(), 2u);
  EXPECT_EQ((*inputs)[0].name, "x");
  EXPECT_TRUE(BitwiseEqual((*inputs)[0].value, x));
  EXPECT_EQ((*inputs)[1].name, "y");
  EXPECT_TRUE(BitwiseEqual((*inputs)[1].value, y));
}

// Elements are not read if a type is wrong.
TEST(ModelInputsTest, TypesMustBeThoseOfTheModel) {
  const NDArray x(DType::Float32(), {2});
  const struct {
    runtime::NamedTensors arrays;
    const char* error;
  } kCases[] = {
      {{{"x", x}, {"y", NDArray(DType::Float64(), {1, 2})}},
       "`in.npz`: array `y` is float64[1,2], but the model needs "
       "float32[1,2]"},
      {{{"x", x}, {"y", NDArray(DType::Float32(), {2})}},
       "`in.npz`: array `y` is float32[2], but the model needs float32[1,2]"},
      {{{"x", x}},
       "`in.npz` has no array for the input `y` of the model; it has `x`"},
  };
  for (const auto& c : kCases) {
    int reads = 0;
    const auto inputs = ReadModelInputs(File(c.arrays, &reads), *Net());
    EXPECT_EQ(inputs.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(inputs.status().message(), c.error);
    EXPECT_EQ(reads, 0);
  }
}

}  // namespace
}  // namespace assay::suites
