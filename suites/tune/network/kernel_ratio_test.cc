#include <optional>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "suites/tune/network/network_judge.h"

namespace assay::suites {
namespace {

// Two convolutions, of which the untuned network computes the second with two
// kernels, and a conversion.
const std::vector<AlignedKernels> kParts = {
    {{"c1"}, {0}, {0}}, {{"c2", "relu"}, {1, 2}, {2}}, {{}, {}, {1}}};

PairedLoads::Load Load(std::vector<double> untuned, std::vector<double> tuned) {
  PairedLoads::Load load;
  load.base.call_ns = std::move(untuned);
  load.run.call_ns = std::move(tuned);
  return load;
}

TEST(KernelRatioTest, IsTheMedianOverTheLoads) {
  const std::vector<PairedLoads::Load> loads = {
      Load({100, 50, 50}, {110, 5, 90}), Load({100, 50, 50}, {120, 5, 80}),
      Load({200, 100, 100}, {400, 9, 100})};
  EXPECT_EQ(KernelRatio(kParts, loads, {"c1"}), 1.2);
  EXPECT_EQ(KernelRatio(kParts, loads, {"relu", "c2"}), 0.8);
  // Both kernels of a task together.
  EXPECT_EQ(KernelRatio(kParts, {loads[0]}, {"c1", "c2"}), 1.0);
}

TEST(KernelRatioTest, UnknownTimesHaveNoRatio) {
  const std::vector<PairedLoads::Load> loads = {
      Load({100, 50, 50}, {80, 5, 9})};
  EXPECT_EQ(KernelRatio(kParts, loads, {"other"}), std::nullopt);
  EXPECT_EQ(KernelRatio(kParts, loads, {}), std::nullopt);
  EXPECT_EQ(KernelRatio(kParts, {}, {"c1"}), std::nullopt);
  EXPECT_EQ(KernelRatio(kParts, {Load({}, {})}, {"c1"}), std::nullopt);
}

}  // namespace
}  // namespace assay::suites
