#include "runtime/base/file.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace assay {
namespace {

class FileTest : public testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<TempDir> dir = TempDir::Create("file_test");
    ASSERT_TRUE(dir.ok()) << dir.status();
    dir_ = std::make_unique<TempDir>(*std::move(dir));
  }
  std::string Path(absl::string_view name) {
    return JoinPath(dir_->path(), name);
  }

  std::unique_ptr<TempDir> dir_;
};

TEST(JoinPathTest, PutsOneSlashBetweenTheParts) {
  EXPECT_EQ(JoinPath("a", "b"), "a/b");
  EXPECT_EQ(JoinPath("a/", "/b"), "a/b");
  EXPECT_EQ(JoinPath("", "b"), "b");
  EXPECT_EQ(JoinPath("/", "b"), "/b");
}

TEST(CallersFolderTest, PrefersBazelsVariableToTheCurrentDirectory) {
  setenv("BUILD_WORKING_DIRECTORY", "/home/me", 1);
  EXPECT_EQ(CallersFolder(), "/home/me");
  EXPECT_EQ(FromCallersFolder("a/b"), "/home/me/a/b");
  EXPECT_EQ(FromCallersFolder("/a"), "/a");
  EXPECT_EQ(FromCallersFolder(""), "");
  unsetenv("BUILD_WORKING_DIRECTORY");
  EXPECT_EQ(CallersFolder(), std::filesystem::current_path().string());
}

TEST_F(FileTest, ReadsBackFilesOfAnySize) {
  for (size_t size : {0, 1, 4095, 4096, 262144, 262145, 1000003}) {
    const std::string bytes(size, static_cast<char>('a' + size % 7));
    ASSERT_TRUE(WriteFileAtomic(Path("f"), bytes).ok());
    const absl::StatusOr<std::string> read = ReadFile(Path("f"));
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_TRUE(*read == bytes) << size;
  }
}

TEST_F(FileTest, RejectsFilesAboveTheSizeLimit) {
  ASSERT_TRUE(WriteFileAtomic(Path("f"), "12345").ok());
  EXPECT_TRUE(ReadFile(Path("f"), 5).ok());
  const absl::Status status = ReadFile(Path("f"), 4).status();
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_NE(status.message().find("`" + Path("f") + "`"),
            absl::string_view::npos);
  EXPECT_TRUE(absl::IsResourceExhausted(ReadFile("/dev/zero", 99).status()));
}

TEST_F(FileTest, ReadsFilesWhoseReportedSizeIsZero) {
  const absl::StatusOr<std::string> text = ReadFile("/proc/self/status");
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_NE(text->find("Pid:"), std::string::npos);
}

TEST_F(FileTest, ErrorsNameTheMissingPath) {
  const absl::Status missing = ReadFile(Path("none")).status();
  EXPECT_TRUE(absl::IsNotFound(missing)) << missing;
  EXPECT_NE(missing.message().find(Path("none")), absl::string_view::npos);
  EXPECT_FALSE(ReadFile(dir_->path()).ok());
  EXPECT_FALSE(WriteFileAtomic(Path("no/such/folder"), "x").ok());
  EXPECT_FALSE(WriteFileAtomic(dir_->path(), "x").ok());
}

TEST_F(FileTest, WritingToAPipeKeepsThePipe) {
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  absl::StatusOr<std::string> received;
  std::thread reader([&] { received = ReadFile(Path("pipe")); });
  const absl::Status status = WriteFileAtomic(Path("pipe"), "bytes");
  reader.join();
  EXPECT_TRUE(status.ok()) << status;
  ASSERT_TRUE(received.ok()) << received.status();
  EXPECT_EQ(*received, "bytes");
  EXPECT_TRUE(std::filesystem::is_fifo(Path("pipe")));
}

TEST_F(FileTest, FailedWriteRemovesItsTemporaryFile) {
  ASSERT_TRUE(MakeDirs(Path("target/inside")).ok());
  EXPECT_FALSE(WriteFileAtomic(Path("target"), "x").ok());
  int entries = 0;
  for (const auto& entry : std::filesystem::directory_iterator(dir_->path())) {
    EXPECT_EQ(entry.path().filename(), "target");
    ++entries;
  }
  EXPECT_EQ(entries, 1);
}

TEST_F(FileTest, MakeDirsCreatesParentsAndAcceptsExistingDirectories) {
  EXPECT_TRUE(MakeDirs(Path("a/b/c")).ok());
  EXPECT_TRUE(MakeDirs(Path("a/b/c")).ok());
  EXPECT_TRUE(FileExists(Path("a/b/c")));
  ASSERT_TRUE(WriteFileAtomic(Path("plain"), "").ok());
  EXPECT_FALSE(MakeDirs(Path("plain")).ok());
  EXPECT_FALSE(MakeDirs(Path("plain/sub")).ok());
}

TEST_F(FileTest, MovedTempDirIsRemovedByItsNewOwner) {
  std::string path;
  {
    absl::StatusOr<TempDir> created = TempDir::Create();
    ASSERT_TRUE(created.ok());
    TempDir owner = *std::move(created);
    path = owner.path();
    EXPECT_TRUE(FileExists(path));
    ASSERT_TRUE(WriteFileAtomic(JoinPath(path, "f"), "x").ok());
  }
  EXPECT_FALSE(FileExists(path));
}

TEST(TempFolderTest, PrefersTheFolderOfTheTest) {
  const std::string usual = TempFolder();
  setenv("TEST_TMPDIR", "/t", 1);
  setenv("TMPDIR", "/u", 1);
  EXPECT_EQ(TempFolder(), "/t");
  unsetenv("TEST_TMPDIR");
  EXPECT_EQ(TempFolder(), "/u");
  setenv("TMPDIR", "", 1);
  EXPECT_EQ(TempFolder(), "/tmp");
  setenv("TEST_TMPDIR", usual.c_str(), 1);
}

TEST(UserCacheDirTest, FollowsTheXdgSpecification) {
  setenv("HOME", "/home/u", 1);
  setenv("XDG_CACHE_HOME", "/x", 1);
  EXPECT_EQ(*UserCacheDir(), "/x/assay");
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(*UserCacheDir(), "/home/u/.cache/assay");
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(*UserCacheDir(), "/home/u/.cache/assay");
  unsetenv("HOME");
  EXPECT_TRUE(absl::IsFailedPrecondition(UserCacheDir().status()));
}

TEST(FolderLockTest, ExcludesOtherHolders) {
  const TempDir dir = *TempDir::Create();
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 20; ++k) {
        const auto lock = FolderLock::Acquire(dir.path());
        ASSERT_TRUE(lock.ok()) << lock.status();
        most = std::max(most.load(), ++inside);
        std::this_thread::yield();
        --inside;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(most, 1);
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
  EXPECT_FALSE(FolderLock::Acquire("/no/such/folder").ok());
}

}  // namespace
}  // namespace assay
