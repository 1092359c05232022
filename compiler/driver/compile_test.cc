#include "compiler/driver/compile.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "compiler/driver/dump.h"
#include "compiler/driver/stages.h"
#include "compiler/graph/reference/evaluate.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/graph/testing/pass_testing.h"
#include "compiler/graph/testing/random_graph.h"
#include "compiler/ops/config.h"
#include "compiler/ops/kernel/workload.h"
#include "compiler/target/testing/without_matrix_unit.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/cpu/cpu_device.h"
#include "runtime/device/cpu/kernel_image.h"
#include "runtime/executor/executor.h"

namespace assay::driver {
namespace {

using graph::Graph;
using ::testing::HasSubstr;

target::Target Host() {
  const absl::StatusOr<target::Target> target =
      ResolveTarget("llvm -mcpu=native");
  CHECK(target.ok()) << target.status();
  return *target;
}

// This machine without its matrix unit, which would replace other algorithms.
target::Target HostWithoutMatrixUnit() {
  return target::WithoutMatrixUnit(Host());
}

absl::StatusOr<std::vector<NDArray>> RunArtifact(
    const runtime::Artifact& artifact, const Graph& graph,
    const std::vector<NDArray>& inputs) {
  ASSAY_ASSIGN_OR_RETURN(auto device, runtime::CpuDevice::Create(2));
  ASSAY_ASSIGN_OR_RETURN(auto executor,
                         runtime::Executor::Create(artifact, device.get()));
  for (size_t i = 0; i < inputs.size(); ++i) {
    ASSAY_RETURN_IF_ERROR(
        executor->SetInput(graph.inputs()[i]->name(), inputs[i]));
  }
  ASSAY_RETURN_IF_ERROR(executor->Run());
  std::vector<NDArray> outputs;
  for (const runtime::TensorInfo& output : executor->outputs()) {
    ASSAY_ASSIGN_OR_RETURN(NDArray value, executor->GetOutput(output.name));
    outputs.push_back(std::move(value));
  }
  return outputs;
}

// Returns "" if the compiled graph agrees with the interpreter, else an error.
std::string CompareWithReference(const Graph& graph, CompileOptions options,
                                 uint64_t seed) {
  options.verify = true;
  const auto artifact = Compile(graph, Host(), options);
  if (!artifact.ok()) return artifact.status().ToString();
  const std::vector<NDArray> inputs = graph::RandomInputs(graph, seed);
  const auto actual = RunArtifact(*artifact, graph, inputs);
  if (!actual.ok()) return actual.status().ToString();
  const auto expected = graph::Evaluate(graph, inputs);
  if (!expected.ok()) return expected.status().ToString();
  const double error = graph::MaxError(*actual, *expected);
  return error < 1e-4 ? "" : absl::StrCat("error ", error);
}

std::string CompareWithReference(const Graph& graph, bool fusion,
                                 uint64_t seed) {
  CompileOptions options;
  options.fusion = fusion;
  return CompareWithReference(graph, options, seed);
}

TEST(CompileTest, AllLevelsAndBisectLimitsAgreeWithTheInterpreter) {
  const std::unique_ptr<Graph> graph = graph::RandomGraph(11);
  for (int level = 0; level <= graph::kMaxOptLevel; ++level) {
    CompileOptions options;
    options.passes.level = level;
    EXPECT_EQ(CompareWithReference(*graph, options, 1), "") << level;
  }
  for (int limit = 0; limit < 20; limit += 3) {
    CompileOptions options;
    options.passes.bisect_limit = limit;
    EXPECT_EQ(CompareWithReference(*graph, options, 1), "") << limit;
  }
}

TEST(CompileTest, RandomGraphsAgreeWithTheInterpreter) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const std::unique_ptr<Graph> graph = graph::RandomGraph(seed);
    for (const bool fusion : {true, false}) {
      EXPECT_EQ(CompareWithReference(*graph, fusion, seed), "")
          << "seed " << seed << (fusion ? " fused" : " unfused");
    }
  }
}

