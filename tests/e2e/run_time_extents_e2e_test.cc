// Compiles and runs models with extents that only the values of the inputs
// decide (compiler/graph/builder/bounded_dims.h). The results are those of the
// reference interpreter.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "compiler/driver/compile.h"
#include "compiler/frontend/onnx/import.h"
#include "compiler/frontend/onnx/testing/small_model.h"
#include "compiler/graph/reference/evaluate.h"
#include "compiler/graph/testing/random_graph.h"
#include "gtest/gtest.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/check.h"
#include "runtime/base/element.h"
#include "runtime/base/ndarray.h"
#include "runtime/device/cpu/cpu_device.h"
#include "runtime/executor/executor.h"

namespace assay::driver {
namespace {

using frontend::AddBody;
using frontend::AddNode;
using frontend::AddScalar;
using frontend::SetInt;
using Names = std::vector<std::string>;

std::vector<double> Numbers(const NDArray& array) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < array.num_elements(); ++i) {
    numbers.push_back(array.dtype().is_float()
                          ? LoadFloat(array, i)
                          : static_cast<double>(LoadInt(array, i)));
  }
  return numbers;
}

// Runs `model` on values of its input `x`, one after the other. Returns the
// first extent of output 0 for each of them.
std::vector<int64_t> ExtentsOfFirst(const onnx::ModelProto& model,
                                    const std::vector<NDArray>& values) {
  const auto graph = frontend::ImportOnnxModel(model);
  CHECK(graph.ok()) << graph.status();
  const auto target = ResolveTarget("llvm -mcpu=native");
  CHECK(target.ok()) << target.status();
  CompileOptions options;
  options.verify = true;
  const auto artifact = Compile(**graph, *target, options);
  CHECK(artifact.ok()) << artifact.status();
  const auto device = runtime::CpuDevice::Create(2);
  CHECK(device.ok()) << device.status();
  const auto executor = runtime::Executor::Create(*artifact, device->get());
  CHECK(executor.ok()) << executor.status();
  std::vector<int64_t> extents;
  for (const NDArray& value : values) {
    CHECK((*executor)->SetInput("x", value).ok());
    const absl::Status ran = (*executor)->Run();
    EXPECT_TRUE(ran.ok()) << ran;
    const auto expected = graph::Evaluate(**graph, {value});
    CHECK(expected.ok()) << expected.status();
    extents.push_back((*expected)[0].shape()[0]);
    for (size_t i = 0; i < expected->size(); ++i) {
      const std::string& name = (*graph)->outputs()[i].name;
      const auto actual = (*executor)->GetOutput(name);
      CHECK(actual.ok()) << actual.status();
      EXPECT_EQ(actual->shape(), (*expected)[i].shape()) << name;
      if (actual->shape() != (*expected)[i].shape()) continue;
      const std::vector<double> a = Numbers(*actual);
      const std::vector<double> b = Numbers((*expected)[i]);
      for (size_t k = 0; k < a.size(); ++k) {
        EXPECT_NEAR(a[k], b[k], 1e-5) << name << " " << k;
      }
    }
  }
  return extents;
}

void AddInts(onnx::GraphProto& graph, const std::string& name,
             const std::vector<int64_t>& values) {
  onnx::TensorProto& tensor = *graph.add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::INT64);
  tensor.add_dims(static_cast<int64_t>(values.size()));
  for (const int64_t value : values) tensor.add_int64_data(value);
}

// Adds the best boxes of the rows from `begin` to `end`, as an exporter writes
// `keep = scores > 0; boxes[keep][scores[keep].topk(min(7, n))]`.
void AddLevel(onnx::GraphProto& graph, const std::string& level, int64_t begin,
              int64_t end) {
  const auto name = [&](const std::string& value) { return level + value; };
  AddInts(graph, name("begin"), {begin});
  AddInts(graph, name("end"), {end});
  AddNode(graph, "Slice", {"boxes", name("begin"), name("end")},
          {name("boxes")});
  AddNode(graph, "Slice", {"scores", name("begin"), name("end")},
          {name("scores")});
  AddNode(graph, "Greater", {name("scores"), "threshold"}, {name("mask")});
  for (const std::string part : {"boxes", "scores"}) {
    AddNode(graph, "NonZero", {name("mask")}, {name(part + "_found")});
    AddNode(graph, "Transpose", {name(part + "_found")}, {name(part + "_at")});
    AddNode(graph, "GatherND", {name(part), name(part + "_at")},
            {name(part + "_kept")});
  }
  AddNode(graph, "Shape", {name("scores_kept")}, {name("n")});
  SetInt(AddNode(graph, "Concat", {name("n"), "seven"}, {name("counts")}),
         "axis", 0);
  SetInt(AddNode(graph, "ReduceMin", {name("counts")}, {name("least")}),
         "keepdims", 0);
  AddNode(graph, "Reshape", {name("least"), "open"}, {name("k")});
  AddNode(graph, "TopK", {name("scores_kept"), name("k")},
          {name("best"), name("places")});
  AddNode(graph, "Gather", {name("boxes_kept"), name("places")},
          {name("best_boxes")});
}

