#include "suites/correctness/oracle.h"

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/graph/parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::suites {
namespace {

using ::testing::ElementsAre;

Model RectifierModel() {
  auto graph = graph::ParseGraph(R"(graph net(%x: float32[3]) -> (y=%1) {
  %1: float32[3] = relu(%x)
})");
  EXPECT_TRUE(graph.ok()) << graph.status();
  return {"net", "digest", std::move(*graph)};
}

// Sums have noise.
Model SumModel() {
  auto graph = graph::ParseGraph(R"(graph net(%x: float32[3]) -> (y=%2) {
  %1: float32[3,1] = reshape(%x) {shape=[3,1]}
  %2: float32[3] = reduce_sum(%1) {axes=[1]}
})");
  EXPECT_TRUE(graph.ok()) << graph.status();
  return {"net", "digest", std::move(*graph)};
}

runtime::NamedTensors Floats(const std::string& name,
                             const std::vector<float>& values) {
  return {{name, NDArray::FromVector<float>({3}, values)}};
}

std::vector<float> Answer(InterpreterOracle&& oracle, const Model& model,
                          const runtime::NamedTensors& inputs) {
  const auto outputs = oracle.Reference(model, inputs);
  EXPECT_TRUE(outputs.ok()) << outputs.status();
  if (!outputs.ok()) return {};
  EXPECT_EQ((*outputs)[0].name, "y");
  const auto data = (*outputs)[0].value.data<float>();
  return std::vector<float>(data.begin(), data.end());
}

// Returns the path of the only file in the cache.
std::string OnlyFile(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path().string());
  }
  EXPECT_EQ(files.size(), 1u);
  return files.empty() ? "" : files[0];
}

ino_t InodeOf(const std::string& path) {
  struct stat info = {};
  EXPECT_EQ(stat(path.c_str(), &info), 0);
  return info.st_ino;
}

TEST(OracleTest, InterpretsWithoutACache) {
  EXPECT_THAT(Answer(InterpreterOracle("", ""), RectifierModel(),
                     Floats("x", {-1, 0, 2})),
              ElementsAre(0, 0, 2));
}

TEST(OracleTest, ReportsEachPercentOnce) {
  std::vector<int> seen;
  InterpreterOracle oracle("", "", [&](int percent) {
    EXPECT_TRUE(seen.empty() || percent > seen.back());
    seen.push_back(percent);
  });
  EXPECT_THAT(
      Answer(std::move(oracle), RectifierModel(), Floats("x", {-1, 0, 2})),
      ElementsAre(0, 0, 2));
  EXPECT_THAT(seen, ElementsAre(0));
}

TEST(OracleTest, CachesOutputs) {
  const absl::StatusOr<TempDir> dir = TempDir::Create();
  ASSERT_TRUE(dir.ok()) << dir.status();
  const std::string folder = JoinPath(dir->path(), "oracle");
  const runtime::NamedTensors x = Floats("x", {-1, 0, 2});
  const Model model = RectifierModel();
  EXPECT_THAT(Answer(InterpreterOracle(folder, "1"), model, x),
              ElementsAre(0, 0, 2));

  // A file that is written again is a new file.
  const std::string file = OnlyFile(folder);
  const ino_t first = InodeOf(file);
  EXPECT_THAT(Answer(InterpreterOracle(folder, "1"), model, x),
              ElementsAre(0, 0, 2));
  EXPECT_EQ(InodeOf(file), first);

  // The key covers version, model and inputs.
  EXPECT_THAT(Answer(InterpreterOracle(folder, "2"), model, x),
              ElementsAre(0, 0, 2));
  EXPECT_THAT(
      Answer(InterpreterOracle(folder, "1"), model, Floats("x", {1, 1, 1})),
      ElementsAre(1, 1, 1));
  Model other = RectifierModel();
  other.digest = "other";
  EXPECT_THAT(Answer(InterpreterOracle(folder, "1"), other, x),
              ElementsAre(0, 0, 2));
}

size_t NumFiles(const std::string& folder) {
  const std::filesystem::directory_iterator files(folder);
  return static_cast<size_t>(std::distance(begin(files), end(files)));
}

