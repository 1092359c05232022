#include "rpc/server/worker/block_request.h"

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::rpc {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kHour = 3600 * kSecond;
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

RunBlockRequest Request(int samples = 1) {
  RunBlockRequest request;
  for (int i = 0; i < samples; ++i) {
    RunBlockRequest::Sample* sample = request.add_samples();
    sample->set_program(i % 2);
    sample->set_number(5);
  }
  return request;
}

TEST(BlockRequestTest, CopiesAllFields) {
  RunBlockRequest request = Request(2);
  request.mutable_samples(1)->set_warmup_runs(3);
  request.mutable_samples(1)->set_warmup_nanos(7);
  request.set_min_sample_nanos(11);
  request.set_cooldown_nanos(13);
  request.set_flush_cache_bytes(17);
  request.set_read_outputs(true);
  request.set_checked_run_seed(std::numeric_limits<uint64_t>::max());
  request.set_time_calls(true);
  const auto block = ReadBlock(request, 2, kSecond);
  ASSERT_TRUE(block.ok()) << block.status();
  ASSERT_EQ(block->samples.size(), 2u);
  EXPECT_EQ(block->samples[1].program, 1);
  EXPECT_EQ(block->samples[1].number, 5);
  EXPECT_EQ(block->samples[1].warmup_runs, 3);
  EXPECT_EQ(block->samples[1].warmup_nanos, 7);
  EXPECT_EQ(block->min_sample_nanos, 11);
  EXPECT_EQ(block->cooldown_nanos, 13);
  EXPECT_EQ(block->flush_cache_bytes, 17);
  EXPECT_TRUE(block->read_outputs);
  EXPECT_EQ(block->checked_run_seed, std::numeric_limits<uint64_t>::max());
  EXPECT_TRUE(block->time_calls);
  EXPECT_EQ(PlannedNanos(*block), 2 * (11 + 13) + 7);
}

TEST(BlockRequestTest, RejectsValuesOutOfRange) {
  using Change = std::function<void(RunBlockRequest&, int64_t)>;
  struct Case {
    const char* field;
    Change change;
    std::vector<int64_t> values;
  };
  const std::vector<Case> cases = {
      {"samples.program",
       [](RunBlockRequest& r, int64_t value) {
         r.mutable_samples(0)->set_program(static_cast<int32_t>(value));
       },
       {-1, 2, std::numeric_limits<int32_t>::max()}},
      {"samples.number",
       [](RunBlockRequest& r, int64_t value) {
         r.mutable_samples(0)->set_number(value);
       },
       {kMin, -1, 0, (int64_t{1} << 32) + 1, kMax}},
      {"samples.warmup_runs",
       [](RunBlockRequest& r, int64_t value) {
         r.mutable_samples(0)->set_warmup_runs(value);
       },
       {kMin, -1, (int64_t{1} << 32) + 1, kMax}},
      {"samples.warmup_nanos",
       [](RunBlockRequest& r, int64_t value) {
         r.mutable_samples(0)->set_warmup_nanos(value);
       },
       {kMin, -1, kHour + 1, kMax}},
      {"min_sample_nanos",
       &RunBlockRequest::set_min_sample_nanos,
       {kMin, -1, kHour + 1, kMax}},
      {"cooldown_nanos",
       &RunBlockRequest::set_cooldown_nanos,
       {kMin, -1, kHour + 1, kMax}},
      {"flush_cache_bytes",
       &RunBlockRequest::set_flush_cache_bytes,
       {kMin, -1, (int64_t{1} << 30) + 1, kMax}},
  };
  for (const Case& c : cases) {
    for (const int64_t value : c.values) {
      RunBlockRequest request = Request();
      c.change(request, value);
      const absl::Status status = ReadBlock(request, 2, kMax).status();
      EXPECT_TRUE(absl::IsInvalidArgument(status)) << c.field << " " << value;
      EXPECT_THAT(std::string(status.message()), HasSubstr(c.field));
    }
  }
}

TEST(BlockRequestTest, ASessionMayHaveOneProgram) {
  EXPECT_TRUE(ReadBlock(Request(1), 1, kSecond).ok());
  EXPECT_FALSE(ReadBlock(Request(2), 1, kSecond).ok());
}

TEST(BlockRequestTest, LimitsTheNumberOfSamples) {
  EXPECT_TRUE(ReadBlock(Request(0), 2, kSecond).ok());
  EXPECT_TRUE(ReadBlock(Request(100'000), 2, kSecond).ok());
  EXPECT_FALSE(ReadBlock(Request(100'001), 2, kSecond).ok());
}

TEST(BlockRequestTest, RejectsBlocksThatTakeTooLong) {
  RunBlockRequest request = Request(3);
  request.set_cooldown_nanos(kSecond);
  EXPECT_TRUE(ReadBlock(request, 2, 3 * kSecond).ok());
  const absl::Status late = ReadBlock(request, 2, 3 * kSecond - 1).status();
  EXPECT_THAT(std::string(late.message()), HasSubstr("at least 3 s"));
  // The sum of the longest times.
  RunBlockRequest longest = Request(100'000);
  longest.set_cooldown_nanos(kHour);
  longest.set_min_sample_nanos(kHour);
  for (auto& sample : *longest.mutable_samples())
    sample.set_warmup_nanos(kHour);
  EXPECT_FALSE(ReadBlock(longest, 2, kHour).ok());
}

}  // namespace
}  // namespace assay::rpc
