#include "runtime/process/runfiles.h"

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::runtime {
namespace {

TEST(RunfilesTest, FindsFilesWithAndWithoutModules) {
  const TempDir dir = TempDir::Create().value();
  const std::string program = JoinPath(dir.path(), "program");
  for (const std::string workspace : {"assay", "_main"}) {
    const std::string folder =
        JoinPath(program + ".runfiles", JoinPath(workspace, "data"));
    ASSERT_TRUE(MakeDirs(folder).ok());
    const std::string path = JoinPath(folder, workspace + ".txt");
    ASSERT_TRUE(WriteFileAtomic(path, "").ok());
    const auto found = FindRunfile(program, "assay/data/" + workspace + ".txt");
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(*found, path);
  }
  EXPECT_TRUE(
      absl::IsNotFound(FindRunfile(program, "assay/data/none.txt").status()));
}

// //suites:zoo starts //suites:model, which is one of its runfiles and has no
// folder of its own.
TEST(RunfilesTest, FindsFilesOfTheProgramThatStartedThisOne) {
  const TempDir dir = TempDir::Create().value();
  const std::string folder = JoinPath(dir.path(), "zoo.runfiles/assay");
  ASSERT_TRUE(MakeDirs(JoinPath(folder, "data")).ok());
  const std::string path = JoinPath(folder, "data/list.txt");
  ASSERT_TRUE(WriteFileAtomic(path, "").ok());
  const auto found =
      FindRunfile(JoinPath(folder, "suites/model"), "assay/data/list.txt");
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(*found, path);
  EXPECT_TRUE(absl::IsNotFound(
      FindRunfile(JoinPath(dir.path(), "model"), "assay/data/list.txt")
          .status()));
}

}  // namespace
}  // namespace assay::runtime
