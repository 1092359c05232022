#include "suites/harness/live_bytes.h"

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

using runtime::Location;

TEST(LiveBytesTest, CountsWhatIsStillToBeReadAndViewsOnce) {
  runtime::Artifact artifact;
  artifact.tensors = {{"in", DType::Float32(), {4}, Location::kInput, 0},
                      {"a", DType::Float32(), {100}, Location::kArena, 0},
                      {"a_view", DType::Float32(), {50}, Location::kArena, 200},
                      {"b", DType::Float32(), {10}, Location::kArena, 400},
                      {"c", DType::Float32(), {10}, Location::kArena, 0},
                      {"out", DType::Float32(), {4}, Location::kOutput, 0}};
  artifact.arena_bytes = 1000;
  const auto call = [](std::vector<int32_t> in, std::vector<int32_t> out) {
    runtime::KernelCall kernel;
    kernel.inputs = std::move(in);
    kernel.outputs = std::move(out);
    return kernel;
  };
  // `a` and half of it again, then `b` beside it, then `c` where `a` was.
  artifact.calls = {call({0}, {1}), call({1, 2}, {3}), call({3}, {4}),
                    call({4}, {5})};
  EXPECT_EQ(LiveBytes(artifact), 440);
  artifact.calls.clear();
  EXPECT_EQ(LiveBytes(artifact), 0);
}

}  // namespace
}  // namespace assay::suites
