// Compares whole models in each model reference with the interpreter. Tests of
// a reference that is not available are skipped.
#include "suites/references/model_reference.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/element.h"
#include "runtime/base/file.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/random.h"
#include "runtime/device/cpu/cpu_affinity.h"
#include "runtime/measure/session.h"
#include "suites/correctness/accuracy.h"
#include "suites/correctness/onnx_model.h"
#include "suites/correctness/oracle.h"
#include "suites/models/model_file.h"
#include "suites/models/onnx_builder.h"
#include "suites/references/parity.h"

namespace assay::suites {
namespace {

constexpr uint64_t kSeed = 7;

NDArray Uniform(const Shape& shape, absl::string_view name) {
  NDArray array(DType::Float32(), shape);
  Rng(SeedFor(kSeed, name)).FillUniform(array, -1.0f, 1.0f);
  return array;
}

// Returns a network with two outputs, one of which is also an input of another
// node.
onnx::ModelProto SmallModel(const std::string& symbolic_batch = "") {
  ExportStyle style;
  style.symbolic_batch = symbolic_batch;
  OnnxBuilder onnx("small", style);
  const std::string data = onnx.Input("data", {1, 3, 9, 7});
  const std::string kernel =
      onnx.Weight("conv.weight", Uniform({16, 3, 3, 3}, "kernel"));
  const std::string features =
      onnx.Relu("relu", onnx.Conv("conv", data, kernel, /*bias=*/"",
                                  {/*kernel=*/3, /*stride=*/1, /*padding=*/1}));
  const std::string flat =
      onnx.Flatten("flatten", onnx.GlobalAveragePool("pool", features));
  const std::string matrix =
      onnx.Weight("dense.weight", Uniform({4, 16}, "matrix"));
  const std::string bias = onnx.Weight("dense.bias", Uniform({4}, "bias"));
  const std::string logits = onnx.Dense("dense", flat, matrix, bias);
  onnx.Output("features", features, {1, 16, 9, 7});
  onnx.Output("logits", logits, {1, 4});
  return onnx.Build();
}

std::string SmallNetwork(const std::string& symbolic_batch = "") {
  return SerializeModel(SmallModel(symbolic_batch));
}

// Returns a model whose output has as many rows as boxes are selected.
std::string SelectionOfBoxes() {
  OnnxBuilder onnx("selection", ExportStyle());
  const std::string boxes = onnx.Input("boxes", {1, 4, 4});
  const std::string scores = onnx.Input("scores", {1, 1, 4});
  const std::string most =
      onnx.Weight("most", NDArray::FromVector<int64_t>({1}, {4}));
  const std::string overlap =
      onnx.Weight("overlap", NDArray::FromVector<float>({1}, {0.5f}));
  const std::string score =
      onnx.Weight("score", NDArray::FromVector<float>({1}, {0.3f}));
  const std::string selected =
      onnx.AddNode("NonMaxSuppression", "nms",
                   {boxes, scores, most, overlap, score})
          ->output(0);
  onnx.OutputOfRank("selected", selected, 2, DType::Int64());
  return SerializeModel(onnx.Build());
}

// Returns a model that converts its input to `types`, one output each.
std::string Casts(const std::vector<DType>& types) {
  OnnxBuilder onnx("casts", ExportStyle());
  const std::string data = onnx.Input("data", {1, 4});
  for (const DType dtype : types) {
    const std::string name = dtype.ToString();
    onnx::NodeProto* cast =
        onnx.AddNode("Cast", absl::StrCat("to_", name), {data});
    SetInt(cast, "to", OnnxType(dtype));
    onnx.Output(name, cast->output(0), {1, 4}, dtype);
  }
  return SerializeModel(onnx.Build());
}

class ModelReferenceTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    auto reference = LoadModelReference("", GetParam());
    if (!reference.ok()) GTEST_SKIP() << reference.status();
    reference_ = *std::move(reference);
  }

