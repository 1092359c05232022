#include "compiler/driver/reproducer.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/driver/compile_options.h"
#include "compiler/driver/dump.h"
#include "compiler/driver/stages.h"
#include "compiler/graph/printer.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/graph/testing/random_graph.h"
#include "compiler/target/target.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::driver {
namespace {

constexpr char kTarget[] = "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3";

// The batch_norm cannot be compiled because its mean is not a constant.
constexpr char kFails[] = R"(
    graph g(%x: float32[1,2], %m: float32[2]) -> (%2) {
      %1: float32[2] = constant {value=[1,2]}
      %2: float32[1,2] = batch_norm(%x, %1, %1, %m, %1) {epsilon=0} "BN_4"
    })";

TEST(ReproducerTest, TextRoundTrips) {
  Reproducer reproducer;
  reproducer.error = "pass 3 (x): two\nlines";
  reproducer.target = kTarget;
  reproducer.fusion = false;
  reproducer.max_winograd = 6;
  reproducer.passes = {"dead_code", "fuse_operators"};
  reproducer.graph = graph::ResNet18(32, 8, 7);
  const std::string text = ToString(reproducer);
  const auto again = ParseReproducer(text);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->error, "pass 3 (x): two lines");
  EXPECT_EQ(again->passes, reproducer.passes);
  EXPECT_EQ(again->max_winograd, 6);
  EXPECT_FALSE(again->fusion);
  EXPECT_TRUE(again->choose_layout);
  EXPECT_EQ(ToString(*again), text);
}

TEST(ReproducerTest, ReplayReproducesTheFailureOfAPass) {
  const auto dir = TempDir::Create();
  ASSERT_TRUE(dir.ok());
  CompileOptions options;
  options.reproducer_dir = dir->path();
  const auto graph = graph::GraphFromText(kFails);
  DumpDir dump("");
  const absl::Status status =
      OptimizeGraph(*graph, *target::Target::Parse(kTarget), options, dump);
  const std::string path = dir->path() + "/g.reproducer.txt";
  EXPECT_TRUE(graph::ErrorHas(status, "mean is not a constant"));
  EXPECT_TRUE(graph::ErrorHas(status, absl::StrCat("`", path, "`")));
  const auto text = ReadFile(path);
  ASSERT_TRUE(text.ok()) << text.status();
  const auto reproducer = ParseReproducer(*text);
  ASSERT_TRUE(reproducer.ok()) << reproducer.status();
  EXPECT_EQ(reproducer->passes.front(), "simplify_inference");
  EXPECT_EQ(reproducer->passes.back(), "fuse_operators");
  EXPECT_TRUE(graph::ErrorHas(
      Replay(*reproducer),
      "pass 0 (simplify_inference): node `BN_4` (batch_norm): mean"));
}

TEST(ReproducerTest, ReplayReturnsOkIfNoPassFails) {
  Reproducer reproducer;
  reproducer.target = kTarget;
  reproducer.passes = {"dead_code", "fold_constants", "simplify_inference",
                       "alter_conv_layout", "fuse_operators"};
  reproducer.graph = graph::ResNet18(32, 8, 7);
  const absl::Status status = Replay(reproducer);
  EXPECT_TRUE(status.ok()) << status;
}

TEST(ReproducerTest, ErrorsNameTheLine) {
  EXPECT_TRUE(graph::ErrorHas(ParseReproducer("graph g").status(),
                              "no reproducer: the first line is not"));
  EXPECT_TRUE(
      graph::ErrorHas(ParseReproducer("assay reproducer\ntarget: x\n").status(),
                      "has `target: x` where `error:` should stand"));
  const std::string head =
      "assay reproducer\nerror: e\ntarget: t\noptions: \npasses: a\ngraph:\n"
      "graph g(%x: float32[2]) -> (%1) { %1: float32[2] = relu(%x) }\n";
  EXPECT_TRUE(
      graph::ErrorHas(ParseReproducer(head).status(), "has no `constants:`"));
  EXPECT_TRUE(graph::ErrorHas(
      ParseReproducer(head + "constants:\nfloat32[2] AAAA\n").status(),
      "the bytes of a constant of type `float32[2]`"));
  EXPECT_TRUE(graph::ErrorHas(
      ParseReproducer(head +
                      "constants:\nfloat32[2147483648,2147483648] AAAA\n")
          .status(),
      "shape [2147483648,2147483648] is too large"));
  EXPECT_TRUE(graph::ErrorHas(
      ParseReproducer(head + "constants:\nfloat32 AAAA\n").status(),
      "`float32` is not a tensor type"));
  EXPECT_TRUE(ParseReproducer(head + "constants:\n").ok());
}

}  // namespace
}  // namespace assay::driver
