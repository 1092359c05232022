#include "runtime/base/large/large_file.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay {
namespace {

class LargeFileTest : public testing::Test {
 protected:
  LargeFileTest() : dir_(*TempDir::Create()) {}
  std::string Path(const char* name) { return JoinPath(dir_.path(), name); }

  TempDir dir_;
};

TEST_F(LargeFileTest, ReadsFilesOfAnySize) {
  for (size_t size : {0, 1, 262144, 262145, 5000003}) {
    const std::string bytes(size, static_cast<char>('a' + size % 7));
    ASSERT_TRUE(WriteFileAtomic(Path("f"), bytes).ok());
    const absl::StatusOr<LargeBytes> read = ReadLargeFile(Path("f"));
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_TRUE(absl::string_view(*read) == bytes) << size;
  }
}

// Reading must not end with a copy to other memory.
TEST_F(LargeFileTest, LargeFilesAreInHugePages) {
  for (size_t size : {kLargeBytes, 2 * kLargeBytes - 1, 2 * kLargeBytes}) {
    ASSERT_TRUE(WriteFileAtomic(Path("f"), std::string(size, 'x')).ok());
    const absl::StatusOr<LargeBytes> read = ReadLargeFile(Path("f"));
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(reinterpret_cast<uintptr_t>(read->data()) % kLargeBytes, 0u);
    EXPECT_EQ(read->capacity(), size + 1);
  }
}

TEST_F(LargeFileTest, ErrorsNameThePath) {
  const absl::Status missing = ReadLargeFile(Path("none")).status();
  EXPECT_TRUE(absl::IsNotFound(missing)) << missing;
  EXPECT_NE(missing.message().find(Path("none")), absl::string_view::npos);
  ASSERT_TRUE(WriteFileAtomic(Path("f"), "12345").ok());
  EXPECT_TRUE(absl::IsResourceExhausted(ReadLargeFile(Path("f"), 4).status()));
  EXPECT_FALSE(ReadLargeFile(dir_.path()).ok());
}

}  // namespace
}  // namespace assay
