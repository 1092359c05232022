#include "tests/fuzz/mutate_file.h"

#include <set>
#include <string>

#include "compiler/frontend/onnx/testing/small_model.h"
#include "gtest/gtest.h"
#include "onnx/onnx.pb.h"

namespace assay::fuzz {
namespace {

std::string SmallFile() {
  onnx::ModelProto model = frontend::ModelOfX({2, 4}, {"y"});
  onnx::GraphProto& graph = *model.mutable_graph();
  frontend::AddScalar(graph, "two", onnx::TensorProto::FLOAT, 2.0f);
  frontend::AddNode(graph, "Mul", {"x", "two"}, {"y"});
  return model.SerializeAsString();
}

TEST(MutateFileTest, EverySeedMakesAnotherFile) {
  const std::string file = SmallFile();
  std::set<std::string> made;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    const MutatedFile mutated = MutateFile(file, seed);
    EXPECT_NE(mutated.bytes, file) << seed;
    EXPECT_NE(mutated.what, "") << seed;
    EXPECT_EQ(mutated.what.find('\n'), std::string::npos) << mutated.what;
    made.insert(mutated.bytes);
  }
  EXPECT_GT(made.size(), 400u);
}

TEST(MutateFileTest, IsDeterministic) {
  const std::string file = SmallFile();
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const MutatedFile a = MutateFile(file, seed), b = MutateFile(file, seed);
    EXPECT_EQ(a.bytes, b.bytes);
    EXPECT_EQ(a.what, b.what);
  }
}

TEST(MutateFileTest, OddSeedsMakeFilesThatCanBeParsed) {
  const std::string file = SmallFile();
  int odd = 0, even = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    onnx::ModelProto model;
    const bool parsed = model.ParseFromString(MutateFile(file, seed).bytes);
    (seed % 2 == 1 ? odd : even) += parsed ? 1 : 0;
  }
  // Some changes of the wire format change the type of a field.
  EXPECT_GT(odd, 450);
  EXPECT_LT(even, 400);
}

TEST(MutateFileTest, ChangesFilesThatAreNoModels) {
  for (const std::string file : {"", "x", "no model"}) {
    for (uint64_t seed = 0; seed < 100; ++seed) {
      EXPECT_NE(MutateFile(file, seed).bytes, file) << seed;
    }
  }
}

}  // namespace
}  // namespace assay::fuzz
