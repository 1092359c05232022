#include "rpc/server/worker/remove_tree.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::rpc {
namespace {

class RemoveTreeTest : public testing::Test {
 protected:
  RemoveTreeTest() { MakeFolder("work"); }

  std::string PathOf(const std::string& name) const {
    return JoinPath(folder_.path(), name);
  }
  void MakeFolder(const std::string& name) {
    ASSERT_EQ(mkdir(PathOf(name).c_str(), S_IRWXU), 0) << name;
  }
  void MakeFile(const std::string& name) {
    ASSERT_TRUE(WriteFileAtomic(PathOf(name), name).ok());
  }
  void ExpectRemoved() {
    const absl::Status status = RemoveTree(PathOf("work"));
    EXPECT_TRUE(status.ok()) << status;
    EXPECT_FALSE(FileExists(PathOf("work")));
  }

  const TempDir folder_ = TempDir::CreateInMemory().value();
};

TEST_F(RemoveTreeTest, RemovesFilesAndFolders) {
  MakeFile("work/a");
  MakeFolder("work/b");
  MakeFile("work/b/c");
  MakeFolder("work/b/d");
  MakeFolder("work/b/d/moved-1");
  MakeFile("work/b/d/moved-1/e");
  MakeFolder("work/moved-1");
  ExpectRemoved();
  EXPECT_TRUE(RemoveTree(PathOf("work")).ok());  // it is missing
}

TEST_F(RemoveTreeTest, RemovesASingleFile) {
  MakeFile("file");
  EXPECT_TRUE(RemoveTree(PathOf("file")).ok());
  EXPECT_FALSE(FileExists(PathOf("file")));
}

TEST_F(RemoveTreeTest, DoesNotFollowLinks) {
  MakeFolder("outside");
  MakeFile("outside/precious");
  ASSERT_EQ(symlink(PathOf("outside").c_str(), PathOf("work/a").c_str()), 0);
  MakeFolder("work/b");
  ASSERT_EQ(symlink(PathOf("outside").c_str(), PathOf("work/b/c").c_str()), 0);
  ExpectRemoved();
  EXPECT_TRUE(FileExists(PathOf("outside/precious")));
  ASSERT_EQ(symlink(PathOf("outside").c_str(), PathOf("work").c_str()), 0);
  ExpectRemoved();
  EXPECT_TRUE(FileExists(PathOf("outside/precious")));
}

TEST_F(RemoveTreeTest, RemovesFoldersWithoutPermissions) {
  MakeFolder("work/a");
  MakeFolder("work/a/b");
  MakeFile("work/a/b/c");
  chmod(PathOf("work/a/b").c_str(), 0);
  chmod(PathOf("work/a").c_str(), 0);
  chmod(PathOf("work").c_str(), 0);
  ExpectRemoved();
}

// The path is much longer than PATH_MAX, and there are more levels than a
// process can have descriptors.
TEST_F(RemoveTreeTest, RemovesDeepFolders) {
  const std::string name(100, 'x');
  int fd = open(PathOf("work").c_str(), O_RDONLY | O_DIRECTORY);
  for (int i = 0; i < 1500; ++i) {
    ASSERT_EQ(mkdirat(fd, name.c_str(), S_IRWXU), 0);
    const int next = openat(fd, name.c_str(), O_RDONLY | O_DIRECTORY);
    ASSERT_GE(next, 0);
    close(fd);
    fd = next;
  }
  close(fd);
  ExpectRemoved();
}

TEST_F(RemoveTreeTest, RemovesManyFiles) {
  for (int i = 0; i < 3000; ++i) {
    const int fd = open(PathOf(absl::StrCat("work/", i)).c_str(),
                        O_WRONLY | O_CREAT, S_IRUSR);
    ASSERT_GE(fd, 0);
    close(fd);
  }
  EXPECT_TRUE(RemoveContents(PathOf("work")).ok());
  EXPECT_EQ(rmdir(PathOf("work").c_str()), 0);
}

}  // namespace
}  // namespace assay::rpc
