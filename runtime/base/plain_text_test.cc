#include "runtime/base/plain_text.h"

#include "gtest/gtest.h"

namespace assay {
namespace {

TEST(PlainTextTest, KeepsPrintableText) {
  EXPECT_EQ(PlainText(""), "");
  EXPECT_EQ(PlainText("layer1/conv.0 \\n 100 %"), "layer1/conv.0 \\n 100 %");
  EXPECT_EQ(PlainText("Gr\xC3\xB6\xC3\x9F"
                      "e \xE6\xB7\xB1 \xF0\x9F\x98\x80"),
            "Gr\xC3\xB6\xC3\x9F"
            "e \xE6\xB7\xB1 \xF0\x9F\x98\x80");
}

TEST(PlainTextTest, EscapesControlCharacters) {
  EXPECT_EQ(PlainText("a\x1b[2Jb"), "a\\x1b[2Jb");
  EXPECT_EQ(PlainText("a\nb\rc\td\x7f"), "a\\nb\\rc\\td\\x7f");
  EXPECT_EQ(PlainText(absl::string_view("a\0b", 3)), "a\\x00b");
  // A control sequence of one character, U+009B, and a change of direction.
  EXPECT_EQ(PlainText("\xC2\x9B"
                      "2J"),
            "\\xc2\\x9b2J");
  EXPECT_EQ(PlainText("\xE2\x80\xAE"
                      "abc"),
            "\\xe2\\x80\\xaeabc");
}

TEST(PlainTextTest, EscapesWhatIsNotUtf8) {
  EXPECT_EQ(PlainText("\xFF\xFEz"), "\\xff\\xfez");
  EXPECT_EQ(PlainText("\xC0\xAF"), "\\xc0\\xaf");           // overlong
  EXPECT_EQ(PlainText("\xED\xA0\x80"), "\\xed\\xa0\\x80");  // surrogate
  EXPECT_EQ(PlainText("\xE6\xB7"), "\\xe6\\xb7");           // cut off
  EXPECT_EQ(PlainText("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(PlainTextTest, LinesKeepTheirBreaks) {
  EXPECT_EQ(PlainLines("a\x1b\nb\r\n"), "a\\x1b\nb\\r\n");
}

}  // namespace
}  // namespace assay
