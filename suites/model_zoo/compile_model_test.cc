// Tests compile_model as MeasureModel() runs it.
#include <string>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/file.h"
#include "suites/model_zoo/measure.h"
#include "suites/model_zoo/model_list.h"
#include "suites/model_zoo/outcome.h"

namespace assay::suites {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

void SetType(absl::string_view name, onnx::ValueInfoProto* info) {
  info->set_name(std::string(name));
  onnx::TypeProto::Tensor* type = info->mutable_type()->mutable_tensor_type();
  type->set_elem_type(onnx::TensorProto::FLOAT);
  type->mutable_shape()->add_dim()->set_dim_value(4);
}

// Returns a model with one node, which has one input and one output.
std::string OneNode(absl::string_view op_type) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(13);
  onnx::GraphProto* graph = model.mutable_graph();
  graph->set_name("net");
  SetType("x", graph->add_input());
  SetType("y", graph->add_output());
  onnx::NodeProto* node = graph->add_node();
  node->set_op_type(std::string(op_type));
  node->add_input("x");
  node->add_output("y");
  return model.SerializeAsString();
}

class CompileModelTest : public testing::Test {
 protected:
  CompileModelTest() : dir_(TempDir::Create().value()) {
    // Tests run in the root of the workspace's runfiles.
    options_.compile_program = "suites/model_zoo/compile_model";
    options_.check_program = "/bin/false";
    options_.threads = 1;
    options_.timeout_s = 60;
  }

  std::string Write(const std::string& bytes) const {
    std::string path = JoinPath(dir_.path(), "net.onnx");
    EXPECT_TRUE(WriteFileAtomic(path, bytes).ok());
    return path;
  }

  ZooOutcome Measure(const std::string& file) const {
    return MeasureModel(model_, file, options_);
  }

  const TempDir dir_;
  MeasureOptions options_;
  ZooModel model_;
};

TEST_F(CompileModelTest, PrintsTheTime) {
  const ZooOutcome outcome = Measure(Write(OneNode("Relu")));
  EXPECT_TRUE(outcome.compile_ms.has_value());
  EXPECT_THAT(outcome.sentence, StartsWith("measuring exited with 1"));
}

TEST_F(CompileModelTest, RefusesModels) {
  ZooOutcome outcome = Measure(Write(OneNode("Odd")));
  EXPECT_EQ(outcome.result, ZooResult::kRefused);
  EXPECT_THAT(outcome.sentence, AllOf(HasSubstr("net.onnx"), HasSubstr("Odd")));
  outcome = Measure(Write("no model"));
  EXPECT_EQ(outcome.result, ZooResult::kRefused) << outcome.sentence;
}

TEST_F(CompileModelTest, DoesNotRefuseAnythingElse) {
  ZooOutcome outcome = Measure(JoinPath(dir_.path(), "none.onnx"));
  EXPECT_EQ(outcome.result, ZooResult::kFailed);
  EXPECT_THAT(outcome.sentence,
              AllOf(StartsWith("compiling exited with 2: there is no file"),
                    HasSubstr("none.onnx")));
  const std::string file = Write(OneNode("Relu"));
  model_.dims = {"N"};
  outcome = Measure(file);
  EXPECT_EQ(outcome.result, ZooResult::kFailed) << outcome.sentence;
  model_.dims.clear();
  options_.max_memory = "much";
  outcome = Measure(file);
  EXPECT_EQ(outcome.result, ZooResult::kFailed) << outcome.sentence;
}

}  // namespace
}  // namespace assay::suites
