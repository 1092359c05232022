#include "reports/store/locked_file.h"

#include <optional>

#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::reports {
namespace {

TEST(LockedFileTest, AppendsAndCreatesOnlyNewFiles) {
  const auto dir = TempDir::Create();
  const std::string path = JoinPath(dir->path(), "a");
  auto file = LockedFile::Create(path);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_TRUE(file->Append("one").ok());
  EXPECT_TRUE(file->Append("two").ok());
  EXPECT_EQ(*ReadFile(path), "onetwo");
  EXPECT_TRUE(absl::IsAlreadyExists(LockedFile::Create(path).status()));
}

TEST(LockedFileTest, LockIsExclusive) {
  const auto dir = TempDir::Create();
  const std::string path = JoinPath(dir->path(), "a");
  EXPECT_TRUE(absl::IsNotFound(LockedFile::Open(path).status()));
  std::optional<LockedFile> file = *LockedFile::Create(path);
  EXPECT_TRUE(absl::IsUnavailable(LockedFile::Open(path).status()));
  LockedFile moved = *std::move(file);
  file.reset();
  EXPECT_TRUE(absl::IsUnavailable(LockedFile::Open(path).status()));
  moved = *LockedFile::Create(JoinPath(dir->path(), "b"));
  EXPECT_EQ(moved.path(), JoinPath(dir->path(), "b"));
}

TEST(LockedFileTest, DestructorReleasesLock) {
  const auto dir = TempDir::Create();
  const std::string path = JoinPath(dir->path(), "a");
  EXPECT_TRUE(LockedFile::Create(path).ok());
  const auto opened = LockedFile::Open(path);
  EXPECT_TRUE(opened.ok()) << opened.status();
}

}  // namespace
}  // namespace assay::reports
