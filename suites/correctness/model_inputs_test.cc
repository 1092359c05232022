#include "suites/correctness/model_inputs.h"

#include <memory>
#include <string>
#include <utility>

#include "compiler/graph/parser.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

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
