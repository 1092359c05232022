#include "suites/kernels/code_digest_file.h"

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

TEST(CodeDigestFileTest, ParsesWhatItFormats) {
  const CodeDigests digests = {{"m,llvm -mattr=+a,+b,on,0,conv", "12ab"},
                               {"m,llvm,off,1,relu", "34cd"}};
  const std::string text = FormatCodeDigests(digests);
  EXPECT_EQ(text,
            "model,target,fusion,call,kernel,code\n"
            "m,llvm -mattr=+a,+b,on,0,conv,12ab\n"
            "m,llvm,off,1,relu,34cd\n");
  const auto parsed = ParseCodeDigests(text);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(*parsed, digests);
}

TEST(CodeDigestFileTest, TheFirstLineMustBeTheHeader) {
  for (const char* text :
       {"", "m,llvm,off,1,relu,34cd\n", "model,target,call,kernel,code\n",
        "m,llvm,off,1,relu,34cd\nmodel,target,fusion,call,kernel,code\n"}) {
    EXPECT_EQ(ParseCodeDigests(text).status().message(),
              "the first line is not `model,target,fusion,call,kernel,code`")
        << text;
  }
}

TEST(CodeDigestFileTest, EachLineMustHaveADigest) {
  EXPECT_EQ(ParseCodeDigests("model,target,fusion,call,kernel,code\nodd\n")
                .status()
                .message(),
            "the line `odd` has no digest of a kernel");
}

}  // namespace
}  // namespace assay::suites
