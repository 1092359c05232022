#include "reports/store/acknowledgement_log.h"

#include <filesystem>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/store/record_log.h"
#include "reports/store/store_files.h"
#include "runtime/base/file.h"

namespace assay::reports {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Acknowledgement Sample(const std::string& made_at) {
  Acknowledgement a;
  a.cell = "*";
  a.author = "ada";
  a.reason = "known";
  a.made_at = made_at;
  return a;
}

class AcknowledgementLogTest : public ::testing::Test {
 protected:
  AcknowledgementLogTest()
      : dir_(*TempDir::Create()),
        a_(JoinPath(dir_.path(), "a")),
        b_(JoinPath(dir_.path(), "b")) {}

  static AcknowledgementLog Read(const std::string& folder) {
    auto log = ReadAcknowledgements(folder);
    EXPECT_TRUE(log.ok()) << log.status();
    return *std::move(log);
  }

  TempDir dir_;
  std::string a_, b_;
};

TEST_F(AcknowledgementLogTest, ReturnsWhatWasAppendedInTheOrderOfTime) {
  ASSERT_TRUE(AppendAcknowledgement(a_, Sample("2024-05-02")).ok());
  ASSERT_TRUE(AppendAcknowledgement(a_, Sample("2024-05-01")).ok());
  EXPECT_THAT(Read(a_).acknowledgements,
              ElementsAre(Sample("2024-05-01"), Sample("2024-05-02")));
  EXPECT_THAT(*AcknowledgementLines(a_), SizeIs(2));
  // They are not segments.
  EXPECT_THAT(*ListSegments(a_), IsEmpty());
}

TEST_F(AcknowledgementLogTest, MergesByCopying) {
  ASSERT_TRUE(AppendAcknowledgement(a_, Sample("2024-05-01")).ok());
  std::filesystem::copy(a_, b_);
  ASSERT_TRUE(AppendAcknowledgement(a_, Sample("2024-05-02")).ok());
  ASSERT_TRUE(AppendAcknowledgement(a_, Sample("2024-05-04")).ok());
  ASSERT_TRUE(AppendAcknowledgement(b_, Sample("2024-05-03")).ok());
  // The same decision in two files counts once.
  ASSERT_TRUE(AppendAcknowledgement(b_, Sample("2024-05-02")).ok());
  std::filesystem::copy(a_, b_,
                        std::filesystem::copy_options::recursive |
                            std::filesystem::copy_options::skip_existing);
  EXPECT_THAT(Read(b_).acknowledgements,
              ElementsAre(Sample("2024-05-01"), Sample("2024-05-02"),
                          Sample("2024-05-03"), Sample("2024-05-04")));
}

TEST_F(AcknowledgementLogTest, SkipsDamagedFiles) {
  ASSERT_TRUE(AppendAcknowledgement(a_, Sample("2024-05-01")).ok());
  const std::string file = ListStoreFiles(a_, ".acks")->at(0);
  const std::string text = *ReadFile(JoinPath(a_, file));
  ASSERT_TRUE(
      WriteFileAtomic(JoinPath(a_, "cut.acks"), text.substr(0, 90)).ok());
  const AcknowledgementLog log = Read(a_);
  EXPECT_THAT(log.acknowledgements, SizeIs(1));
  EXPECT_THAT(log.skipped,
              ElementsAre("`cut.acks`: a line does not match its checksum"));
}

TEST_F(AcknowledgementLogTest, MissingFolderIsNotFound) {
  EXPECT_TRUE(absl::IsNotFound(ReadAcknowledgements(a_).status()));
}

}  // namespace
}  // namespace assay::reports
