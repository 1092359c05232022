#include "ci/bisect/search/cell_code.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace assay::ci {
namespace {

runtime::KernelCall Call(const std::string& kind,
                         const std::vector<std::string>& sources,
                         const std::string& digest) {
  runtime::KernelCall call;
  call.kind = kind;
  call.sources = sources;
  call.code_digest = digest;
  return call;
}

using Calls = std::vector<runtime::KernelCall>;

TEST(DifferentPartsTest, EqualCodeHasNone) {
  const Calls calls = {Call("conv", {"a"}, "1"), Call("layout", {}, "2")};
  EXPECT_TRUE(DifferentParts(calls, calls).empty());
}

TEST(DifferentPartsTest, FindsTheNodesWhoseCodeDiffers) {
  const Calls good = {Call("conv", {"a"}, "1"), Call("relu", {"b"}, "2")};
  const Calls fused = {Call("conv", {"a", "b"}, "3")};
  const auto parts = DifferentParts(good, fused);
  ASSERT_EQ(parts.size(), 1);
  EXPECT_EQ(parts[0].sources, (std::vector<std::string>{"a", "b"}));
}

TEST(CodeOfTest, IsEqualForEqualKernelsOfTheParts) {
  const Calls good = {Call("conv", {"a"}, "1"), Call("relu", {"b"}, "2")};
  const Calls bad = {Call("conv", {"a"}, "9"), Call("relu", {"b"}, "2")};
  const Calls other = {Call("conv", {"a"}, "1"), Call("relu", {"b"}, "7")};
  const auto parts = DifferentParts(good, bad);
  ASSERT_TRUE(CodeOf(parts, good).has_value());
  EXPECT_EQ(CodeOf(parts, good), CodeOf(parts, other));
  EXPECT_NE(CodeOf(parts, good), CodeOf(parts, bad));
}

TEST(CodeOfTest, KernelThatIsCalledTwiceIsOther) {
  const Calls once = {Call("layout", {}, "1")};
  const Calls twice = {Call("layout", {}, "1"), Call("layout", {}, "1")};
  const auto parts = DifferentParts(once, twice);
  ASSERT_EQ(parts.size(), 1);
  EXPECT_EQ(parts[0].kind, "layout");
  EXPECT_NE(CodeOf(parts, once), CodeOf(parts, twice));
}

TEST(CodeOfTest, UnknownDigestIsUnknownCode) {
  const Calls good = {Call("conv", {"a"}, "1")};
  const Calls unknown = {Call("conv", {"a"}, "")};
  const auto parts = DifferentParts(good, unknown);
  EXPECT_FALSE(CodeOf(parts, unknown).has_value());
}

}  // namespace
}  // namespace assay::ci
