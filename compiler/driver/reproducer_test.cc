#include "compiler/driver/reproducer.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "compiler/driver/compile.h"
#include "compiler/driver/compile_options.h"
#include "compiler/driver/dump.h"
#include "compiler/driver/stages.h"
#include "compiler/graph/printer.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/graph/testing/random_graph.h"
#include "compiler/ops/config.h"
#include "compiler/target/target.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
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
  reproducer.max_error = 1e-3;
  reproducer.kernel.max_error = 2.5e-7;
  reproducer.kernel.implementation = "conv2d.direct_nchwc";
  reproducer.kernel.config = *ops::Config::Parse("tile_ow=[-1,7] unroll_kw=1");
  reproducer.passes = {"dead_code", "fuse_operators"};
  reproducer.graph = graph::ResNet18(32, 8, 7);
  const std::string text = ToString(reproducer);
  const auto again = ParseReproducer(text);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->error, "pass 3 (x): two lines");
  EXPECT_EQ(again->passes, reproducer.passes);
  EXPECT_EQ(again->max_error, 1e-3);
  EXPECT_FALSE(again->fusion);
  EXPECT_TRUE(again->choose_layout);
  EXPECT_EQ(again->kernel.max_error, 2.5e-7);
  EXPECT_EQ(again->kernel.implementation, "conv2d.direct_nchwc");
  EXPECT_EQ(again->kernel.config, reproducer.kernel.config);
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
                       "assign_encodings", "fuse_operators"};
  reproducer.graph = graph::ResNet18(32, 8, 7);
  const absl::Status status = Replay(reproducer);
  EXPECT_TRUE(status.ok()) << status;
}

// The kernel of a graph, as if the graph passes had run.
constexpr char kKernels[] = R"(
    graph k000_add_relu(%x: float32[2,4], %y: float32[2,4]) -> (out=%1) {
      %1: float32[2,4] = kernel(%x, %y) {
        graph fused_add_relu(%p0: float32[2,4], %p1: float32[2,4]) -> (%3) {
          %2: float32[2,4] = add(%p0, %p1)
          %3: float32[2,4] = relu(%2)
        }
      }
    })";

TEST(ReproducerTest, ReplayCompilesKernelsIfThereAreNoPasses) {
  Reproducer reproducer;
  reproducer.target = kTarget;
  reproducer.graph = graph::GraphFromText(kKernels);
  const absl::Status status = Replay(reproducer);
  EXPECT_TRUE(status.ok()) << status;
  reproducer.graph = graph::GraphFromText(kFails);
  EXPECT_TRUE(graph::ErrorHas(Replay(reproducer),
                              "operator `BN_4` (batch_norm) is in no kernel"));
}

TEST(ReproducerTest, KernelOfAFunctionIsSaved) {
  const auto dir = TempDir::Create();
  ASSERT_TRUE(dir.ok());
  const auto graph = graph::GraphFromText(kKernels);
  const auto target = target::Target::Parse(kTarget);
  DumpDir dump("");
  KernelLowering lowering(*target, /*verify=*/true, dump, dir->path());
  ops::KernelOptions options;
  options.max_error = 0;
  ASSERT_TRUE(lowering.Add(*graph->outputs()[0].value.node, options).ok());
  const std::string path = dir->path() + "/k000_add_relu.reproducer.txt";
  EXPECT_EQ(lowering.Reproduce("k000_add_relu", "a.cc:1: check failed: x"),
            absl::StrCat("the kernel is in `", path, "`"));
  const auto reproducer = ParseReproducer(*ReadFile(path));
  ASSERT_TRUE(reproducer.ok()) << reproducer.status();
  EXPECT_EQ(reproducer->error, "kernel k000_add_relu: a.cc:1: check failed: x");
  EXPECT_TRUE(reproducer->passes.empty());
  EXPECT_EQ(reproducer->kernel.max_error, 0);
  EXPECT_EQ(graph::DiffAgainstText(*reproducer->graph, kKernels), "");
  const absl::Status status = Replay(*reproducer);
  EXPECT_TRUE(status.ok()) << status;
}

class FailedCheckDeathTest : public testing::Test {
 protected:
  void SetUp() override { options_.reproducer_dir = dir_->path(); }

  // Compiles `graph`, in which a check fails.
  void Compile(const char* graph) const {
    (void)driver::Compile(*graph::GraphFromText(graph),
                          *target::Target::Parse(kTarget), options_);
  }

  absl::StatusOr<Reproducer> Saved(const char* name) const {
    const auto text =
        ReadFile(JoinPath(dir_->path(), absl::StrCat(name, ".reproducer.txt")));
    if (!text.ok()) return text.status();
    return ParseReproducer(*text);
  }

  const absl::StatusOr<TempDir> dir_ = TempDir::Create();
  CompileOptions options_;
};