TEST(OracleTest, CachesOutputsWithNoise) {
  const absl::StatusOr<TempDir> dir = TempDir::Create();
  ASSERT_TRUE(dir.ok()) << dir.status();
  InterpreterOracle oracle(dir->path(), "1");
  const runtime::NamedTensors x = Floats("x", {1, 2, 3});
  const Model model = SumModel();
  bool differs = false;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    const auto noisy = oracle.Outputs(model, x, seed);
    ASSERT_TRUE(noisy.ok()) << noisy.status();
    EXPECT_EQ(NumFiles(dir->path()), seed);
    const auto values = (*noisy)[0].value.data<float>();
    EXPECT_NEAR(values[2], 3, 1e-6);
    differs |= values[2] != 3;
  }
  EXPECT_TRUE(differs);

  // The noise does not reach the correct outputs, and seeds are repeatable.
  EXPECT_THAT(Answer(InterpreterOracle(dir->path(), "1"), model, x),
              ElementsAre(1, 2, 3));
  EXPECT_EQ(NumFiles(dir->path()), 9u);
  const auto cached = oracle.Outputs(model, x, 5);
  const auto computed = InterpreterOracle("", "1").Outputs(model, x, 5);
  ASSERT_TRUE(cached.ok() && computed.ok());
  EXPECT_TRUE(BitwiseEqual((*cached)[0].value, (*computed)[0].value));
  EXPECT_EQ(NumFiles(dir->path()), 9u);
}

TEST(OracleTest, IgnoresAnswersToOtherQuestions) {
  const absl::StatusOr<TempDir> dir = TempDir::Create();
  ASSERT_TRUE(dir.ok()) << dir.status();
  const runtime::NamedTensors x = Floats("x", {-1, 0, 2});
  const Model model = RectifierModel();
  Answer(InterpreterOracle(dir->path(), "1"), model, x);
  const std::string file = OnlyFile(dir->path());
  // Tensors of the right types, without and with the digest of another key.
  ASSERT_TRUE(runtime::WriteTensors(file, Floats("y", {7, 8, 9})).ok());
  EXPECT_THAT(Answer(InterpreterOracle(dir->path(), "1"), model, x),
              ElementsAre(0, 0, 2));
  const absl::StatusOr<TempDir> other = TempDir::Create();
  Answer(InterpreterOracle(other->path(), "1"), model, Floats("x", {7, 8, 9}));
  std::filesystem::copy_file(OnlyFile(other->path()), file,
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT(Answer(InterpreterOracle(dir->path(), "1"), model, x),
              ElementsAre(0, 0, 2));
}

TEST(OracleTest, IgnoresADamagedCache) {
  const absl::StatusOr<TempDir> dir = TempDir::Create();
  ASSERT_TRUE(dir.ok()) << dir.status();
  const std::string folder = dir->path();
  const runtime::NamedTensors x = Floats("x", {-1, 0, 2});
  const Model model = RectifierModel();
  ASSERT_THAT(Answer(InterpreterOracle(folder, "1"), model, x),
              ElementsAre(0, 0, 2));
  const std::string file = OnlyFile(folder);
  const std::string whole = *ReadFile(file);
  const runtime::NamedTensors other_name = Floats("z", {7, 8, 9});
  for (const std::string& bad :
       {std::string(), whole.substr(0, whole.size() - 1),
        runtime::SerializeTensors(other_name), runtime::SerializeTensors({})}) {
    ASSERT_TRUE(WriteFileAtomic(file, bad).ok());
    EXPECT_THAT(Answer(InterpreterOracle(folder, "1"), model, x),
                ElementsAre(0, 0, 2));
    EXPECT_EQ(*ReadFile(file), whole);
  }
  EXPECT_THAT(Answer(InterpreterOracle("/proc/no/such/folder", "1"), model, x),
              ElementsAre(0, 0, 2));
}

TEST(OracleTest, SeededInputsDependOnTheSeed) {
  const Model model = RectifierModel();
  const runtime::NamedTensors a = SeededInputs(*model.graph, 1);
  ASSERT_EQ(a.size(), 1u);
  EXPECT_EQ(a[0].name, "x");
  EXPECT_EQ(a[0].value.shape(), Shape({3}));
  EXPECT_TRUE(BitwiseEqual(a[0].value, SeededInputs(*model.graph, 1)[0].value));
  EXPECT_FALSE(
      BitwiseEqual(a[0].value, SeededInputs(*model.graph, 2)[0].value));
}

TEST(OracleTest, ComputesADigestOfTheProgram) {
  const absl::StatusOr<std::string> digest = ProgramDigest();
  ASSERT_TRUE(digest.ok()) << digest.status();
  EXPECT_EQ(digest->size(), 64u);
}

}  // namespace
}  // namespace assay::suites
