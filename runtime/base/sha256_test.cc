#include "runtime/base/sha256.h"

#include <string>

#include "gtest/gtest.h"

namespace assay {
namespace {

// The test vectors published with FIPS 180-4.
TEST(Sha256Test, MatchesPublishedTestVectors) {
  EXPECT_EQ(Sha256Hex(""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Hex("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256Hex(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256Test, IncrementalDigestEqualsDigestOfTheWhole) {
  const std::string text(300, 'q');
  for (size_t cut : {0, 1, 63, 64, 65, 299, 300}) {
    Sha256 hash;
    hash.Update(absl::string_view(text).substr(0, cut));
    hash.Update(absl::string_view(text).substr(cut));
    EXPECT_EQ(HexOf(hash.Finish()), Sha256Hex(text)) << cut;
  }
}

TEST(Sha256Test, RecognizesDigests) {
  const std::string digest = Sha256Hex("abc");
  EXPECT_TRUE(IsSha256Hex(digest));
  EXPECT_TRUE(
      IsSha256Hex("0123456789abcdef0123456789abcdef"
                  "0123456789abcdef0123456789abcdef"));
  EXPECT_FALSE(IsSha256Hex(""));
  EXPECT_FALSE(IsSha256Hex(digest.substr(1)));
  EXPECT_FALSE(IsSha256Hex(digest + "0"));
  for (char c : {'A', 'F', 'g', '`', '/', ':', '@', '.', ' ', '\n', '\0'}) {
    std::string changed = digest;
    changed[63] = c;
    EXPECT_FALSE(IsSha256Hex(changed)) << changed;
  }
}

TEST(Sha256DeathTest, RejectsSecondFinish) {
  Sha256 hash;
  hash.Finish();
  EXPECT_DEATH(hash.Finish(), "Finish called twice");
}

}  // namespace
}  // namespace assay
