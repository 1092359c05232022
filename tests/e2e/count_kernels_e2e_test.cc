// Counts the kernels of networks that the compiler has made for every machine.
#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "compiler/driver/compile.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/check.h"
#include "runtime/base/file.h"
#include "runtime/process/runfiles.h"
#include "runtime/process/subprocess.h"
#include "runtime/tools/count/count_kernels.h"

namespace assay {
namespace {

constexpr char kNet[] =
    "graph net(%x: float32[1,16,28,28], %w: float32[32,16,3,3], "
    "%v: float32[32,32,1,1]) -> (y=%4) {\n"
    "  %1: float32[1,32,28,28] = conv2d(%x, %w) {strides=[1,1], "
    "padding=[1,1,1,1], dilations=[1,1], groups=1} \"Conv_0\"\n"
    "  %2: float32[1,32,28,28] = relu(%1) \"Relu_1\"\n"
    "  %3: float32[1,32,28,28] = conv2d(%2, %v) {strides=[1,1], "
    "padding=[0,0,0,0], dilations=[1,1], groups=1} \"Conv_2\"\n"
    "  %4: float32[1,32,28,28] = relu(%3) \"Relu_3\"\n}";
// Multiply-adds of both convolutions, as they are defined.
constexpr int64_t kConv0 = int64_t{28} * 28 * 32 * 16 * 9;
constexpr int64_t kConv2 = int64_t{28} * 28 * 32 * 32;

runtime::Artifact CompileText(const std::string& text,
                              const std::string& target,
                              driver::CompileOptions options = {}) {
  options.max_error = 0;  // without Winograd, which has fewer multiply-adds
  auto artifact = driver::Compile(*graph::GraphFromText(text),
                                  *driver::ResolveTarget(target), options);
  CHECK(artifact.ok()) << artifact.status();
  return *std::move(artifact);
}

// Compiles each artifact once for all tests. `config` is the configuration of
// the first convolution, if it is not empty.
const runtime::Artifact& CompileNet(const std::string& target,
                                    const std::string& config = "",
                                    bool fusion = true) {
  static auto* artifacts = new std::map<std::string, runtime::Artifact>();
  const std::string key = absl::StrCat(target, config, fusion);
  if (const auto found = artifacts->find(key); found != artifacts->end()) {
    return found->second;
  }
  driver::CompileOptions options;
  options.fusion = fusion;
  if (!config.empty()) options.configs["Conv_0"] = config;
  return artifacts->emplace(key, CompileText(kNet, target, options))
      .first->second;
}

std::vector<runtime::RegionCounts> Count(const runtime::Artifact& artifact) {
  auto counts = runtime::CountKernels("", artifact, {});
  CHECK(counts.ok()) << counts.status();
  return counts->calls;
}

runtime::RegionCounts Sum(const std::vector<runtime::RegionCounts>& calls) {
  runtime::RegionCounts sum;
  for (const runtime::RegionCounts& call : calls) sum += call;
  return sum;
}

struct Machine {
  const char* name;
  const char* target;
  int lanes;             // of float32 in a vector
  const char* spilling;  // a configuration of the first convolution
};

std::ostream& operator<<(std::ostream& out, const Machine& machine) {
  return out << machine.name;
}

class CountKernelsE2eTest : public testing::TestWithParam<Machine> {};

INSTANTIATE_TEST_SUITE_P(
    Machines, CountKernelsE2eTest,
    testing::Values(
        Machine{"aarch64", "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a53",
                4, "tile_oc=16"},
        Machine{"armhf", "llvm -mtriple=arm-linux-gnueabihf -mcpu=cortex-a9", 4,
                "tile_oc=12"},
        Machine{"x86_64", "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3", 8,
                "tile_oc=12"}),
    [](const auto& info) { return info.param.name; });

TEST_P(CountKernelsE2eTest, CountsTheMultiplyAddsOfConvolutions) {
  const auto calls = Count(CompileNet(GetParam().target));
  const int64_t lanes = Sum(calls).MultiplyAdds() * GetParam().lanes;
  // Borders and peeled loops add a few.
  EXPECT_GE(lanes, kConv0 + kConv2);
  EXPECT_LT(lanes, (kConv0 + kConv2) * 5 / 4);
}

TEST_P(CountKernelsE2eTest, IsTheSameInEveryRun) {
  const runtime::Artifact& artifact = CompileNet(GetParam().target);
  const auto first = Count(artifact);
  EXPECT_TRUE(Count(artifact) == first);
  EXPECT_TRUE(Count(artifact) == first);
}

TEST_P(CountKernelsE2eTest, FusionSavesMemoryAccesses) {
  const auto fused = Count(CompileNet(GetParam().target));
  const auto split = Count(CompileNet(GetParam().target, "", false));
  ASSERT_LT(fused.size(), split.size());
  // Each Relu by itself loads its input and stores its output once more.
  constexpr int64_t kTensor = int64_t{4} * 32 * 28 * 28;
  EXPECT_GT(Sum(split).loaded_bytes, Sum(fused).loaded_bytes + 2 * kTensor);
  EXPECT_GT(Sum(split).stored_bytes, Sum(fused).stored_bytes + 2 * kTensor);
  EXPECT_GT(Sum(split).Total(), Sum(fused).Total());
}

// With so many output channels in registers, the accumulators do not fit.
TEST_P(CountKernelsE2eTest, ShowsSpillsOfAKernelAsStores) {
  const auto fitting = Count(CompileNet(GetParam().target));
  const auto spilling =
      Count(CompileNet(GetParam().target, GetParam().spilling));
  ASSERT_EQ(fitting.size(), spilling.size());
  EXPECT_GT(spilling[0].stored_bytes, 10 * fitting[0].stored_bytes);
  EXPECT_GT(spilling[0].stores, 10 * fitting[0].stores);
  EXPECT_GT(spilling[0].loaded_bytes, fitting[0].loaded_bytes);
  // The stack frame has few lines.
  EXPECT_LT(spilling[0].lines, fitting[0].lines + 100);
  // The code of the other convolution is the same. Where its stack begins
  // decides whether it has one line more.
  runtime::RegionCounts other = spilling[1];
  EXPECT_NEAR(other.lines, fitting[1].lines, 1);
  other.lines = fitting[1].lines;
  EXPECT_TRUE(other == fitting[1])
      << runtime::RegionLine(spilling[1]) << runtime::RegionLine(fitting[1]);
}

// The disassembler of qemu does not know dot products, each of which is 16
// multiply-adds of bytes.
TEST(CountKernelsDotProductTest, CountsDotProductsAsMultiplyAdds) {
  const runtime::Artifact artifact = CompileText(
      "graph net(%x: int8[64,256], %w: int8[256,64]) -> (y=%1) {\n"
      "  %1: int32[64,64] = matmul(%x, %w) \"MatMul_0\"\n}",
      "llvm -mtriple=aarch64-linux-gnu -mcpu=neoverse-n1");
  const auto counts = runtime::CountKernels("", artifact, {});
  ASSERT_TRUE(counts.ok()) << counts.status();
  EXPECT_EQ(counts->cpu, "neoverse-n1");
  constexpr int64_t kMultiplyAdds = int64_t{64} * 64 * 256;
  const int64_t lanes = Sum(counts->calls).MultiplyAdds() * 16;
  EXPECT_GE(lanes, kMultiplyAdds);
  // Sums of elements are dot products with ones.
  EXPECT_LT(lanes, kMultiplyAdds * 11 / 10);
}

TEST(CountKernelsErrorsTest, RejectsAvx512) {
  const runtime::Artifact artifact =
      CompileNet("llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4");
  EXPECT_EQ(runtime::CountKernels("", artifact, {}).status(),
            absl::InvalidArgumentError(
                "the code has an instruction that the processor `max` of qemu "
                "for x86_64 does not have"));
}

// The programs that print counts.
class CountProgramsE2eTest : public testing::Test {
 protected:
  CountProgramsE2eTest() : folder_(*TempDir::Create()) {
    const std::string target =
        "llvm -mtriple=aarch64-linux-gnu "
        "-mcpu=cortex-a53";
    Write("fused", CompileNet(target));
    Write("spilling", CompileNet(target, "tile_oc=16"));
    Write("x86_64", CompileNet("llvm -mtriple=x86_64-linux-gnu "
                               "-mcpu=x86-64-v4"));
  }