TEST(CompileTest, MaxErrorLimitsTheTilesOfWinograd) {
  const std::unique_ptr<Graph> graph = graph::ResNet18(64, 32, 7);
  std::vector<std::string> digests;
  for (const double max_error : {0.0, 1e-5, 1e-4}) {
    CompileOptions options;
    options.max_error = max_error;
    const auto artifact = Compile(*graph, HostWithoutMatrixUnit(), options);
    ASSERT_TRUE(artifact.ok()) << artifact.status();
    digests.push_back(std::string(artifact->code));
    const std::vector<NDArray> inputs = graph::RandomInputs(*graph, 3);
    const auto actual = RunArtifact(*artifact, *graph, inputs);
    ASSERT_TRUE(actual.ok()) << actual.status();
    EXPECT_LT(graph::MaxError(*actual, *graph::Evaluate(*graph, inputs)), 1e-4)
        << max_error;
  }
  EXPECT_NE(digests[0], digests[1]);
  EXPECT_NE(digests[1], digests[2]);
}

TEST(CompileTest, FloatsAreSplitUnlessThatIsForbidden) {
  if (!Host().HasFeature("amx-bf16")) {
    GTEST_SKIP() << "this processor has no matrix unit";
  }
  const std::unique_ptr<Graph> graph = graph::ResNet18(64, 32, 7);
  const std::vector<NDArray> inputs = graph::RandomInputs(*graph, 3);
  const auto expected = graph::Evaluate(*graph, inputs);
  ASSERT_TRUE(expected.ok()) << expected.status();
  for (const bool exact : {false, true}) {
    CompileOptions options;
    options.max_error = exact ? 0 : 1e-4;
    const auto artifact = Compile(*graph, Host(), options);
    ASSERT_TRUE(artifact.ok()) << artifact.status();
    EXPECT_EQ(absl::StrContains(AlgorithmOf(*artifact), "bf16x3"), !exact);
    const auto actual = RunArtifact(*artifact, *graph, inputs);
    ASSERT_TRUE(actual.ok()) << actual.status();
    EXPECT_LT(graph::MaxError(*actual, *expected), exact ? 1e-5 : 1e-4);
  }
}

TEST(CompileTest, SmallResNetAgreesWithTheInterpreter) {
  const std::unique_ptr<Graph> graph = graph::ResNet18(64, 8, 7);
  EXPECT_EQ(CompareWithReference(*graph, true, 1), "");
  EXPECT_EQ(CompareWithReference(*graph, false, 1), "");
}

TEST(CompileTest, FusionReducesTheNumberOfKernels) {
  const std::unique_ptr<Graph> graph = graph::ResNet18(32, 8, 7);
  const auto fused = Compile(*graph, Host(), {});
  CompileOptions off;
  off.fusion = false;
  const auto unfused = Compile(*graph, Host(), off);
  ASSERT_TRUE(fused.ok()) << fused.status();
  ASSERT_TRUE(unfused.ok()) << unfused.status();
  EXPECT_LT(fused->calls.size(), unfused->calls.size());
  // 20 convolutions, two poolings, the classifier and layout conversions.
  EXPECT_LE(fused->calls.size(), 26u);
}

