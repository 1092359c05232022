#include "rpc/security/private_file.h"

#include <sys/stat.h>

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
};

TEST_F(PrivateFileTest, OnlyTheOwnerCanReadWhatIsWritten) {
  // The new file does not keep the mode of the one that it replaces.
  ASSERT_TRUE(WriteFileAtomic(path_, "old").ok());
  ASSERT_EQ(chmod(path_.c_str(), 0644), 0);
  ASSERT_TRUE(WritePrivateFile(path_, std::string("a\0b", 3)).ok());
  struct stat info;
  ASSERT_EQ(stat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  const auto contents = ReadPrivateFile(path_);
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_EQ(*contents, std::string("a\0b", 3));
}

TEST_F(PrivateFileTest, RejectsFilesThatOthersCanRead) {
  ASSERT_TRUE(WritePrivateFile(path_, "secret").ok());
  for (const mode_t mode : {0640, 0604, 0620}) {
    ASSERT_EQ(chmod(path_.c_str(), mode), 0);
    EXPECT_EQ(ReadPrivateFile(path_).status().message(),
              absl::StrCat("`", path_,
                           "` can be read by other users; make it private with "
                           "`chmod 600`"));
  }
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
