// Counts the kernels of networks that the compiler has made for every machine.
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "compiler/driver/compile.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/check.h"
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

runtime::Artifact CompileNet(const std::string& target,
                             driver::CompileOptions options = {}) {
  options.exact = true;  // without Winograd, which has fewer multiply-adds
  auto artifact = driver::Compile(*graph::GraphFromText(kNet),
                                  *driver::ResolveTarget(target), options);
  CHECK(artifact.ok()) << artifact.status();
  return *std::move(artifact);
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
  const runtime::Artifact artifact = CompileNet(GetParam().target);
  const auto first = Count(artifact);
  EXPECT_TRUE(Count(artifact) == first);
  EXPECT_TRUE(Count(artifact) == first);
}

TEST_P(CountKernelsE2eTest, FusionSavesMemoryAccesses) {
  driver::CompileOptions options;
  const auto fused = Count(CompileNet(GetParam().target, options));
  options.fusion = false;
  const auto split = Count(CompileNet(GetParam().target, options));
  ASSERT_LT(fused.size(), split.size());
  // Each Relu by itself loads its input and stores its output once more.
  constexpr int64_t kTensor = int64_t{4} * 32 * 28 * 28;
  EXPECT_GT(Sum(split).loaded_bytes, Sum(fused).loaded_bytes + 2 * kTensor);
  EXPECT_GT(Sum(split).stored_bytes, Sum(fused).stored_bytes + 2 * kTensor);
  EXPECT_GT(Sum(split).Total(), Sum(fused).Total());
}

// With so many output channels in registers, the accumulators do not fit.
TEST_P(CountKernelsE2eTest, ShowsSpillsOfAKernelAsStores) {
  driver::CompileOptions options;
  const auto fitting = Count(CompileNet(GetParam().target, options));
  options.configs["Conv_0"] = GetParam().spilling;
  const auto spilling = Count(CompileNet(GetParam().target, options));
  ASSERT_EQ(fitting.size(), spilling.size());
  EXPECT_GT(spilling[0].stored_bytes, 10 * fitting[0].stored_bytes);
  EXPECT_GT(spilling[0].stores, 10 * fitting[0].stores);
  EXPECT_GT(spilling[0].loaded_bytes, fitting[0].loaded_bytes);
  // The stack frame has few lines.
  EXPECT_LT(spilling[0].lines, fitting[0].lines + 100);
  // The code of the other convolution is the same.
  EXPECT_TRUE(spilling[1] == fitting[1]);
}

TEST(CountKernelsErrorsTest, RejectsAvx512) {
  const runtime::Artifact artifact =
      CompileNet("llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4");
  EXPECT_EQ(runtime::CountKernels("", artifact, {}).status(),
            absl::InvalidArgumentError(
                "the code has an instruction that the processor `max` of qemu "
                "for x86_64 does not have"));
}

}  // namespace
}  // namespace assay