TEST(CompileTest, ConfigOverridesTheScheduleOfANode) {
  const std::unique_ptr<Graph> graph = graph::GraphFromText(
      R"(graph net(%x: float32[64,64], %w: float32[64,64]) -> (y=%2) {
  %1: float32[64,64] = matmul(%x, %w) "MatMul_0"
  %2: float32[64,64] = relu(%1) "Relu_0"
})");
  const auto digest = [&](const char* node, const char* config) {
    CompileOptions options;
    if (*node != '\0') options.configs[node] = config;
    const auto artifact = Compile(*graph, Host(), options);
    return artifact.ok() ? runtime::Digest(*artifact)
                         : std::string(artifact.status().message());
  };
  const std::string plain = digest("", "");
  const std::string changed = digest("MatMul_0", "mc=1");
  EXPECT_EQ(changed.size(), plain.size()) << changed;
  EXPECT_NE(changed, plain);
  EXPECT_EQ(digest("Relu_0", "mc=1"), changed);
  EXPECT_THAT(digest("MatMul_0", "mc=x"),
              HasSubstr("the schedule of node `MatMul_0`: "));
  EXPECT_THAT(digest("MatMul_0", "nosuch=1"), HasSubstr("nosuch"));
  EXPECT_EQ(digest("Conv_0", "mc=1"),
            "there is a schedule for node `Conv_0`, which no kernel of model "
            "`net` computes");
}

// Returns the workload of the kernel with the name `name`, compiled with the
// default passes.
std::string KeyOf(const Graph& model, const std::string& name) {
  const std::unique_ptr<Graph> graph = model.Clone();
  DumpDir dump("");
  CHECK(OptimizeGraph(*graph, Host(), {}, dump).ok());
  for (const graph::Node* node : graph->Nodes()) {
    if (node->kind() == graph::OpKind::kKernel && node->name() == name) {
      return ops::WorkloadKey(*node->attrs_as<graph::KernelAttrs>().body);
    }
  }
  return "";
}

TEST(CompileTest, TunedKernelsGetTheirEntries) {
  const std::unique_ptr<Graph> graph = graph::GraphFromText(
      R"(graph net(%x: float32[64,64], %w: float32[64,64]) -> (y=%2) {
  %1: float32[64,64] = matmul(%x, %w) "MatMul_0"
  %2: float32[64,64] = relu(%1) "Relu_0"
})");
  const std::string key = KeyOf(*graph, "MatMul_0");
  ASSERT_NE(key, "");
  const auto digest = [&](const CompileOptions& options) {
    const auto artifact = Compile(*graph, HostWithoutMatrixUnit(), options);
    return artifact.ok() ? runtime::Digest(*artifact)
                         : std::string(artifact.status().message());
  };
  const std::string plain = digest({});
  CompileOptions tuned, named;
  ops::Config config;
  config.SetKnob("mc", 1);
  tuned.tuned[key] = {"matmul.blocked", config};
  named.configs["MatMul_0"] = "mc=1";
  EXPECT_NE(digest(tuned), plain);
  EXPECT_EQ(digest(tuned), digest(named));
  EXPECT_EQ(CompareWithReference(*graph, tuned, 1), "");

  CompileOptions other;
  other.tuned["0000000000000000"] = {"matmul.blocked", config};
  EXPECT_EQ(digest(other), plain);
  tuned.configs["MatMul_0"] = "mc=2";
  named.configs["MatMul_0"] = "mc=2";
  EXPECT_EQ(digest(tuned), digest(named));

  CompileOptions unknown;
  unknown.tuned[key] = {"matmul.nosuch", config};
  EXPECT_THAT(digest(unknown), HasSubstr("`MatMul_0`"));
  EXPECT_THAT(digest(unknown), HasSubstr("matmul.nosuch"));
}

TEST(CompileTest, GraphsOfKernelsAreCompiledWithoutPasses) {
  const std::unique_ptr<Graph> graph = graph::RandomGraph(5);
  const auto whole = Compile(*graph, Host(), {});
  ASSERT_TRUE(whole.ok()) << whole.status();
  EXPECT_THAT(CompileKernelGraph(*graph, Host()).status().message(),
              HasSubstr("is in no kernel"));
  DumpDir dump("");
  const std::unique_ptr<Graph> kernels = graph->Clone();
  ASSERT_TRUE(OptimizeGraph(*kernels, Host(), {}, dump).ok());
  const auto same = CompileKernelGraph(*kernels, Host());
  ASSERT_TRUE(same.ok()) << same.status();
  EXPECT_EQ(same->code, whole->code);
  EXPECT_EQ(same->params, whole->params);
}

