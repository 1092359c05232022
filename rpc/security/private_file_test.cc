#include "rpc/security/private_file.h"

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::rpc {
namespace {

class PrivateFileTest : public testing::Test {
 protected:
  const TempDir dir_ = *TempDir::Create();
  const std::string path_ = JoinPath(dir_.path(), "key");

  // Returns the number of files in the folder, temporary ones included.
  int64_t NumFiles() const {
    using Files = std::filesystem::directory_iterator;
    return std::distance(Files(dir_.path()), Files());
  }
  mode_t Mode() const {
    struct stat info;
    EXPECT_EQ(stat(path_.c_str(), &info), 0);
    return info.st_mode & 07777;
  }
};

TEST_F(PrivateFileTest, OnlyTheOwnerCanReadWhatIsWritten) {
  // The new file does not keep the mode of the one that it replaces.
  ASSERT_TRUE(WriteFileAtomic(path_, "old").ok());
  ASSERT_EQ(chmod(path_.c_str(), 0644), 0);
  ASSERT_TRUE(WritePrivateFile(path_, std::string("a\0b", 3)).ok());
  EXPECT_EQ(Mode(), 0600u);
  const auto contents = ReadPrivateFile(path_);
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_EQ(*contents, std::string("a\0b", 3));
}

TEST_F(PrivateFileTest, CreatesOnlyNewFiles) {
  ASSERT_TRUE(CreatePrivateFile(path_, "first").ok());
  EXPECT_EQ(Mode(), 0600u);
  const absl::Status status = CreatePrivateFile(path_, "second");
  EXPECT_TRUE(absl::IsAlreadyExists(status)) << status;
  EXPECT_NE(status.message().find(path_), std::string::npos) << status;
  EXPECT_EQ(*ReadPrivateFile(path_), "first");
  EXPECT_EQ(NumFiles(), 1);
}

TEST_F(PrivateFileTest, FailedWriteLeavesNoFile) {
  ASSERT_TRUE(MakeDirs(path_).ok());
  EXPECT_FALSE(WritePrivateFile(path_, "secret").ok());
  EXPECT_FALSE(CreatePrivateFile(path_, "secret").ok());
  EXPECT_EQ(NumFiles(), 1);
}

TEST_F(PrivateFileTest, ReadsOnlySmallRegularFiles) {
  ASSERT_TRUE(WritePrivateFile(path_, "secret").ok());
  EXPECT_TRUE(ReadPrivateFile(path_, 6).ok());
  EXPECT_TRUE(absl::IsResourceExhausted(ReadPrivateFile(path_, 5).status()));
  // Opening the pipe would wait for a writer.
  const std::string pipe = JoinPath(dir_.path(), "pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_TRUE(absl::IsInvalidArgument(ReadPrivateFile(pipe).status()));
}

TEST_F(PrivateFileTest, RejectsFilesThatOthersCanAccess) {
  ASSERT_TRUE(WritePrivateFile(path_, "secret").ok());
  for (const mode_t mode : {0640, 0620, 0610, 0604, 0602, 0601, 0777}) {
    ASSERT_EQ(chmod(path_.c_str(), mode), 0);
    EXPECT_EQ(ReadPrivateFile(path_).status().message(),
              absl::StrCat("`", path_,
                           "` is accessible to other users; make it private "
                           "with `chmod 600`"));
  }
  ASSERT_EQ(chmod(path_.c_str(), 0400), 0);
  EXPECT_TRUE(ReadPrivateFile(path_).ok());
}

TEST_F(PrivateFileTest, ErrorsNameTheFile) {
  const std::string missing = JoinPath(dir_.path(), "no/file");
  EXPECT_TRUE(absl::IsNotFound(ReadPrivateFile(missing).status()));
  const absl::Status written = WritePrivateFile(missing, "");
  EXPECT_TRUE(absl::IsNotFound(written));
  EXPECT_NE(written.message().find(missing), std::string::npos);
}

}  // namespace
}  // namespace assay::rpc
