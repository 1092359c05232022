#include "reports/store/artifact_retention.h"

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "reports/result/run_folder.h"
#include "reports/result/run_result.h"
#include "reports/result/testing/sample_result.h"
#include "reports/store/run_log.h"
#include "runtime/base/file.h"

namespace assay::reports {
namespace {

class ArtifactRetentionTest : public ::testing::Test {
 protected:
  // Returns a digest whose digits are all equal.
  static std::string Digest(char digit) { return std::string(64, digit); }

  std::string PathOf(char digit) const {
    return JoinPath(JoinPath(ArtifactFolder(folder_), std::string(2, digit)),
                    Digest(digit) + ".artifact");
  }

  // Records a run of a cell with an artifact of 10 bytes.
  void Record(const std::string& started_at, char digit,
              const std::string& model) {
    RunResult header;
    header.started_at = started_at;
    Row row = SampleResult().rows[0];
    row.cell.model = model;
    row.build.artifact_digest = Digest(digit);
    auto log = RunLog::Open(folder_, "job", header, /*resume=*/false);
    ASSERT_TRUE(log.ok()) << log.status();
    ASSERT_TRUE((*log)->Append("cell", row).ok());
    ASSERT_TRUE((*log)->Finish().ok());
    Keep(digit);
  }

  void Keep(char digit) {
    const std::string path = PathOf(digit);
    ASSERT_TRUE(MakeDirs(path.substr(0, path.rfind('/'))).ok());
    ASSERT_TRUE(WriteFileAtomic(path, "0123456789").ok());
  }

  PrunedArtifacts Prune(bool dry_run) {
    absl::Time now;
    std::string problem;
    EXPECT_TRUE(absl::ParseTime(absl::RFC3339_full, "2024-05-31T12:00:00Z",
                                &now, &problem));
    const auto pruned = PruneArtifacts(folder_, /*keep_days=*/10, now, dry_run);
    EXPECT_TRUE(pruned.ok()) << pruned.status();
    return pruned.value_or(PrunedArtifacts());
  }

  TempDir dir_ = TempDir::Create().value();
  std::string folder_ = JoinPath(dir_.path(), "store");
};

TEST_F(ArtifactRetentionTest, AStoreWithoutArtifactsHasNothingToDrop) {
  EXPECT_EQ(Prune(false).artifacts, 0);
  Record("2024-05-01T12:00:00Z", 'a', "net");
  EXPECT_EQ(Prune(false).dropped, 0);
}

TEST_F(ArtifactRetentionTest, KeepsTheNewestOfACellAndTheYoungOnes) {
  Record("2024-05-01T12:00:00Z", 'a', "net");
  Record("2024-05-02T12:00:00Z", 'b', "net");
  Record("2024-05-28T12:00:00Z", 'c', "net");
  Record("2024-05-30T12:00:00Z", 'd', "net");
  Record("2024-04-01T12:00:00Z", 'e', "removed net");
  Keep('f');  // no record has it
  const PrunedArtifacts would = Prune(/*dry_run=*/true);
  EXPECT_EQ(would.artifacts, 6);
  EXPECT_EQ(would.dropped, 3);
  EXPECT_EQ(would.dropped_bytes, 30);
  EXPECT_TRUE(FileExists(PathOf('a')));
  EXPECT_EQ(Prune(/*dry_run=*/false).dropped, 3);
  for (const char digit : {'a', 'b', 'f'}) {
    EXPECT_FALSE(FileExists(PathOf(digit))) << digit;
  }
  for (const char digit : {'c', 'd', 'e'}) {
    EXPECT_TRUE(FileExists(PathOf(digit))) << digit;
  }
}

TEST_F(ArtifactRetentionTest, LeavesOtherFilesAlone) {
  Record("2024-05-01T12:00:00Z", 'a', "net");
  const std::string notes = JoinPath(ArtifactFolder(folder_), "notes.artifact");
  ASSERT_TRUE(WriteFileAtomic(notes, "mine").ok());
  EXPECT_EQ(Prune(false).artifacts, 1);
  EXPECT_TRUE(FileExists(notes));
}

}  // namespace
}  // namespace assay::reports
