#include "runtime/text/shell_word.h"

#include "gtest/gtest.h"

namespace assay::runtime {
namespace {

TEST(ShellWordTest, QuotesIfNecessary) {
  EXPECT_EQ(ShellWord("--out=/a/b-c_d.e"), "--out=/a/b-c_d.e");
  EXPECT_EQ(ShellWord(""), "''");
  EXPECT_EQ(ShellWord("a b"), "'a b'");
  EXPECT_EQ(ShellWord("it's"), "'it'\\''s'");
  EXPECT_EQ(ShellWord("$HOME"), "'$HOME'");
  // Bash and the shells of POSIX 2024 understand this.
  EXPECT_EQ(ShellWord("it's\n\x1b\\\xff"), "$'it\\'s\\n\\x1b\\\\\\xff'");
  EXPECT_EQ(ShellWord(absl::string_view("a\0b", 3)), "$'a\\x00b'");
}

}  // namespace
}  // namespace assay::runtime