  // Runs the small network on two inputs, and compares its outputs with those
  // of the interpreter.
  void ExpectAnswers(const std::string& bytes,
                     const std::map<std::string, int64_t>& dims, int threads) {
    ExpectAnswers(LoadOnnxBytes("small", bytes, dims), threads);
  }
  void ExpectAnswers(const absl::StatusOr<Model>& model, int threads) {
    ASSERT_TRUE(model.ok()) << model.status();
    InterpreterOracle oracle(/*folder=*/"", /*version=*/"");
    const auto loaded =
        reference_->LoadModel({*model->onnx, model->file_with_external_data},
                              SeededInputs(*model->graph, kSeed), threads);
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    for (const uint64_t seed : {kSeed, kSeed + 1}) {
      const runtime::NamedTensors inputs = SeededInputs(*model->graph, seed);
      const auto answer = oracle.Reference(*model, inputs);
      ASSERT_TRUE(answer.ok()) << answer.status();
      ASSERT_TRUE(loaded->session->SetInputs(inputs).ok());
      // The second run writes to the memory of the first.
      ASSERT_TRUE(runtime::RunOnce(*loaded->session).ok());
      const auto sample = runtime::RunOnce(*loaded->session);
      ASSERT_TRUE(sample.ok()) << sample.status();
      const Accuracy accuracy = CheckOutputs(sample->outputs, *answer);
      EXPECT_TRUE(accuracy.correct) << accuracy.problem;
      ASSERT_EQ(sample->outputs.size(), 2u);
      EXPECT_EQ(sample->outputs[0].name, "features");
      EXPECT_EQ(sample->outputs[1].name, "logits");
    }
  }

  std::unique_ptr<Reference> reference_;
};

TEST_P(ModelReferenceTest, ComputesOutputsOfNewInputs) {
  for (const int threads : {1, 2}) {
    ExpectAnswers(SmallNetwork(), /*dims=*/{}, threads);
  }
}

TEST_P(ModelReferenceTest, SupportsSymbolicExtents) {
  ExpectAnswers(SmallNetwork(/*symbolic_batch=*/"N"), {{"N", 1}},
                /*threads=*/1);
}

TEST_P(ModelReferenceTest, ReadsExternalData) {
  const absl::StatusOr<TempDir> dir = TempDir::Create();
  ASSERT_TRUE(dir.ok()) << dir.status();
  const std::string path = JoinPath(dir->path(), "small.onnx");
  ASSERT_TRUE(WriteModel(SmallModel("N"), path, /*external_data=*/true).ok());
  const auto model = LoadOnnxFile(path, {{"N", 1}});
  ASSERT_TRUE(model.ok()) << model.status();
  ASSERT_EQ(model->file_with_external_data, path);
  ExpectAnswers(model, /*threads=*/1);
}

TEST_P(ModelReferenceTest, SupportsOutputsWhoseExtentsDependOnTheData) {
  const auto inputs = [](const std::vector<float>& scores) {
    return runtime::NamedTensors{
        {"boxes", NDArray::FromVector<float>({1, 4, 4}, {0, 0, 1, 1,    //
                                                         0, 0, 1, 0.9,  //
                                                         2, 2, 3, 3,    //
                                                         5, 5, 6, 7})},
        {"scores", NDArray::FromVector<float>({1, 1, 4}, scores)}};
  };
  // The second box overlaps the first, and scores of less than 0.3 are too low.
  struct Case {
    std::vector<float> scores;
    std::vector<int64_t> selected;
  };
  const std::vector<Case> cases = {{{0.9, 0.8, 0.7, 0.1}, {0, 2}},
                                   {{0.9, 0.8, 0.7, 0.6}, {0, 2, 3}},
                                   {{0.1, 0.2, 0.1, 0.1}, {}},
                                   {{0.1, 0.8, 0.1, 0.1}, {1}}};
  const auto loaded = reference_->LoadModel(
      {SelectionOfBoxes()}, inputs(cases[0].scores), /*threads=*/1);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  for (const Case& c : cases) {
    ASSERT_TRUE(loaded->session->SetInputs(inputs(c.scores)).ok());
    std::vector<int64_t> rows;
    for (const int64_t box : c.selected) rows.insert(rows.end(), {0, 0, box});
    const NDArray expected = NDArray::FromVector<int64_t>(
        {static_cast<int64_t>(c.selected.size()), 3}, rows);
    for (int run = 0; run < 2; ++run) {
      const auto sample = runtime::RunOnce(*loaded->session);
      ASSERT_TRUE(sample.ok()) << sample.status();
      EXPECT_TRUE(BitwiseEqual(sample->outputs.at(0).value, expected));
    }
  }
}

