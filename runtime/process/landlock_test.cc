#include "runtime/process/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::runtime {
namespace {

using ::testing::ExitedWithCode;
using ::testing::HasSubstr;

// The files of a test: `readable/file`, `writable/file` and `secret`, in a
// folder that has a link `writable/link` to `secret`.
class LandlockTest : public testing::Test {
 protected:
  void SetUp() override {
    if (LandlockVersion() == 0) GTEST_SKIP() << "the kernel has no Landlock";
    for (const char* folder : {"readable", "writable"}) {
      ASSERT_TRUE(MakeDirs(Path(folder)).ok());
      ASSERT_TRUE(
          WriteFileAtomic(JoinPath(Path(folder), "file"), "content").ok());
    }
    ASSERT_TRUE(WriteFileAtomic(Path("secret"), "content").ok());
    ASSERT_EQ(symlink(Path("secret").c_str(), Path("writable/link").c_str()),
              0);
  }

  std::string Path(const std::string& name) const {
    return JoinPath(dir_.path(), name);
  }

  absl::StatusOr<LandlockRuleset> Ruleset() const {
    return LandlockRuleset::Create({{Path("readable"), LandlockAccess::kRead},
                                    {Path("writable"), LandlockAccess::kWrite}},
                                   /*network=*/false);
  }

  const TempDir dir_ = TempDir::Create().value();
};

// Restricts this process. Ends it if that fails.
void Restrict(const LandlockRuleset& ruleset) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) _exit(100);
  if (ruleset.Restrict() != 0) _exit(101);
}

// Returns 0 if the file can be opened, else the errno.
int Open(const std::string& path, int flags) {
  return open(path.c_str(), flags | O_CLOEXEC, 0600) >= 0 ? 0 : errno;
}

TEST_F(LandlockTest, PermitsListedFolders) {
  const absl::StatusOr<LandlockRuleset> ruleset = Ruleset();
  ASSERT_TRUE(ruleset.ok()) << ruleset.status();
  EXPECT_EXIT(
      {
        Restrict(*ruleset);
        if (Open(Path("readable/file"), O_RDONLY) != 0) _exit(1);
        if (Open(Path("writable/file"), O_RDWR | O_TRUNC) != 0) _exit(2);
        if (Open(Path("writable/new"), O_WRONLY | O_CREAT) != 0) _exit(3);
        if (unlink(Path("writable/new").c_str()) != 0) _exit(4);
        _exit(0);
      },
      ExitedWithCode(0), "");
}

TEST_F(LandlockTest, RefusesEverythingElse) {
  const absl::StatusOr<LandlockRuleset> ruleset = Ruleset();
  ASSERT_TRUE(ruleset.ok()) << ruleset.status();
  EXPECT_EXIT(
      {
        Restrict(*ruleset);
        if (Open(Path("secret"), O_RDONLY) != EACCES) _exit(1);
        if (Open(Path("secret"), O_WRONLY) != EACCES) _exit(2);
        if (Open(Path("writable/link"), O_RDONLY) != EACCES) _exit(3);
        if (Open(Path("readable/file"), O_WRONLY) != EACCES) _exit(4);
        if (Open(Path("readable/new"), O_WRONLY | O_CREAT) != EACCES) _exit(5);
        if (Open("/etc/passwd", O_RDONLY) != EACCES) _exit(6);
        if (unlink(Path("readable/file").c_str()) == 0) _exit(7);
        if (rename(Path("secret").c_str(), Path("writable/x").c_str()) == 0) {
          _exit(8);
        }
        _exit(0);
      },
      ExitedWithCode(0), "");
}

TEST_F(LandlockTest, MissingPathIsNotFound) {
  const absl::Status status =
      LandlockRuleset::Create({{Path("none"), LandlockAccess::kRead}}, false)
          .status();
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(Path("none")));
}

TEST(LandlockVersionTest, KernelWithoutLandlockIsUnimplemented) {
  if (LandlockVersion() > 0) GTEST_SKIP() << "the kernel has Landlock";
  EXPECT_TRUE(
      absl::IsUnimplemented(LandlockRuleset::Create({}, false).status()));
}

}  // namespace
}  // namespace assay::runtime
