#include "suites/comparison/slow_twin.h"

#include "gtest/gtest.h"
#include "runtime/artifact/artifact.h"

namespace assay::suites {
namespace {

using runtime::Artifact;
using runtime::Location;

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

TEST(SlowTwinTest, RepeatsCallsThatTakeTheShare) {
  const auto slow = AddCalls(Chain(), {500, 20, 480, 1000}, 0.01, 1);
  ASSERT_TRUE(slow.ok()) << slow.status();
  EXPECT_EQ(Symbols(*slow), "kllmn");
}

TEST(SlowTwinTest, NeverRepeatsACallThatOverwritesItsInput) {
  const auto slow = AddCalls(Chain(), {500, 490, 990, 20}, 0.01, 1);
  EXPECT_EQ(slow.status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace assay::suites
