#include "runtime/measure/local_measurer.h"

#include <cmath>
#include <memory>

#include "gtest/gtest.h"
#include "runtime/device/cpu/cpu_device.h"
#include "runtime/device/testdata/test_kernels.h"
#include "runtime/executor/seeded_inputs.h"

namespace assay::runtime {
namespace {

class LocalMeasurerTest : public testing::Test {
 protected:
  LocalMeasurerTest()
      : artifact_(TestArtifact()),
        device_(*CpuDevice::Create(2)),
        inputs_(SeededInputs(artifact_, 1)) {
    options_.number = 2;
    options_.repeat = 4;
  }

  absl::StatusOr<MeasureResult> Measure() {
    LocalMeasurer measurer(device_.get());
    return measurer.Measure(artifact_, inputs_, options_, nullptr);
  }

  Artifact artifact_;
  std::unique_ptr<CpuDevice> device_;
  NamedTensors inputs_;
  MeasureOptions options_;
};

TEST_F(LocalMeasurerTest, GivesSamplesAndTheOutputs) {
  const absl::StatusOr<MeasureResult> result = Measure();
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->samples_ns.size(), 4u);
  for (double sample : result->samples_ns) EXPECT_GT(sample, 0);
  EXPECT_EQ(result->numbers.size(), 4u);
  EXPECT_TRUE(result->op_samples_ns.empty());
  ASSERT_EQ(result->outputs.size(), 1u);
  const float x = inputs_[0].value.data<float>()[9];
  const float z = inputs_[1].value.data<float>()[9];
  EXPECT_EQ(result->outputs[0].value.data<float>()[9], 2 * (x + 9.0f) + z);
}

TEST_F(LocalMeasurerTest, AKernelThatLeavesItsWorkOutIsSeenInTheOutputs) {
  artifact_.calls.back().symbol = "test_lazy_add";
  for (const int number : {1, 2, 5}) {
    options_.number = number;
    const absl::StatusOr<MeasureResult> result = Measure();
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_TRUE(std::isnan(result->outputs[0].value.data<float>()[9]));
  }
}

TEST_F(LocalMeasurerTest, MinRepeatMsHolds) {
  options_.min_repeat_ms = 2;
  const absl::StatusOr<MeasureResult> result = Measure();
  ASSERT_TRUE(result.ok()) << result.status();
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_GE(result->samples_ns[i] * static_cast<double>(result->numbers[i]),
              2e6 * 0.999999);
  }
}

TEST_F(LocalMeasurerTest, PerOpAndFlush) {
  options_.per_op = true;
  options_.flush_cache_bytes = 1 << 16;
  const absl::StatusOr<MeasureResult> result = Measure();
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(result->op_samples_ns.size(), 3u);
  for (const std::vector<double>& op : result->op_samples_ns) {
    EXPECT_EQ(op.size(), 4u);
    for (double sample : op) EXPECT_GT(sample, 0);
  }
}

TEST_F(LocalMeasurerTest, ErrorsArePassedOn) {
  options_.repeat = 0;
  EXPECT_TRUE(absl::IsInvalidArgument(Measure().status()));
  options_.repeat = 1;
  inputs_.pop_back();
  EXPECT_TRUE(absl::IsInvalidArgument(Measure().status()));
  inputs_ = SeededInputs(artifact_, 1);
  artifact_.calls[0].symbol = "test_fail";
  EXPECT_TRUE(absl::IsInternal(Measure().status()));
}

}  // namespace
}  // namespace assay::runtime
