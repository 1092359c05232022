#include "reports/store/newest_builds.h"

#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/result/run_result.h"
#include "reports/result/testing/sample_result.h"
#include "reports/store/run_log.h"
#include "runtime/base/file.h"

namespace assay::reports {
namespace {

using ::testing::HasSubstr;

class NewestBuildsTest : public ::testing::Test {
 protected:
  // Records a run with this row.
  void Record(const std::string& started_at, const Row& row) {
    RunResult header;
    header.started_at = started_at;
    auto log = RunLog::Open(folder_, "job", header, /*resume=*/false);
    ASSERT_TRUE(log.ok()) << log.status();
    ASSERT_TRUE((*log)->Append("cell", row).ok());
    ASSERT_TRUE((*log)->Finish().ok());
  }

  // Returns the artifact of the newest build of the cell of `row_` in the 30
  // days before `started_at`.
  std::string ArtifactBefore(const std::string& started_at) {
    const auto newest = NewestBuilds::Read(folder_, started_at, 30);
    EXPECT_TRUE(newest.ok()) << newest.status();
    const NewestBuilds::Build* build =
        newest->Find(row_.suite, row_.cell, row_.fingerprint);
    return build == nullptr ? "none" : build->facts.artifact_digest;
  }

  TempDir dir_ = TempDir::Create().value();
  std::string folder_ = JoinPath(dir_.path(), "store");
  Row row_ = SampleResult().rows[0];
};

TEST_F(NewestBuildsTest, AStoreThatDoesNotExistHasNone) {
  EXPECT_EQ(ArtifactBefore("2024-05-02T12:00:00Z"), "none");
}

TEST_F(NewestBuildsTest, IsTheBuildOfTheLastNight) {
  row_.build.artifact_digest = "second";
  Record("2024-05-02T12:00:00Z", row_);
  row_.build.artifact_digest = "first";
  Record("2024-05-01T12:00:00Z", row_);
  EXPECT_EQ(ArtifactBefore("2024-05-03T12:00:00Z"), "second");
  const auto newest =
      NewestBuilds::Read(folder_, "2024-05-03T12:00:00Z", 30).value();
  EXPECT_EQ(
      newest.Find(row_.suite, row_.cell, row_.fingerprint)->facts.code.size(),
      2u);
  CellKey other = row_.cell;
  other.threads = 7;
  EXPECT_EQ(newest.Find(row_.suite, other, row_.fingerprint), nullptr);
  EXPECT_EQ(newest.Find(row_.suite, row_.cell, "another"), nullptr);
}

TEST_F(NewestBuildsTest, IgnoresRowsWithoutTimes) {
  Record("2024-05-01T12:00:00Z", row_);
  Row failed = row_;
  failed.build.artifact_digest = "failed";
  failed.timing.samples_ns.clear();
  Record("2024-05-02T12:00:00Z", failed);
  EXPECT_EQ(ArtifactBefore("2024-05-03T12:00:00Z"), "0011223344556677");
}

TEST_F(NewestBuildsTest, IgnoresOldRuns) {
  Record("2024-03-01T12:00:00Z", row_);
  EXPECT_EQ(ArtifactBefore("2024-05-03T12:00:00Z"), "none");
  EXPECT_EQ(ArtifactBefore("2024-03-30T12:00:00Z"), "0011223344556677");
}

TEST_F(NewestBuildsTest, RefusesWhatIsNoTime) {
  EXPECT_THAT(NewestBuilds::Read(folder_, "yesterday", 30).status().message(),
              HasSubstr("`yesterday` is not a time"));
}

}  // namespace
}  // namespace assay::reports