// Two levels of boxes, of which the best ones that do not overlap are selected.
// Row i of x is box i and its score.
TEST(RunTimeExtentsTest, HeadOfDetector) {
  onnx::ModelProto model =
      frontend::ModelOfX({40, 5}, {"detected", "their_scores", "count"});
  onnx::GraphProto& graph = *model.mutable_graph();
  AddScalar<float>(graph, "threshold", onnx::TensorProto::FLOAT, 0);
  AddScalar<float>(graph, "overlap", onnx::TensorProto::FLOAT, 0.3f);
  AddScalar<int64_t>(graph, "most", onnx::TensorProto::INT64, 10);
  AddScalar<int64_t>(graph, "two", onnx::TensorProto::INT64, 2);
  AddScalar<int64_t>(graph, "four", onnx::TensorProto::INT64, 4);
  AddInts(graph, "zero", {0});
  AddInts(graph, "one", {1});
  AddInts(graph, "fourth", {4});
  AddInts(graph, "six", {6});
  AddInts(graph, "seven", {7});
  AddInts(graph, "open", {-1});
  AddInts(graph, "front", {0, 1});
  AddNode(graph, "Slice", {"x", "zero", "fourth", "one"}, {"boxes"});
  SetInt(AddNode(graph, "Gather", {"x", "four"}, {"scores"}), "axis", 1);
  AddLevel(graph, "a.", 0, 24);
  AddLevel(graph, "b.", 24, 40);
  SetInt(AddNode(graph, "Concat", {"a.best_boxes", "b.best_boxes"}, {"all"}),
         "axis", 0);
  SetInt(AddNode(graph, "Concat", {"a.best", "b.best"}, {"all_scores"}), "axis",
         0);
  AddNode(graph, "Unsqueeze", {"all", "zero"}, {"batch"});
  AddNode(graph, "Unsqueeze", {"all_scores", "front"}, {"batch_scores"});
  AddNode(graph, "NonMaxSuppression",
          {"batch", "batch_scores", "most", "overlap"}, {"selected"});
  SetInt(AddNode(graph, "Gather", {"selected", "two"}, {"places"}), "axis", 1);
  AddNode(graph, "Slice", {"places", "zero", "six"}, {"first"});
  AddNode(graph, "Gather", {"all", "first"}, {"detected"});
  AddNode(graph, "Gather", {"all_scores", "first"}, {"their_scores"});
  AddNode(graph, "Shape", {"all_scores"}, {"count"});

  std::vector<NDArray> values;
  for (const uint64_t seed : {1, 2, 3}) {
    values.push_back(graph::TestRandom(seed).Tensor({40, 5}));
  }
  // A single box, and none.
  NDArray one(DType::Float32(), {40, 5});
  const auto elements = one.data<float>();
  std::fill(elements.begin(), elements.end(), -1.0f);
  const NDArray none = one.Clone();
  elements[30 * 5 + 2] = elements[30 * 5 + 3] = elements[30 * 5 + 4] = 1;
  values.push_back(one);
  values.push_back(none);
  const std::vector<int64_t> extents = ExtentsOfFirst(model, values);
  ASSERT_EQ(extents.size(), 5u);
  for (int i = 0; i < 3; ++i) EXPECT_GT(extents[i], 1);
  EXPECT_EQ(extents[3], 1);
  EXPECT_EQ(extents[4], 0);
}

// Divides x by 2 until the sum of its elements is at most 1.
TEST(RunTimeExtentsTest, LoopUntilCondition) {
  onnx::ModelProto model = frontend::ModelOfX({4}, {"steps", "last"});
  onnx::GraphProto& graph = *model.mutable_graph();
  AddScalar<int64_t>(graph, "most", onnx::TensorProto::INT64, 8);
  AddScalar<float>(graph, "half", onnx::TensorProto::FLOAT, 0.5f);
  AddScalar<float>(graph, "limit", onnx::TensorProto::FLOAT, 1);
  onnx::NodeProto& node =
      AddNode(graph, "Loop", {"most", "", "x"}, {"last", "steps"});
  onnx::GraphProto& body = AddBody(node, "body");
  for (const char* name : {"trip", "go", "v"}) body.add_input()->set_name(name);
  AddNode(body, "Mul", {"v", "half"}, {"less"});
  SetInt(AddNode(body, "ReduceSum", {"less"}, {"sum"}), "keepdims", 0);
  AddNode(body, "Greater", {"sum", "limit"}, {"go_on"});
  AddNode(body, "Identity", {"less"}, {"step"});
  for (const char* name : {"go_on", "less", "step"}) {
    body.add_output()->set_name(name);
  }
  std::vector<NDArray> values;
  for (const float element : {0.1f, 1.0f, 5.0f, 1000.0f}) {
    values.push_back(
        NDArray::FromVector<float>({4}, {element, element, element, element}));
  }
  // 8 iterations of 1000 leave 4000 / 256, which is more than 1.
  EXPECT_EQ(ExtentsOfFirst(model, values), (std::vector<int64_t>{1, 2, 5, 8}));
}

}  // namespace
}  // namespace assay::driver
