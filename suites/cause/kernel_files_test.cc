#include "suites/cause/kernel_files.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

class KernelFilesTest : public testing::Test {
 protected:
  KernelFilesTest() : dir_(TempDir::Create().value()) {}

  std::string Path(const std::string& name) const {
    return JoinPath(dir_.path(), name);
  }
  void Dump(const std::string& build, const std::string& kernel,
            const std::string& text) {
    ASSERT_TRUE(MakeDirs(Path(build)).ok());
    for (const char* stage : {".1.schedule.txt", ".2.lowered.tir.txt", ".s"}) {
      ASSERT_TRUE(WriteFileAtomic(Path(build + "/kernel." + kernel + stage),
                                  text + stage)
                      .ok());
    }
  }
  absl::Status Write(const reports::KernelChange& change) {
    return WriteKernelDifference(Path("base"), Path("run"), change,
                                 Path("out/net"));
  }

  TempDir dir_;
};

TEST_F(KernelFilesTest, WritesBothSidesAndTheirDifference) {
  Dump("base", "k1", "vectorize\n");
  Dump("run", "k1", "unroll\n");
  Dump("run", "k2", "relu\n");
  const absl::Status status = Write({{"conv"}, {"k1"}, {"k1", "k2"}});
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(*ReadFile(Path("out/net/base.tir.txt")),
            "vectorize\n.2.lowered.tir.txt");
  EXPECT_EQ(*ReadFile(Path("out/net/run.s")), "unroll\n.srelu\n.s");
  const std::string diff = *ReadFile(Path("out/net/schedule.diff"));
  EXPECT_THAT(diff, HasSubstr("--- base\n+++ run\n"));
  EXPECT_THAT(diff, HasSubstr("-vectorize\n"));
  EXPECT_THAT(diff, HasSubstr("+unroll\n"));
}

TEST_F(KernelFilesTest, RemovedKernelIsComparedWithEmptyFile) {
  Dump("base", "k1", "cast\n");
  ASSERT_TRUE(Write({{}, {"k1"}, {}}).ok());
  EXPECT_EQ(*ReadFile(Path("out/net/run.s")), "");
  EXPECT_THAT(*ReadFile(Path("out/net/s.diff")), HasSubstr("-cast"));
}

TEST_F(KernelFilesTest, ErrorNamesTheMissingDump) {
  Dump("base", "k1", "cast\n");
  const absl::Status status = Write({{}, {"k1"}, {"k7"}});
  EXPECT_TRUE(absl::IsNotFound(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("kernel.k7.1.schedule"));
}

}  // namespace
}  // namespace assay::suites
