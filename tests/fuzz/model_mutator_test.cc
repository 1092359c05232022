#include "tests/fuzz/model_mutator.h"

#include <set>
#include <string>

#include "compiler/frontend/onnx/testing/small_model.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::fuzz {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

onnx::ModelProto Net() {
  onnx::ModelProto model = frontend::ModelOfX({2, 4}, {"y"});
  onnx::GraphProto& graph = *model.mutable_graph();
  frontend::AddScalar(graph, "two", onnx::TensorProto::FLOAT, 2.0f);
  frontend::AddNode(graph, "Mul", {"x", "two"}, {"m"});
  frontend::AddNode(graph, "Relu", {"m"}, {"r"});
  frontend::SetInt(frontend::AddNode(graph, "Softmax", {"r"}, {"y"}), "axis",
                   1);
  return model;
}

// Returns what is changed for the seeds from 0 to `count` - 1.
std::set<std::string> Changes(const onnx::ModelProto& model, uint64_t count) {
  std::set<std::string> changes;
  for (uint64_t seed = 0; seed < count; ++seed) {
    onnx::ModelProto changed = model;
    Rng rng(seed);
    changes.insert(ChangeModel(changed, rng));
  }
  return changes;
}

TEST(ModelMutatorTest, MakesEveryKindOfChange) {
  const std::set<std::string> changes = Changes(Net(), 3000);
  for (const char* change :
       {"removed node 0",
        "duplicated node 1",
        "swapped node ",
        "changed attribute `axis` of node 2 (`Softmax`)",
        "removed attribute `axis` of node 2",
        "changed the operator of node ",
        "swapped inputs 0 and 1 of node 0 (`Mul`)",
        "left out input 0 of ",
        "changed input 1 of node 0 (`Mul`) to ",
        "added an input to ",
        "removed the last output of ",
        "changed output 0 of node ",
        "changed the shape of `x`",
        "changed the element type of `y` to ",
        "changed the shape of initializer `two`",
        "changed the size of the data of initializer `two`",
        "changed an element of initializer `two`",
        "removed initializer 0",
        "removed output 0",
        "duplicated input 0",
        "changed the version of an opset to "}) {
    EXPECT_THAT(changes, Contains(HasSubstr(change)));
  }
  for (const std::string& change : changes) {
    EXPECT_EQ(change.find('\n'), std::string::npos) << change;
    EXPECT_NE(change, "");
  }
}

TEST(ModelMutatorTest, MostChangesMakeOtherModels) {
  std::set<std::string> made;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    onnx::ModelProto model = Net();
    Rng rng(seed);
    (void)ChangeModel(model, rng);
    made.insert(model.SerializeAsString());
  }
  EXPECT_GT(made.size(), 100u);
}

TEST(ModelMutatorTest, IsDeterministic) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    onnx::ModelProto a = Net(), b = Net();
    Rng first(seed), second(seed);
    EXPECT_EQ(ChangeModel(a, first), ChangeModel(b, second));
    EXPECT_EQ(a.SerializeAsString(), b.SerializeAsString());
  }
}

TEST(ModelMutatorTest, ChangesSubgraphs) {
  onnx::ModelProto model = frontend::ModelOfX({2}, {"y"});
  onnx::NodeProto& loop =
      frontend::AddNode(*model.mutable_graph(), "Loop", {"n", "", "x"}, {"y"});
  frontend::AddNode(frontend::AddBody(loop, "body"), "Neg", {"v"}, {"w"});
  EXPECT_THAT(Changes(model, 500), Contains(HasSubstr(" of a subgraph")));
}

TEST(ModelMutatorTest, CannotChangeAnEmptyModel) {
  onnx::ModelProto model;
  Rng rng(1);
  EXPECT_EQ(ChangeModel(model, rng), "");
}

}  // namespace
}  // namespace assay::fuzz