TEST_P(ModelReferenceTest, RunsUnderTheConditionsOfOurPrograms) {
  if (runtime::AllowedCpus().size() < 2) {
    GTEST_SKIP() << "there is one processor";
  }
  const std::string bytes = SmallNetwork();
  const auto model = LoadOnnxBytes("small", bytes, /*dims=*/{});
  ASSERT_TRUE(model.ok()) << model.status();
  const auto loaded =
      reference_->LoadModel({bytes}, SeededInputs(*model->graph, kSeed), 2);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  const std::vector<NamedParity> manifest = {{"ours", OurParity(2)},
                                             {GetParam(), loaded->parity}};
  EXPECT_TRUE(CheckParity(manifest).ok()) << CheckParity(manifest);
  EXPECT_NE(loaded->parity.optimization, "");
  EXPECT_EQ(loaded->session->threads(), 2);
}

TEST_P(ModelReferenceTest, RejectsInvalidModel) {
  const auto loaded = reference_->LoadModel({"not a model"}, {}, 1);
  ASSERT_FALSE(loaded.ok());
  const std::string text(loaded.status().message());
  EXPECT_TRUE(absl::StartsWith(text, "ONNX Runtime: ") ||
              absl::StartsWith(text, "OpenVINO: "))
      << text;
}

TEST_P(ModelReferenceTest, RejectsMissingInput) {
  const auto loaded = reference_->LoadModel(
      {SmallNetwork()}, {{"data", Uniform({1, 3, 9, 7}, "data")}}, 1);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->session->SetInputs({}).message(),
            "no value of the right size for input `data`");
}

INSTANTIATE_TEST_SUITE_P(All, ModelReferenceTest,
                         ::testing::ValuesIn(ModelReferenceNames()),
                         [](const auto& info) {
                           return std::string(info.param);
                         });

// OpenVINO has fewer types of outputs.
TEST(OnnxRuntimeTest, ReadsOutputsOfAllTypes) {
  const auto reference = LoadModelReference("", "onnxruntime");
  if (!reference.ok()) GTEST_SKIP() << reference.status();
  const std::vector<DType> types = {
      DType::Float16(), DType::BFloat16(), DType::Float64(), DType::Bool(),
      DType::Int(8),    DType::UInt(8),    DType::Int32(),   DType::Int64()};
  const std::vector<float> values = {0, 1, 3, 100};
  const auto loaded =
      (*reference)
          ->LoadModel({Casts(types)},
                      {{"data", NDArray::FromVector<float>({1, 4}, values)}},
                      /*threads=*/1);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  const auto sample = runtime::RunOnce(*loaded->session);
  ASSERT_TRUE(sample.ok()) << sample.status();
  ASSERT_EQ(sample->outputs.size(), types.size());
  for (size_t k = 0; k < types.size(); ++k) {
    const NDArray& output = sample->outputs[k].value;
    ASSERT_EQ(output.dtype(), types[k]);
    for (int64_t i = 0; i < 4; ++i) {
      const double value = types[k].is_float()
                               ? LoadFloat(output, i)
                               : static_cast<double>(LoadInt(output, i));
      EXPECT_EQ(value, types[k].is_bool() ? values[i] != 0 : values[i])
          << types[k] << " " << i;
    }
  }
}

