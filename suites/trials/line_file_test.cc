#include "suites/trials/line_file.h"

#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::suites {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

absl::StatusOr<std::vector<std::string>> Words(absl::string_view text) {
  std::vector<std::string> words =
      absl::StrSplit(text, '\n', absl::SkipEmpty());
  for (const std::string& word : words) {
    if (word == "bad") return absl::InvalidArgumentError("a bad word");
  }
  return words;
}

class LineFileTest : public ::testing::Test {
 protected:
  TempDir dir_ = TempDir::Create().value();
  const std::string path_ = JoinPath(dir_.path(), "words");
};

TEST_F(LineFileTest, ContinuesAfterTheLastCompleteLine) {
  {
    auto file = LineFile::Open(path_, "head\n");
    ASSERT_TRUE(file.ok()) << file.status();
    ASSERT_TRUE(file->Append("one\n").ok());
    ASSERT_TRUE(file->Append("tw").ok());
  }
  auto file = LineFile::Open(path_, "head\n");
  ASSERT_TRUE(file.ok()) << file.status();
  const auto words = file->Items(Words);
  ASSERT_TRUE(words.ok()) << words.status();
  EXPECT_THAT(*words, ElementsAre("head", "one"));
  ASSERT_TRUE(file->Append("two\n").ok());
  EXPECT_EQ(ReadFile(path_).value(), "head\none\ntwo\n");
}

TEST_F(LineFileTest, ErrorsNameTheFile) {
  ASSERT_TRUE(WriteFileAtomic(path_, "head\nbad\n").ok());
  const auto file = LineFile::Open(path_, "head\n");
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_THAT(std::string(file->Items(Words).status().message()),
              HasSubstr("words`: a bad word"));
}

TEST_F(LineFileTest, WithoutAFileLinesAreIgnored) {
  EXPECT_TRUE(LineFile().Append("one\n").ok());
}

}  // namespace
}  // namespace assay::suites
