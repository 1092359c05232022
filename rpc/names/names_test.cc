#include "rpc/names/names.h"

#include <string>

#include "gtest/gtest.h"

namespace assay::rpc {
namespace {

TEST(NamesTest, HaveFewCharacters) {
  for (const std::string& name :
       {std::string("a"), std::string("rack1-03"), std::string("A.b_c-9"),
        std::string("..a"), std::string(64, 'x')}) {
    EXPECT_TRUE(IsName(name)) << name;
    EXPECT_TRUE(CheckName("key", name).ok()) << name;
  }
  for (const char* name : {"", ".", "..", "a/b", "../x", "a b", "a\n", "ä", "`",
                           "a;b", "$HOME", "a\\b", "<b>"}) {
    EXPECT_FALSE(IsName(name)) << name;
    EXPECT_TRUE(absl::IsInvalidArgument(CheckName("key", name))) << name;
  }
  EXPECT_FALSE(IsName(std::string(65, 'x')));
  EXPECT_FALSE(IsName(std::string("a\0b", 3)));
}

TEST(NamesTest, ErrorsQuoteTheText) {
  EXPECT_EQ(CheckName("key", "a\nb").message(),
            "the key `a\\nb` is not a name of 1 to 64 letters, digits and "
            "characters of `._-`");
  EXPECT_LT(CheckName("key", std::string(1 << 20, '\n')).message().size(),
            400u);
}

}  // namespace
}  // namespace assay::rpc
