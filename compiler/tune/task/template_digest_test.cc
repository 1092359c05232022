#include "compiler/tune/task/template_digest.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "compiler/driver/isolate_kernel.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/graph/testing/random_graph.h"
#include "compiler/tune/task/tasks.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"

namespace assay::tune {
namespace {

using ::testing::MatchesRegex;
using ::testing::SizeIs;

target::Target TargetOf(const std::string& text) {
  const auto target = target::Target::Parse(text);
  CHECK(target.ok()) << target.status();
  return *target;
}

target::Target Avx512(int cores) {
  return TargetOf("llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4")
      .WithCores(cores);
}

std::string DigestOf(const graph::Graph& kernel,
                     const target::Target& target = Avx512(2)) {
  const auto digest = TemplateDigest(kernel, target);
  CHECK(digest.ok()) << digest.status();
  return *digest;
}

// A kernel whose operators have other names than those of other calls.
std::string DigestOf(const std::string& body, const std::string& name,
                     const target::Target& target = Avx512(2)) {
  const auto graph = graph::GraphFromText(
      "graph g(%data: float32[1,64,14,14]@blocks(16), %w: "
      "float32[64,64,3,3]@filters(in=16,out=16)) -> "
      "(%3) {\n%3: float32[1,64,14,14]@blocks(16) = kernel(%data, %w) "
      "{\ngraph " +
      name + "(%" + name + ": float32[1,64,14,14]@blocks(16), " +
      "%p1: float32[64,64,3,3]@filters(in=16,out=16)) -> (%8) {\n" + body +
      " \"" + name + "\"\n}} \"" + name + "\"\n}");
  return DigestOf(**driver::IsolateKernel(*graph->outputs()[0].value.node, "g"),
                  target);
}

constexpr char kConv[] =
    "%8: float32[1,64,14,14]@blocks(16) = conv2d(%a, %p1) {strides=[1,1], "
    "padding=[1,1,1,1], dilations=[1,1], groups=1}";
constexpr char kConvB[] =
    "%8: float32[1,64,14,14]@blocks(16) = conv2d(%b, %p1) {strides=[1,1], "
    "padding=[1,1,1,1], dilations=[1,1], groups=1}";
constexpr char kDilated[] =
    "%8: float32[1,64,14,14]@blocks(16) = conv2d(%a, %p1) {strides=[1,1], "
    "padding=[2,2,2,2], dilations=[2,2], groups=1}";

TEST(TemplateDigestTest, DependsOnTheTaskAndTheTargetOnly) {
  const std::string digest = DigestOf(kConv, "a");
  EXPECT_THAT(digest, MatchesRegex("[0-9a-f]{16}"));
  EXPECT_EQ(DigestOf(kConv, "a"), digest);
  EXPECT_EQ(DigestOf(kConvB, "b"), digest);  // other names
  EXPECT_NE(DigestOf(kDilated, "a"), digest);
  EXPECT_NE(DigestOf(kConv, "a", Avx512(1)), digest);
  EXPECT_NE(DigestOf(kConv, "a",
                     TargetOf("llvm -mtriple=aarch64-linux-gnu "
                              "-mcpu=cortex-a53 -num-cores=2")),
            digest);
}

TEST(TemplateDigestTest, TellsTheTasksOfANetworkApart) {
  const std::unique_ptr<graph::Graph> model = graph::ResNet18(32, 16, 7);
  const auto tasks = ExtractTasks(*model, Avx512(2), {}, LayoutChoices::kAll);
  ASSERT_TRUE(tasks.ok()) << tasks.status();
  std::set<std::string> digests;
  bool elementwise = false;
  for (const Task& task : *tasks) {
    digests.insert(DigestOf(*task.kernel));
    elementwise |= task.anchor.empty();
  }
  EXPECT_THAT(digests, SizeIs(tasks->size()));
  EXPECT_TRUE(elementwise);
}

}  // namespace
}  // namespace assay::tune
