#include "rpc/server/upload_file.h"

#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"

namespace assay::rpc {
namespace {

class UploadFileTest : public ::testing::Test {
 protected:
  UploadFileTest()
      : dir_(*TempDir::Create("upload_file_test")),
        digest_(Sha256Hex("abc")),
        part_(JoinPath(dir_.path(), UploadFileName(digest_, 3))),
        blob_(JoinPath(dir_.path(), digest_)) {}

  TempDir dir_;
  const std::string digest_;
  const std::string part_;
  const std::string blob_;
};

TEST_F(UploadFileTest, NamesRoundTrip) {
  for (int64_t size : {int64_t{0}, int64_t{7}, int64_t{1} << 40}) {
    const std::string name = UploadFileName(digest_, size);
    const auto parsed = ParseBlobFileName(name);
    ASSERT_TRUE(parsed.has_value()) << name;
    EXPECT_EQ(parsed->digest, digest_);
    EXPECT_EQ(parsed->upload_size, size);
  }
  const auto complete = ParseBlobFileName(digest_);
  ASSERT_TRUE(complete.has_value());
  EXPECT_EQ(complete->digest, digest_);
  EXPECT_FALSE(complete->upload_size.has_value());
}

TEST_F(UploadFileTest, RejectsNamesOfOtherFiles) {
  for (const std::string& name :
       {std::string(), std::string("README"), std::string("1.part"),
        digest_.substr(1), digest_ + "0", digest_ + ".part", digest_ + "..part",
        digest_ + ".x.part", digest_ + ".-1.part", digest_ + ".+1.part",
        digest_ + ".01.part", digest_ + ". 1.part", digest_ + ".1.part ",
        digest_ + ".1", digest_ + ".1.part.tmp",
        digest_ + ".99999999999999999999.part", "x" + digest_.substr(1),
        "A" + digest_.substr(1) + ".1.part"}) {
    EXPECT_FALSE(ParseBlobFileName(name).has_value()) << name;
  }
}

TEST_F(UploadFileTest, PublishesAppendedBytes) {
  EXPECT_TRUE(AppendToUpload(part_, 0, "a").ok());
  EXPECT_TRUE(AppendToUpload(part_, 1, "").ok());
  EXPECT_TRUE(AppendToUpload(part_, 1, "bc").ok());
  EXPECT_EQ(SizeOfFile(part_), 3);
  const absl::Status status = PublishUpload(part_, dir_.path(), digest_);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(*ReadFile(blob_), "abc");
  EXPECT_EQ(SizeOfFile(part_), -1);
  struct stat info;
  ASSERT_EQ(stat(blob_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0133, 0u);  // not writable by others
}

TEST_F(UploadFileTest, AppendRequiresTheFileToHaveTheOffset) {
  ASSERT_TRUE(AppendToUpload(part_, 0, "ab").ok());
  for (int64_t offset : {0, 1, 3}) {
    const absl::Status status = AppendToUpload(part_, offset, "c");
    EXPECT_TRUE(absl::IsInternal(status)) << status;
    EXPECT_NE(status.message().find(part_), std::string::npos) << status;
  }
  EXPECT_EQ(*ReadFile(part_), "ab");
  const std::string missing = JoinPath(dir_.path(), "missing");
  EXPECT_TRUE(absl::IsInternal(AppendToUpload(missing, 1, "c")));
  EXPECT_FALSE(FileExists(missing));
}

TEST_F(UploadFileTest, DoesNotFollowLinks) {
  const std::string target = JoinPath(dir_.path(), "target");
  ASSERT_TRUE(WriteFileAtomic(target, "").ok());
  std::filesystem::create_symlink(target, part_);
  EXPECT_TRUE(absl::IsInternal(AppendToUpload(part_, 0, "abc")));
  EXPECT_TRUE(absl::IsInternal(PublishUpload(part_, dir_.path(), digest_)));
  EXPECT_EQ(*ReadFile(target), "");
  EXPECT_EQ(SizeOfFile(part_), -1);
}

TEST_F(UploadFileTest, RemovesFilesWithWrongContents) {
  ASSERT_TRUE(AppendToUpload(part_, 0, "abd").ok());
  const absl::Status status = PublishUpload(part_, dir_.path(), digest_);
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_NE(status.message().find(digest_), std::string::npos) << status;
  EXPECT_NE(status.message().find(Sha256Hex("abd")), std::string::npos)
      << status;
  EXPECT_TRUE(std::filesystem::is_empty(dir_.path()));
}

TEST_F(UploadFileTest, FailedRenameRemovesTheUpload) {
  ASSERT_TRUE(MakeDirs(JoinPath(blob_, "inside")).ok());
  ASSERT_TRUE(AppendToUpload(part_, 0, "abc").ok());
  EXPECT_TRUE(absl::IsInternal(PublishUpload(part_, dir_.path(), digest_)));
  EXPECT_FALSE(FileExists(part_));
}

TEST_F(UploadFileTest, RemovesFilesThatExist) {
  ASSERT_TRUE(AppendToUpload(part_, 0, "abc").ok());
  EXPECT_TRUE(RemoveFile(part_).ok());
  EXPECT_TRUE(RemoveFile(part_).ok());
  EXPECT_FALSE(FileExists(part_));
  EXPECT_TRUE(absl::IsInternal(RemoveFile(dir_.path())));
}

TEST_F(UploadFileTest, HasSizesOfRegularFilesOnly) {
  EXPECT_EQ(SizeOfFile(part_), -1);
  EXPECT_EQ(SizeOfFile(dir_.path()), -1);
  ASSERT_TRUE(WriteFileAtomic(part_, "12").ok());
  EXPECT_EQ(SizeOfFile(part_), 2);
}

}  // namespace
}  // namespace assay::rpc
