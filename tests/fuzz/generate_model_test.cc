#include "tests/fuzz/generate_model.h"

#include <set>
#include <string>
#include <vector>

#include "compiler/frontend/onnx/import.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::fuzz {
namespace {

constexpr uint64_t kSeed = 3;

TEST(GenerateModelTest, ModelsOfRandomBytesCanBeImported) {
  Rng rng(kSeed);
  std::set<std::string> operators;
  int nodes = 0;
  for (int i = 0; i < 400; ++i) {
    std::vector<uint8_t> bytes(rng.UniformInt(0, 400));
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(rng.NextU64());
    const onnx::ModelProto model = GenerateModel(bytes);
    for (const onnx::NodeProto& node : model.graph().node()) {
      operators.insert(node.op_type());
      ++nodes;
    }
    if (model.graph().output_size() == 0) continue;
    const auto graph = frontend::ImportOnnxModel(model);
    EXPECT_TRUE(graph.ok()) << graph.status() << " of model " << i;
  }
  EXPECT_GT(nodes, 800);
  EXPECT_GT(operators.size(), 100u);
}

TEST(GenerateModelTest, EmptyInputGivesEmptyModel) {
  const onnx::ModelProto model = GenerateModel({});
  EXPECT_EQ(model.graph().node_size(), 0);
  EXPECT_EQ(model.graph().output_size(), 0);
}

}  // namespace
}  // namespace assay::fuzz