// Returns a model with one node, whose first operand is the input `x`.
onnx::ModelProto OneNode(const std::string& op, const std::string& domain,
                         DType x, const Shape& x_shape, DType y,
                         const Shape& y_shape,
                         const std::vector<runtime::NamedTensor>& weights) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(17);
  onnx::OperatorSetIdProto& contrib = *model.add_opset_import();
  contrib.set_domain("com.microsoft");
  contrib.set_version(1);
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.set_name("g");
  const auto declare = [](const std::string& name, DType type,
                          const Shape& shape, onnx::ValueInfoProto* value) {
    value->set_name(name);
    auto* tensor = value->mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(OnnxType(type));
    for (const int64_t extent : shape) {
      tensor->mutable_shape()->add_dim()->set_dim_value(extent);
    }
  };
  declare("x", x, x_shape, graph.add_input());
  declare("y", y, y_shape, graph.add_output());
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type(op);
  node.set_domain(domain);
  node.add_input("x");
  node.add_output("y");
  for (const runtime::NamedTensor& weight : weights) {
    node.add_input(weight.name);
    onnx::TensorProto& tensor = *graph.add_initializer();
    tensor.set_name(weight.name);
    tensor.set_data_type(OnnxType(weight.value.dtype()));
    for (const int64_t extent : weight.value.shape()) tensor.add_dims(extent);
    tensor.set_raw_data(weight.value.raw(), weight.value.num_bytes());
  }
  return model;
}

// Runs the model in ONNX Runtime with exact products, and compares its output
// with that of the interpreter.
void ExpectExactAnswer(const onnx::ModelProto& proto) {
  const auto reference = LoadModelReference("", "onnxruntime");
  if (!reference.ok()) GTEST_SKIP() << reference.status();
  const auto model = LoadOnnxBytes("exact", proto.SerializeAsString(), {});
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_TRUE(model->has_inexact_products);
  const runtime::NamedTensors inputs = SeededInputs(*model->graph, kSeed);
  const auto loaded =
      (*reference)
          ->LoadModel({*model->onnx, /*file=*/"", ByteProducts::kExact}, inputs,
                      /*threads=*/1);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  const auto sample = runtime::RunOnce(*loaded->session);
  ASSERT_TRUE(sample.ok()) << sample.status();
  InterpreterOracle oracle(/*folder=*/"", /*version=*/"");
  const auto answer = oracle.Reference(*model, inputs);
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(CheckOutputs(sample->outputs, *answer).problem, "");
}

// By default, pairs of such products saturate on processors without VNNI.
TEST(OnnxRuntimeTest, ExactProductsOfBytesDoNotSaturate) {
  NDArray w(DType::Int(8), {256, 16});
  for (int64_t i = 0; i < w.num_elements(); ++i) {
    StoreInt(w, i, i % 3 == 0 ? -128 : 127);
  }
  ExpectExactAnswer(OneNode("MatMulInteger", "", DType::UInt(8), {4, 256},
                            DType::Int32(), {4, 16}, {{"w", w}}));
}

// By default, the float operand is rounded to 8 bits.
TEST(OnnxRuntimeTest, ExactProductsDoNotRoundFloats) {
  constexpr int64_t kRows = 64, kColumns = 16;
  NDArray w(DType::UInt(8), {kColumns, kRows / 32, 16});
  for (int64_t i = 0; i < w.num_elements(); ++i) StoreInt(w, i, i * 37 + 11);
  NDArray scales(DType::Float32(), {kColumns * kRows / 32});
  for (float& scale : scales.data<float>()) scale = 0.1f;
  onnx::ModelProto model =
      OneNode("MatMulNBits", "com.microsoft", DType::Float32(), {4, kRows},
              DType::Float32(), {4, kColumns}, {{"w", w}, {"scales", scales}});
  onnx::NodeProto* node = model.mutable_graph()->mutable_node(0);
  SetInt(node, "K", kRows);
  SetInt(node, "N", kColumns);
  SetInt(node, "bits", 4);
  SetInt(node, "block_size", 32);
  SetInt(node, "accuracy_level", 4);
  ExpectExactAnswer(model);
}

TEST(LoadModelReferenceTest, UnknownNameIsAnError) {
  EXPECT_EQ(LoadModelReference("", "openblas").status().message(),
            "no reference `openblas` runs models; there are `onnxruntime`, "
            "`openvino`");
}

}  // namespace
}  // namespace assay::suites