  void Write(const std::string& name, const runtime::Artifact& artifact) {
    CHECK(runtime::WriteArtifact(Path(name), artifact).ok());
  }
  std::string Path(const std::string& name) const {
    return JoinPath(folder_.path(), name);
  }

  runtime::ProcessResult RunProgram(const std::string& program,
                                    std::vector<std::string> flags) {
    flags.insert(flags.begin(),
                 *runtime::FindRunfile("", absl::StrCat("assay/", program)));
    return *runtime::RunProcess(flags, {});
  }

  TempDir folder_;
};

TEST_F(CountProgramsE2eTest, CountKernelsPrintsATable) {
  const auto result = RunProgram("runtime/tools/count_kernels",
                                 {"--artifact=" + Path("fused")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, testing::ContainsRegex("\nk000_conv2d_relu +conv2d"));
  EXPECT_THAT(result.out, testing::ContainsRegex("\nall "));
}

TEST_F(CountProgramsE2eTest, CountKernelsRefusesAvx512) {
  const auto result = RunProgram("runtime/tools/count_kernels",
                                 {"--artifact=" + Path("x86_64")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            absl::StrCat("error: `", Path("x86_64"),
                         "`: the code has an instruction that the processor "
                         "`max` of qemu for x86_64 does not have\n"));
}

TEST_F(CountProgramsE2eTest, CountWorkFindsTheKernelThatDoesMore) {
  const auto result =
      RunProgram("suites/comparison/programs/count_work",
                 {"--base=" + Path("fused"), "--run=" + Path("spilling")});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out,
              testing::ContainsRegex("Conv_0 Relu_1 .*[+].*%  more_work\n"));
  EXPECT_THAT(result.out,
              testing::HasSubstr("1 same_code, 1 more_work; --all"));
  EXPECT_THAT(result.out, testing::Not(testing::HasSubstr("Conv_2")));
}

TEST_F(CountProgramsE2eTest, CountWorkOfTheSameCodeIsTheSame) {
  const auto result = RunProgram(
      "suites/comparison/programs/count_work",
      {"--base=" + Path("fused"), "--run=" + Path("fused"), "--all"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, testing::HasSubstr("Conv_2 Relu_3"));
  EXPECT_THAT(result.out, testing::HasSubstr("\n2 same_code\n"));
}

TEST_F(CountProgramsE2eTest, CountWorkRefusesOtherMachine) {
  const auto result =
      RunProgram("suites/comparison/programs/count_work",
                 {"--base=" + Path("fused"), "--run=" + Path("x86_64")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "error: --base and --run are not comparable: `target.triple` is "
            "`aarch64-linux-gnu` and `x86_64-linux-gnu`\n");
}

}  // namespace
}  // namespace assay
