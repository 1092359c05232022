#include "runtime/base/large/large_bytes.h"

#include <cstdint>
#include <string>
#include <utility>

#include "gtest/gtest.h"

namespace assay {
namespace {

uintptr_t AddressOf(const LargeBytes& bytes) {
  return reinterpret_cast<uintptr_t>(bytes.data());
}

TEST(LargeBytesTest, LargeOnesBeginAtHugePages) {
  for (const size_t size : {kLargeBytes, kLargeBytes + 1, 5 * kLargeBytes}) {
    const LargeBytes bytes(size, 'x');
    EXPECT_EQ(AddressOf(bytes) % kLargeBytes, 0u) << size;
    EXPECT_EQ(bytes.front(), 'x');
    EXPECT_EQ(bytes.back(), 'x');
  }
}

// Sizes around kLargeBytes, where the kind of memory changes.
TEST(LargeBytesTest, GrowsAndShrinksLikeAString) {
  LargeBytes bytes;
  std::string expected;
  for (const size_t size :
       {size_t{0}, size_t{10}, kLargeBytes - 2, kLargeBytes - 1, kLargeBytes,
        3 * kLargeBytes, size_t{100}}) {
    bytes.resize(size, static_cast<char>('a' + size % 7));
    expected.resize(size, static_cast<char>('a' + size % 7));
    bytes.shrink_to_fit();
    EXPECT_TRUE(bytes == LargeBytes(expected.data(), expected.size())) << size;
  }
}

TEST(LargeBytesTest, MovesWithoutCopying) {
  LargeBytes bytes(kLargeBytes, 'x');
  const uintptr_t address = AddressOf(bytes);
  const LargeBytes moved = std::move(bytes);
  EXPECT_EQ(AddressOf(moved), address);
}

}  // namespace
}  // namespace assay
