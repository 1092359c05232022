#include "rpc/server/worker/work_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::rpc {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kMega = 1 << 20;

class WorkFolderTest : public testing::Test {
 protected:
  WorkFolder Create() { return root_->Create().value(); }
  static void Write(const WorkFolder& folder, const std::string& name,
                    const std::string& text) {
    ASSERT_TRUE(WriteFileAtomic(JoinPath(folder.path(), name), text).ok());
  }

  const TempDir temp_ = TempDir::Create().value();
  const std::string path_ = JoinPath(temp_.path(), "state/work");
  const std::unique_ptr<WorkRoot> root_ = WorkRoot::Open(path_).value();
};

TEST_F(WorkFolderTest, IsPrivateAndRemovedWithItsObject) {
  std::string path;
  {
    WorkFolder folder = Create();
    WorkFolder moved = std::move(folder);
    path = moved.path();
    struct stat info;
    ASSERT_EQ(stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0700u);
    ASSERT_EQ(stat(path_.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0700u);
    Write(moved, "outputs", "x");
    EXPECT_NE(Create().path(), path);
  }
  EXPECT_FALSE(FileExists(path));
}

TEST_F(WorkFolderTest, OpenRemovesWhatACrashHasLeft) {
  ASSERT_TRUE(MakeDirs(JoinPath(path_, "17/deep")).ok());
  ASSERT_TRUE(WriteFileAtomic(JoinPath(path_, "17/deep/file"), "x").ok());
  ASSERT_TRUE(WorkRoot::Open(path_).ok());
  EXPECT_FALSE(FileExists(JoinPath(path_, "17")));
  EXPECT_TRUE(FileExists(path_));
}

TEST_F(WorkFolderTest, ReadsFiles) {
  WorkFolder folder = Create();
  Write(folder, "outputs-0", "abcdef");
  auto file = folder.Open("outputs-0", kMega);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->size(), 6);
  EXPECT_EQ(file->Read(4).value(), "abcd");
  EXPECT_EQ(file->Read(2).value(), "ef");
  EXPECT_TRUE(absl::IsDataLoss(file->Read(1).status()));
  folder.Remove("outputs-0");
  EXPECT_TRUE(absl::IsNotFound(folder.Open("outputs-0", kMega).status()));
}

TEST_F(WorkFolderTest, RefusesWhatIsNotARegularFile) {
  WorkFolder folder = Create();
  const auto path = [&](const char* name) {
    return JoinPath(folder.path(), name);
  };
  ASSERT_EQ(symlink("/etc/passwd", path("link").c_str()), 0);
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  ASSERT_EQ(mkdir(path("folder").c_str(), 0700), 0);
  ASSERT_TRUE(WriteFileAtomic(path("folder/file"), "x").ok());
  for (const char* name : {"link", "pipe", "folder"}) {
    const auto file = folder.Open(name, kMega);
    EXPECT_TRUE(absl::IsInternal(file.status())) << file.status();
    folder.Remove(name);
    EXPECT_TRUE(absl::IsNotFound(folder.Open(name, kMega).status())) << name;
  }
}

TEST_F(WorkFolderTest, LimitsTheSizeOfAFile) {
  WorkFolder folder = Create();
  Write(folder, "huge", "");
  ASSERT_EQ(truncate(JoinPath(folder.path(), "huge").c_str(), kMega + 1), 0);
  EXPECT_TRUE(absl::IsResourceExhausted(folder.Open("huge", kMega).status()));
  EXPECT_TRUE(folder.Open("huge", kMega + 1).ok());
}

TEST_F(WorkFolderTest, CopiesDoNotFollowLinks) {
  WorkFolder folder = Create();
  const std::string source = JoinPath(temp_.path(), "blob");
  const std::string other = JoinPath(temp_.path(), "other");
  const std::string contents(3 * kMega + 7, 'x');
  ASSERT_TRUE(WriteFileAtomic(source, contents).ok());
  ASSERT_TRUE(WriteFileAtomic(other, "precious").ok());
  const std::string inputs = JoinPath(folder.path(), "inputs");
  ASSERT_EQ(symlink(other.c_str(), inputs.c_str()), 0);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(folder.CopyIn(source, "inputs").ok());
    EXPECT_TRUE(ReadFile(inputs).value() == contents);
  }
  EXPECT_EQ(ReadFile(other).value(), "precious");
  EXPECT_TRUE(absl::IsNotFound(folder.CopyIn(source + "x", "inputs")));
}

TEST_F(WorkFolderTest, ChecksTheUsage) {
  WorkFolder folder = Create();
  EXPECT_TRUE(CheckUsage(folder.path(), 0, 0).ok());
  Write(folder, "a", std::string(kMega, 'x'));
  EXPECT_TRUE(CheckUsage(folder.path(), 2 * kMega, 1).ok());
  const absl::Status bytes = CheckUsage(folder.path(), kMega / 2, 1);
  EXPECT_TRUE(absl::IsResourceExhausted(bytes));
  EXPECT_THAT(std::string(bytes.message()), HasSubstr("524288 bytes"));
  Write(folder, "b", "");
  const absl::Status files = CheckUsage(folder.path(), 2 * kMega, 1);
  EXPECT_THAT(std::string(files.message()), HasSubstr("more than 1 files"));
  folder.Remove("a");
  EXPECT_TRUE(CheckUsage(folder.path(), kMega, 1).ok());
  ASSERT_EQ(mkdir(JoinPath(folder.path(), "c").c_str(), 0700), 0);
  EXPECT_TRUE(absl::IsResourceExhausted(CheckUsage(folder.path(), kMega, 10)));
}

}  // namespace
}  // namespace assay::rpc
