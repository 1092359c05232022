#include "ci/bisect/search/slow_kernels.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace assay::ci {
namespace {

// A kernel that takes `base_ms` and then `change_ms` more, known to 0.01 ms.
reports::KernelChange Kernel(std::vector<std::string> nodes, double base_ms,
                             double change_ms) {
  reports::KernelChange kernel;
  kernel.sources = std::move(nodes);
  kernel.base_ms = base_ms;
  kernel.run_ms = base_ms + change_ms;
  kernel.change_ms = change_ms;
  kernel.lower_ms = change_ms - 0.01;
  kernel.upper_ms = change_ms + 0.01;
  return kernel;
}

reports::Attribution Of(std::vector<reports::KernelChange> kernels) {
  reports::Attribution attribution;
  for (const reports::KernelChange& kernel : kernels) {
    attribution.whole_ms += kernel.change_ms;
  }
  attribution.kernels = std::move(kernels);
  return attribution;
}

TEST(SlowKernelsTest, OneSlowKernelExplainsTheChange) {
  const auto slow = FindSlowKernels(
      Of({Kernel({"conv", "relu"}, 1, 0.16), Kernel({"pool"}, 15, 0.02)}),
      0.005);
  ASSERT_TRUE(slow.has_value());
  EXPECT_EQ(slow->nodes, (std::vector<std::string>{"conv", "relu"}));
  EXPECT_DOUBLE_EQ(slow->whole_ms, 16);
  EXPECT_NEAR(slow->change_ms, 0.16, 1e-9);
}

TEST(SlowKernelsTest, AllKernelsThatMatterAreKept) {
  const auto slow =
      FindSlowKernels(Of({Kernel({"a"}, 4, 0.1), Kernel({"b"}, 4, 0.09),
                          Kernel({"c"}, 4, 0.015)}),
                      0.005);
  ASSERT_TRUE(slow.has_value());
  EXPECT_EQ(slow->nodes, (std::vector<std::string>{"a", "b"}));
}

TEST(SlowKernelsTest, MarginIsAtMostHalfOfTheChange) {
  const auto slow =
      FindSlowKernels(Of({Kernel({"a"}, 1, 0.1), Kernel({"b"}, 15, 0)}), 0.005);
  ASSERT_TRUE(slow.has_value());
  EXPECT_NEAR(MarginOf(*slow, 0.005), 0.05 / 16, 1e-9);
  EXPECT_EQ(MarginOf(*slow, 0.002), 0.002);
}

TEST(SlowKernelsTest, KernelsThatAreNotSlowerAreIgnored) {
  auto same_code = Kernel({"a"}, 1, 0.2);
  same_code.same_code = true;
  auto noise = Kernel({"b"}, 1, 0.2);
  noise.lower_ms = -0.1;
  EXPECT_FALSE(
      FindSlowKernels(Of({same_code, noise, Kernel({"c"}, 1, -0.2)}), 0.005)
          .has_value());
  // Smaller than what is searched for.
  EXPECT_FALSE(
      FindSlowKernels(Of({Kernel({"a"}, 10, 0.03)}), 0.005).has_value());
}

TEST(SlowKernelsTest, KernelWithoutNodesHasNoName) {
  EXPECT_FALSE(
      FindSlowKernels(Of({Kernel({}, 1, 0.2), Kernel({"a"}, 1, 0.1)}), 0.005)
          .has_value());
}

}  // namespace
}  // namespace assay::ci