// Two products share a function until one gets a different schedule, which
// renames the functions of later kernels.
TEST(CompileTest, ScheduleChangesOnlyTheCodeOfItsKernel) {
  const std::unique_ptr<Graph> graph = graph::GraphFromText(
      R"(graph net(%x: float32[64,64], %w: float32[64,64]) -> (y=%4) {
  %1: float32[64,64] = exp(%x) "Exp_0"
  %2: float32[64,64] = matmul(%1, %w) "MatMul_0"
  %3: float32[64,64] = matmul(%2, %w) "MatMul_1"
  %4: float32[64,64] = softmax(%3) {axis=1} "Softmax_0"
})");
  CompileOptions options;
  options.fusion = false;
  const auto plain = Compile(*graph, Host(), options);
  options.configs["MatMul_1"] = "mc=1";
  const auto changed = Compile(*graph, Host(), options);
  ASSERT_TRUE(plain.ok()) << plain.status();
  ASSERT_TRUE(changed.ok()) << changed.status();
  ASSERT_EQ(plain->calls.size(), changed->calls.size());
  const auto plain_image = runtime::KernelImage::Load(plain->code);
  const auto changed_image = runtime::KernelImage::Load(changed->code, 64);
  ASSERT_TRUE(plain_image.ok()) << plain_image.status();
  ASSERT_TRUE(changed_image.ok()) << changed_image.status();
  for (size_t i = 0; i < plain->calls.size(); ++i) {
    const runtime::KernelCall& a = plain->calls[i];
    const runtime::KernelCall& b = changed->calls[i];
    EXPECT_EQ(a.code_digest.size(), 64u) << a.symbol;
    EXPECT_EQ(a.code_digest != b.code_digest, b.sources[0] == "MatMul_1")
        << b.symbol;
    // As the executor finds out.
    const runtime::KernelCode code_a = (*plain_image)->CodeOf(a.symbol);
    const runtime::KernelCode code_b = (*changed_image)->CodeOf(b.symbol);
    EXPECT_FALSE(code_a.bytes.empty());
    EXPECT_EQ(code_a.bytes == code_b.bytes && code_a.entry == code_b.entry,
              a.code_digest == b.code_digest)
        << b.symbol;
  }
  EXPECT_NE(plain->calls.back().symbol, changed->calls.back().symbol);
}

TEST(CompileTest, IsDeterministic) {
  const std::unique_ptr<Graph> graph = graph::ResNet18(32, 8, 7);
  const auto a = Compile(*graph, Host(), {});
  const auto b = Compile(*graph, Host(), {});
  ASSERT_TRUE(a.ok()) << a.status();
  ASSERT_TRUE(b.ok()) << b.status();
  EXPECT_EQ(runtime::Digest(*a), runtime::Digest(*b));
}

// A layout seed moves the code and does not change what it computes.
TEST(CompileTest, LayoutSeedsGiveBuildsThatComputeTheSame) {
  const std::unique_ptr<Graph> graph = graph::RandomGraph(3);
  const std::vector<NDArray> inputs = graph::RandomInputs(*graph, 1);
  const auto plain = Compile(*graph, Host(), {});
  ASSERT_TRUE(plain.ok()) << plain.status();
  const auto expected = RunArtifact(*plain, *graph, inputs);
  ASSERT_TRUE(expected.ok()) << expected.status();
  std::set<std::string> codes = {plain->code};
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    CompileOptions options;
    options.layout_seed = seed;
    const auto moved = Compile(*graph, Host(), options);
    ASSERT_TRUE(moved.ok()) << moved.status();
    codes.insert(moved->code);
    const auto actual = RunArtifact(*moved, *graph, inputs);
    ASSERT_TRUE(actual.ok()) << actual.status();
    for (size_t i = 0; i < expected->size(); ++i) {
      EXPECT_TRUE(BitwiseEqual((*actual)[i], (*expected)[i])) << seed;
    }
  }
  EXPECT_EQ(codes.size(), 5u);
}

