#include "runtime/base/hash_file.h"

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay {
namespace {

TEST(HashFileTest, HashesLikeTheContentsInMemory) {
  const auto folder = TempDir::Create();
  ASSERT_TRUE(folder.ok()) << folder.status();
  const std::string path = JoinPath(folder->path(), "data");
  // Empty, short, and longer than the buffer.
  for (const size_t size : {size_t{0}, size_t{5}, (size_t{1} << 20) + 7}) {
    const std::string contents(size, 'x');
    ASSERT_TRUE(WriteFileAtomic(path, contents).ok());
    Sha256 sha;
    const auto bytes = HashFile(path, sha);
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    EXPECT_EQ(static_cast<size_t>(*bytes), size);
    EXPECT_EQ(HexOf(sha.Finish()), Sha256Hex(contents));
  }
}

TEST(HashFileTest, NamesMissingFilesAndFolders) {
  Sha256 sha;
  const auto missing = HashFile("/nowhere/data", sha);
  EXPECT_TRUE(absl::IsNotFound(missing.status())) << missing.status();
  EXPECT_NE(missing.status().message().find("`/nowhere/data`"),
            std::string::npos);
  EXPECT_FALSE(HashFile("/", sha).ok());
}

}  // namespace
}  // namespace assay