constexpr char kConvolution[] = R"(
    graph net(%x: float32[1,16,8,8]) -> (y=%2) {
      %1: float32[16,16,3,3] = constant {fill=0.5}
      %2: float32[1,16,6,6] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1} "Conv_0"
    })";

TEST_F(FailedCheckDeathTest, InAPassWritesTheGraphBeforeIt) {
  options_.passes.passes = "dead_code,assign_encodings,fuse_operators";
  options_.encoding_times.conv2d = [](const auto&) -> std::optional<double> {
    CHECK(false) << "no clock";
    return std::nullopt;
  };
  options_.encoding_times.conversion = [](const auto&) { return 1; };
  EXPECT_EXIT(Compile(kConvolution), testing::ExitedWithCode(5),
              "check failed: false no clock\n"
              "  in pass `assign_encodings`\n"
              "  for target `llvm .*`\n"
              "  while compiling model `net`\n"
              "  the graph before the pass is in `.*/net.reproducer.txt`\n$");
  const auto saved = Saved("net");
  ASSERT_TRUE(saved.ok()) << saved.status();
  EXPECT_TRUE(absl::StrContains(saved->error, "pass 1 (assign_encodings): "));
  EXPECT_EQ(saved->passes,
            (std::vector<std::string>{"assign_encodings", "fuse_operators"}));
  // The measured times, which failed, are not recorded.
  const absl::Status status = Replay(*saved);
  EXPECT_TRUE(status.ok()) << status;
}

// The pass fold_constants replaces such a product. There is no kernel for it.
constexpr char kEmptyProduct[] = R"(
    graph net(%x: float32[2,0], %w: float32[3,0]) -> (y=%1) {
      %1: float32[2,3] = dense(%x, %w) "Dense_0"
    })";

TEST_F(FailedCheckDeathTest, InAKernelWritesTheKernel) {
  options_.passes.passes = "fuse_operators";
  EXPECT_EXIT(Compile(kEmptyProduct), testing::ExitedWithCode(5),
              "extent of reduction axis `k.o`\n"
              "  while lowering kernel `k000_dense`\n"
              "  for target `llvm .*`\n"
              "  while compiling model `net`\n"
              "  the kernel is in `.*/k000_dense.reproducer.txt`\n$");
  const auto saved = Saved("k000_dense");
  ASSERT_TRUE(saved.ok()) << saved.status();
  EXPECT_TRUE(saved->passes.empty());
  EXPECT_EQ(saved->graph->num_nodes(), 3);
  // The check fails again, and writes nothing.
  EXPECT_EXIT((void)Replay(*saved), testing::ExitedWithCode(5),
              "extent of reduction axis `k.o`\n"
              "  while lowering kernel `k000_dense`\n"
              "  for target `llvm .*`\n$");
}

TEST_F(FailedCheckDeathTest, WritesNothingIfItIsNotAsked) {
  options_.passes.passes = "fuse_operators";
  options_.reproduce_failed_checks = false;
  EXPECT_EXIT(Compile(kEmptyProduct), testing::ExitedWithCode(5),
              "while compiling model `net`\n$");
}

TEST(FailedCheckFolderTest, IsTheTemporaryFolderByDefault) {
  CompileOptions options;
  EXPECT_EQ(FailedCheckFolder(options), TempFolder());
  options.reproducer_dir = "/r";
  EXPECT_EQ(FailedCheckFolder(options), "/r");
  options.reproduce_failed_checks = false;
  EXPECT_EQ(FailedCheckFolder(options), "");
}

TEST(ReproducerTest, ErrorsNameTheLine) {
  EXPECT_TRUE(graph::ErrorHas(ParseReproducer("graph g").status(),
                              "no reproducer: the first line is not"));
  EXPECT_TRUE(
      graph::ErrorHas(ParseReproducer("assay reproducer\ntarget: x\n").status(),
                      "has `target: x` where `error:` should stand"));
  const std::string head =
      "assay reproducer\nerror: e\ntarget: t\noptions: \npasses: a\n"
      "kernel: max_error=0.1 implementation=\nconfig: \ngraph:\n"
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
  for (const std::string option :
       {"max_error=x", "max_error=nan", "max_error=-1"}) {
    EXPECT_TRUE(graph::ErrorHas(
        ParseReproducer(absl::StrReplaceAll(head, {{"max_error=0.1", option}}))
            .status(),
        absl::StrCat("has `", option, " implementation=` in the line")));
    EXPECT_TRUE(graph::ErrorHas(
        ParseReproducer(
            absl::StrReplaceAll(head, {{"options: ", "options: " + option}}))
            .status(),
        absl::StrCat("has no option `", option, "`")));
  }
  EXPECT_TRUE(graph::ErrorHas(
      ParseReproducer(absl::StrReplaceAll(head, {{"config: ", "config: x"}}))
          .status(),
      "`x` is not of the form name=value"));
  EXPECT_TRUE(ParseReproducer(head + "constants:\n").ok());
}

}  // namespace
}  // namespace assay::driver
