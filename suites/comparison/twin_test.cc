#include "suites/comparison/twin.h"

#include <bitset>

#include "gtest/gtest.h"
#include "runtime/abi/abi.h"
#include "runtime/artifact/artifact.h"

namespace assay::suites {
namespace {

using runtime::Artifact;
using runtime::Location;

// Constants of 3 floats, 5 bytes and 1 float, and one kernel.
Artifact Small() {
  Artifact artifact;
  artifact.params = std::string(3 * ASSAY_BUFFER_ALIGNMENT, '\1');
  artifact.tensors = {
      {"x", DType::Float32(), {3}, Location::kInput, 0},
      {"a", DType::Float32(), {3}, Location::kParam, 0},
      {"b", DType::Int(8), {5}, Location::kParam, ASSAY_BUFFER_ALIGNMENT},
      {"c", DType::Float32(), {}, Location::kParam, 2 * ASSAY_BUFFER_ALIGNMENT},
  };
  runtime::KernelCall call;
  call.symbol = "k";
  call.code_digest = "digest";
  artifact.calls = {call};
  return artifact;
}

LargeBytes BytesOf(const Artifact& artifact, size_t tensor) {
  const runtime::TensorInfo& info = artifact.tensors[tensor];
  return artifact.params.substr(static_cast<size_t>(info.position),
                                static_cast<size_t>(NumBytes(info)));
}

int DifferentBits(const LargeBytes& a, const LargeBytes& b) {
  EXPECT_EQ(a.size(), b.size());
  size_t count = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    count += std::bitset<8>(static_cast<unsigned char>(a[i] ^ b[i])).count();
  }
  return static_cast<int>(count);
}

TEST(TwinTest, DiffersInOneBitPerFloatConstantAndInPlacement) {
  const Artifact artifact = Small();
  const Artifact twin = MakeTwin(artifact, 1);
  EXPECT_EQ(DifferentBits(BytesOf(artifact, 1), BytesOf(twin, 1)), 1);
  EXPECT_EQ(DifferentBits(BytesOf(artifact, 2), BytesOf(twin, 2)), 0);
  EXPECT_EQ(DifferentBits(BytesOf(artifact, 3), BytesOf(twin, 3)), 1);
  EXPECT_EQ(twin.calls[0].code_digest, "");
  EXPECT_EQ(twin.calls[0].symbol, "k");
  bool moved = false;
  for (size_t i = 1; i < 4; ++i) {
    const int64_t position = twin.tensors[i].position;
    EXPECT_EQ(position % ASSAY_BUFFER_ALIGNMENT, 0);
    EXPECT_LE(position + NumBytes(twin.tensors[i]),
              static_cast<int64_t>(twin.params.size()));
    moved |= position != artifact.tensors[i].position;
  }
  EXPECT_TRUE(moved);
}

// Without digests, the results of setup calls are not shared.
TEST(TwinTest, KeepsSetupCallsWithoutDigests) {
  Artifact artifact = Small();
  artifact.tensors.push_back(
      {"s", DType::Float32(), {3}, Location::kSetup, 64});
  artifact.setup_bytes = 128;
  artifact.setup = artifact.calls;
  artifact.setup[0].inputs = {1};
  artifact.setup[0].outputs = {4};
  const Artifact twin = MakeTwin(artifact, 1);
  ASSERT_EQ(twin.setup.size(), 1u);
  EXPECT_EQ(twin.setup[0].code_digest, "");
  EXPECT_EQ(twin.setup[0].symbol, "k");
  EXPECT_EQ(twin.setup[0].outputs, artifact.setup[0].outputs);
  EXPECT_EQ(twin.setup_bytes, 128);
  EXPECT_TRUE(twin.tensors[4] == artifact.tensors[4]);
  EXPECT_EQ(DifferentBits(BytesOf(artifact, 1), BytesOf(twin, 1)), 1);
}

TEST(TwinTest, DependsOnTheSeed) {
  EXPECT_EQ(MakeTwin(Small(), 1), MakeTwin(Small(), 1));
  EXPECT_FALSE(MakeTwin(Small(), 1) == MakeTwin(Small(), 2));
}

// Four calls in a row; the last one overwrites its input.
Artifact Chain() {
  Artifact artifact;
  artifact.tensors = {
      {"x", DType::Float32(), {16}, Location::kInput, 0},
      {"a", DType::Float32(), {16}, Location::kArena, 0},
      {"b", DType::Float32(), {16}, Location::kArena, 64},
      {"y", DType::Float32(), {16}, Location::kArena, 0},
      {"z", DType::Float32(), {16}, Location::kArena, 32},
  };
  for (int32_t i = 0; i < 4; ++i) {
    runtime::KernelCall call;
    call.symbol = std::string(1, static_cast<char>('k' + i));
    call.inputs = {i};
    call.outputs = {i + 1};
    artifact.calls.push_back(call);
  }
  return artifact;
}

std::string Symbols(const Artifact& artifact) {
  std::string symbols;
  for (const runtime::KernelCall& call : artifact.calls) symbols += call.symbol;
  return symbols;
}

TEST(AddCallsTest, RepeatsCallsThatTakeTheShare) {
  const auto slow = AddCalls(Chain(), {500, 20, 480, 1000}, 0.01, 1);
  ASSERT_TRUE(slow.ok()) << slow.status();
  EXPECT_EQ(Symbols(*slow), "kllmn");
}

TEST(AddCallsTest, NeverRepeatsACallThatOverwritesItsInput) {
  const auto slow = AddCalls(Chain(), {500, 490, 990, 20}, 0.01, 1);
  EXPECT_EQ(slow.status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace assay::suites
