// Runs both programs on broken copies of a small model.
#include <string>
#include <vector>

#include "compiler/frontend/onnx/testing/small_model.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/file.h"
#include "runtime/process/subprocess.h"

namespace assay::fuzz {
namespace {

using ::testing::ContainsRegex;

class MutateFilesTest : public testing::Test {
 protected:
  MutateFilesTest() : dir_(TempDir::Create().value()) {
    onnx::ModelProto model = frontend::ModelOfX({2, 4}, {"y"});
    onnx::GraphProto& graph = *model.mutable_graph();
    frontend::DeclareFloats(*graph.mutable_output(0), "y", {2, 4});
    frontend::AddScalar(graph, "two", onnx::TensorProto::FLOAT, 2.0f);
    frontend::AddNode(graph, "Mul", {"x", "two"}, {"m"});
    frontend::SetInt(frontend::AddNode(graph, "Softmax", {"m"}, {"y"}), "axis",
                     1);
    file_ = JoinPath(dir_.path(), "net.onnx");
    EXPECT_TRUE(WriteFileAtomic(file_, model.SerializeAsString()).ok());
  }

  // Returns the standard output. Tests run in the root of the workspace's
  // runfiles. Sanitizers do not allow a limit of the address space.
  std::string Mutate(const std::vector<std::string>& flags) const {
    std::vector<std::string> command = {
        "tests/fuzz/mutate_files", "--model=" + file_, "--address_space=none"};
    command.insert(command.end(), flags.begin(), flags.end());
    runtime::ProcessOptions options;
    options.timeout_s = 1000;
    const auto ended = runtime::RunProcess(command, options);
    EXPECT_TRUE(ended.ok()) << ended.status();
    if (!ended.ok()) return "";
    EXPECT_EQ(ended->exit_code, 0) << ended->out << ended->err;
    return ended->out;
  }

  const TempDir dir_;
  std::string file_;
};

TEST_F(MutateFilesTest, CompilerSurvives) {
  EXPECT_THAT(Mutate({"--program=compile", "--mutations=10"}),
              ContainsRegex("net +10 .* 0\n"));
}

TEST_F(MutateFilesTest, SuiteSurvives) {
  EXPECT_THAT(Mutate({"--mutations=4"}), ContainsRegex("net +4 .* 0\n"));
}

}  // namespace
}  // namespace assay::fuzz
