#include "runtime/tools/bench_timing.h"

#include <cmath>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "runtime/device/testdata/test_kernels.h"
#include "runtime/executor/seeded_inputs.h"
#include "runtime/measure/in_process.h"

namespace assay::runtime {
namespace {

class BenchTimingTest : public testing::Test {
 protected:
  BenchTimingTest()
      : artifact_(TestArtifact()), inputs_(SeededInputs(artifact_, 1)) {
    timing_.number = 2;
    timing_.repeat = 4;
  }

  absl::StatusOr<BenchResult> Time() {
    InProcessRunner runner;
    auto session = runner.Load({&artifact_}, {/*threads=*/2});
    if (!session.ok()) return session.status();
    const absl::Status set = (*session)->SetInputs(inputs_);
    if (!set.ok()) return set;
    return TimeSession(**session, timing_);
  }

  Artifact artifact_;
  NamedTensors inputs_;
  BenchTiming timing_;
};

TEST_F(BenchTimingTest, ReturnsSamplesAndOutputs) {
  const absl::StatusOr<BenchResult> result = Time();
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

TEST_F(BenchTimingTest, OutputsThatWereNotComputedArePoisoned) {
  artifact_.calls.back().symbol = "test_lazy_add";
  for (const int number : {1, 2, 5}) {
    timing_.number = number;
    const absl::StatusOr<BenchResult> result = Time();
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_TRUE(std::isnan(result->outputs[0].value.data<float>()[9]));
  }
}

TEST_F(BenchTimingTest, SamplesTakeMinRepeatMs) {
  timing_.min_repeat_ms = 2;
  const absl::StatusOr<BenchResult> result = Time();
  ASSERT_TRUE(result.ok()) << result.status();
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_GE(result->samples_ns[i] * static_cast<double>(result->numbers[i]),
              2e6 * 0.999999);
  }
}

TEST_F(BenchTimingTest, TimesKernelsWithColdCaches) {
  timing_.per_op = true;
  timing_.flush_cache_bytes = 1 << 16;
  const absl::StatusOr<BenchResult> result = Time();
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(result->op_samples_ns.size(), 3u);
  for (const std::vector<double>& op : result->op_samples_ns) {
    EXPECT_EQ(op.size(), 4u);
    for (double sample : op) EXPECT_GT(sample, 0);
  }
}

TEST_F(BenchTimingTest, ReportsErrors) {
  timing_.repeat = 0;
  EXPECT_TRUE(absl::IsInvalidArgument(Time().status()));
  timing_.repeat = 1;
  inputs_.pop_back();
  EXPECT_TRUE(absl::IsInvalidArgument(Time().status()));
  inputs_ = SeededInputs(artifact_, 1);
  artifact_.calls[0].symbol = "test_fail";
  EXPECT_TRUE(absl::IsInternal(Time().status()));
}

TEST(CheckTimingTest, NamesTheOption) {
  EXPECT_TRUE(CheckTiming(BenchTiming()).ok());
  const auto message = [](void (*change)(BenchTiming&)) {
    BenchTiming timing;
    change(timing);
    return std::string(CheckTiming(timing).message());
  };
  EXPECT_EQ(message([](BenchTiming& t) { t.warmup = -1; }),
            "`warmup` is -1, not between 0 and 1000000000");
  EXPECT_EQ(message([](BenchTiming& t) { t.number = 0; }),
            "`number` is 0, not between 1 and 1000000000");
  EXPECT_EQ(message([](BenchTiming& t) { t.repeat = 0; }),
            "`repeat` is 0, not between 1 and 1000000");
  EXPECT_EQ(message([](BenchTiming& t) { t.min_repeat_ms = -5; }),
            "`min_repeat_ms` is -5, not between 0 and 86400000");
  EXPECT_EQ(message([](BenchTiming& t) { t.cooldown_ms = -5; }),
            "`cooldown_ms` is -5, not between 0 and 86400000");
  EXPECT_EQ(message([](BenchTiming& t) { t.flush_cache_bytes = -5; }),
            "`flush_cache_bytes` is -5, not between 0 and 1099511627776");
}

}  // namespace
}  // namespace assay::runtime
