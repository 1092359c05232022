#include "suites/comparison/work_change.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/artifact/artifact.h"
#include "runtime/tools/count/region_counts.h"

namespace assay::suites {
namespace {

using runtime::KernelCall;
using runtime::RegionCounts;
using testing::ElementsAre;

RegionCounts Counts(int64_t instructions, int64_t bytes) {
  RegionCounts counts;
  counts.instructions[0] = instructions;
  counts.loaded_bytes = bytes;
  counts.lines = 1;
  return counts;
}

KernelCall Call(const std::vector<std::string>& sources,
                const std::string& digest) {
  KernelCall call;
  call.sources = sources;
  call.code_digest = digest;
  return call;
}

Work Compare(const RegionCounts& run) {
  return CompareCounts(Counts(10000, 1000), run);
}

TEST(WorkChangeTest, MoreThanATenthOfAPercentIsAChange) {
  EXPECT_EQ(Compare(Counts(10000, 1000)), Work::kSameWork);
  EXPECT_EQ(Compare(Counts(10010, 1001)), Work::kSameWork);
  EXPECT_EQ(Compare(Counts(9990, 999)), Work::kSameWork);
  EXPECT_EQ(Compare(Counts(10011, 1000)), Work::kMoreWork);
  EXPECT_EQ(Compare(Counts(10000, 1002)), Work::kMoreWork);
  EXPECT_EQ(Compare(Counts(9989, 1000)), Work::kLessWork);
  EXPECT_EQ(Compare(Counts(10000, 998)), Work::kLessWork);
}

TEST(WorkChangeTest, OppositeChangesAreNeitherMoreNorLess) {
  EXPECT_EQ(Compare(Counts(11000, 900)), Work::kOtherWork);
  EXPECT_EQ(Compare(Counts(9000, 1100)), Work::kOtherWork);
  EXPECT_EQ(Compare(Counts(11000, 1100)), Work::kMoreWork);
  EXPECT_EQ(Compare(Counts(9000, 900)), Work::kLessWork);
}

TEST(WorkChangeTest, NothingBecomesMoreAndBecomesLess) {
  EXPECT_EQ(CompareCounts(Counts(0, 0), Counts(1, 0)), Work::kMoreWork);
  EXPECT_EQ(CompareCounts(Counts(1, 4), Counts(0, 0)), Work::kLessWork);
}

TEST(WorkChangeTest, AddsTheCallsOfAPart) {
  // The first convolution is fused with its relu, the second one is not.
  const std::vector<KernelCall> base = {Call({"c1"}, "a"), Call({"r1"}, "b"),
                                        Call({"c2"}, "c"), Call({"p"}, "d")};
  const std::vector<KernelCall> run = {Call({"c1", "r1"}, "e"),
                                       Call({"c2"}, "f"), Call({"p"}, "d")};
  const std::vector<RegionCounts> base_counts = {
      Counts(1000, 100), Counts(500, 80), Counts(700, 70), Counts(30, 3)};
  const std::vector<RegionCounts> run_counts = {Counts(1100, 110),
                                                Counts(700, 70), Counts(31, 3)};
  const auto changes = CompareWork({base, base_counts}, {run, run_counts});
  ASSERT_EQ(changes.size(), 3u);
  EXPECT_THAT(changes[0].sources, ElementsAre("c1", "r1"));
  EXPECT_THAT(changes[0].base, ElementsAre(0, 1));
  EXPECT_THAT(changes[0].run, ElementsAre(0));
  EXPECT_EQ(changes[0].base_counts.Total(), 1500);
  EXPECT_EQ(changes[0].base_counts.Bytes(), 180);
  EXPECT_EQ(changes[0].base_counts.lines, 2);
  EXPECT_EQ(changes[0].run_counts.Total(), 1100);
  EXPECT_EQ(changes[0].work, Work::kLessWork);
  EXPECT_EQ(changes[1].work, Work::kSameWork);
  // The counts of the same code may depend on values, such as run-time extents.
  EXPECT_EQ(changes[2].work, Work::kSameCode);
}

TEST(WorkChangeTest, PartsOfOneArtifactAreMoreOrLess) {
  const std::vector<KernelCall> base = {Call({"a"}, "a")};
  const std::vector<KernelCall> run = {Call({"b"}, "b")};
  const std::vector<RegionCounts> counts = {Counts(10, 1)};
  const auto changes = CompareWork({base, counts}, {run, counts});
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].work, Work::kLessWork);
  EXPECT_EQ(changes[1].work, Work::kMoreWork);
}

TEST(WorkChangeTest, Names) {
  EXPECT_EQ(ToString(Work::kSameCode), "same_code");
  EXPECT_EQ(ToString(Work::kSameWork), "same_work");
  EXPECT_EQ(ToString(Work::kMoreWork), "more_work");
  EXPECT_EQ(ToString(Work::kLessWork), "less_work");
  EXPECT_EQ(ToString(Work::kOtherWork), "other_work");
}

}  // namespace
}  // namespace assay::suites