TEST(CompileTest, DumpsEveryStage) {
  const auto dir = TempDir::Create();
  ASSERT_TRUE(dir.ok()) << dir.status();
  const std::unique_ptr<Graph> graph = graph::GraphFromText(
      R"(graph tiny(%x: float32[1,4]) -> (y=%1) {
  %1: float32[1,4] = relu(%x) "Relu_0"
})");
  CompileOptions options;
  options.dump_dir = dir->path() + "/dump";
  const auto artifact = Compile(*graph, Host(), options);
  ASSERT_TRUE(artifact.ok()) << artifact.status();
  for (const char* name :
       {"graph.000.imported.txt", "kernel.k000_relu.0.te.txt",
        "kernel.k000_relu.1.schedule.txt", "kernel.k000_relu.ll",
        "kernel.k000_relu.opt.ll", "kernel.k000_relu.s"}) {
    const auto text = ReadFile(options.dump_dir + "/" + name);
    EXPECT_TRUE(text.ok()) << text.status();
    EXPECT_NE(*text, "") << name;
  }
}

TEST(CompileTest, CopiesAnInputThatIsAnOutput) {
  Graph graph("net");
  const auto x = graph.AddInput("x", {DType::Float32(), {4}});
  ASSERT_TRUE(x.ok());
  graph.AddOutput("y", {*x});
  const auto artifact = Compile(graph, Host(), {});
  ASSERT_TRUE(artifact.ok()) << artifact.status();
  EXPECT_EQ(artifact->calls.size(), 1u);
}

// A value may be several outputs, computed or not, bounded or not.
TEST(CompileTest, CopiesRepeatedOutputs) {
  const std::unique_ptr<Graph> graph = graph::GraphFromText(R"(
      graph net(%x: float32[2,4]) -> (a=%1, b=%1, c=%x, d=%x, e=%2, f=%3,
          g=%5 {axis=1, extent=%4.1}, h=%5 {axis=1, extent=%4.1}) {
        %1: float32[2,4] = exp(%x)
        %2: float32[8] = reshape(%1) {shape=[8]}
        %3: float32[2,4] = relu(%x)
        %4: (int64[2,8], int64[]) = non_zero(%3)
        %5: float32[2,8] = cast(%4) {dtype=float32}
      })");
  for (const bool fusion : {true, false}) {
    EXPECT_EQ(CompareWithReference(*graph, fusion, 5), "") << fusion;
  }
}

TEST(CompileTest, ValuesWithoutElements) {
  const std::unique_ptr<Graph> graph = graph::GraphFromText(R"(
      graph net(%x: float32[2,0], %y: float32[2,3]) -> (a=%1, b=%2, c=%x, d=%3, e=%4, f=%1) {
        %1: float32[0,2] = transpose(%x) {perm=[1,0]}
        %2: float32[2,3] = concat(%x, %y) {axis=1}
        %3: float32[2] = reduce_sum(%x) {axes=[1]}
        %4: float32[2,0] = exp(%x)
      })");
  for (const bool fusion : {true, false}) {
    EXPECT_EQ(CompareWithReference(*graph, fusion, 5), "") << fusion;
  }
}

// There is no kernel and no code.
TEST(CompileTest, OnlyOutputsWithoutElements) {
  const std::unique_ptr<Graph> graph = graph::GraphFromText(R"(
      graph net(%x: float32[2,0]) -> (a=%1) {
        %1: float32[0,2] = reshape(%x) {shape=[0,2]}
      })");
  EXPECT_EQ(CompareWithReference(*graph, true, 5), "");
}

}  // namespace
}  // namespace assay::driver
