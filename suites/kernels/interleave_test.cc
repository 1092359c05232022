#include "suites/kernels/interleave.h"

#include <algorithm>
#include <string>

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

// A program that takes a set time and writes its letter down.
Contestant Taking(char letter, int64_t nanos, FakeClock* clock,
                  std::string* log) {
  Contestant contestant;
  contestant.name = std::string(1, letter);
  contestant.run = [=] {
    clock->Advance(nanos);
    log->push_back(letter);
    return absl::OkStatus();
  };
  return contestant;
}

TEST(InterleaveTest, SamplesAlternateInADrawnOrder) {
  FakeClock clock;
  std::string log;
  InterleaveOptions options;
  options.rounds = 20;
  options.sample_nanos = 100;
  const auto series = Interleave(
      {Taking('a', 100, &clock, &log), Taking('b', 100, &clock, &log),
       Taking('c', 100, &clock, &log)},
      options, &clock);
  ASSERT_TRUE(series.ok()) << series.status();
  // Three trials each, then per sample one run that is not timed and one that
  // is.
  ASSERT_EQ(log.size(), 9u + 20 * 3 * 2);
  int first[3] = {0, 0, 0};
  for (size_t round = 9; round < log.size(); round += 6) {
    std::string names = log.substr(round, 6);
    ++first[names[0] - 'a'];
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, "aabbcc");
  }
  for (const int count : first) EXPECT_GT(count, 1);
}

TEST(InterleaveTest, ASampleIsTheMeanOfAFixedNumberOfRuns) {
  FakeClock clock;
  std::string log;
  InterleaveOptions options;
  options.rounds = 5;
  options.sample_nanos = 1000;
  const auto series = Interleave(
      {Taking('a', 10, &clock, &log), Taking('b', 5000, &clock, &log)}, options,
      &clock);
  ASSERT_TRUE(series.ok()) << series.status();
  EXPECT_EQ((*series)[0].name, "a");
  EXPECT_EQ((*series)[0].number, 100);
  EXPECT_EQ((*series)[0].samples_ns, std::vector<double>(5, 10.0));
  EXPECT_EQ((*series)[1].number, 1);
  EXPECT_EQ((*series)[1].samples_ns, std::vector<double>(5, 5000.0));
}

TEST(InterleaveTest, CalibrationForgetsARunThatWasDisturbed) {
  FakeClock clock;
  int runs = 0;
  Contestant contestant;
  contestant.name = "slow to start";
  contestant.run = [&] {
    clock.Advance(runs++ == 0 ? 100'000 : 100);
    return absl::OkStatus();
  };
  InterleaveOptions options;
  options.sample_nanos = 1000;
  const auto series = Interleave({contestant}, options, &clock);
  ASSERT_TRUE(series.ok()) << series.status();
  EXPECT_EQ((*series)[0].number, 10);
}

TEST(InterleaveTest, AContestantMayCountItsOwnTime) {
  FakeClock clock;
  Contestant contestant;
  contestant.name = "kernel";
  contestant.timed_run = [&]() -> absl::StatusOr<int64_t> {
    clock.Advance(700);
    return 50;
  };
  InterleaveOptions options;
  options.rounds = 2;
  options.sample_nanos = 100;
  const auto series = Interleave({contestant}, options, &clock);
  ASSERT_TRUE(series.ok()) << series.status();
  EXPECT_EQ((*series)[0].number, 2);
  EXPECT_EQ((*series)[0].samples_ns, std::vector<double>(2, 50.0));
}

TEST(InterleaveTest, SettlesBeforeEverySample) {
  FakeClock clock;
  std::string log;
  InterleaveOptions options;
  options.rounds = 1;
  options.sample_nanos = 10;
  options.settle = [&] { log.push_back('.'); };
  ASSERT_TRUE(
      Interleave({Taking('a', 10, &clock, &log)}, options, &clock).ok());
  EXPECT_EQ(log, ".aaa.aa");
}

TEST(InterleaveTest, WarmsUpForAsLongAsItIsTold) {
  FakeClock clock;
  std::string log;
  InterleaveOptions options;
  options.rounds = 1;
  options.sample_nanos = 20;
  options.warmup_nanos = 35;
  ASSERT_TRUE(
      Interleave({Taking('a', 10, &clock, &log)}, options, &clock).ok());
  // Three to calibrate, four to warm up, two timed.
  EXPECT_EQ(log, "aaaaaaaaa");
}

TEST(InterleaveTest, ErrorsAndRunsThatTakeNoTimeEndIt) {
  FakeClock clock;
  std::string log;
  Contestant broken;
  broken.name = "broken";
  broken.run = [] { return absl::InternalError("it broke"); };
  EXPECT_EQ(Interleave({broken}, {}, &clock).status().message(), "it broke");
  const auto nothing =
      Interleave({Taking('a', 0, &clock, &log)}, {}, &clock).status();
  EXPECT_EQ(nothing.message(), "a million runs of `a` take no time");
}

}  // namespace
}  // namespace assay::suites
