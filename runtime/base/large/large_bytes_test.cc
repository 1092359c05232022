#include "runtime/base/large/large_bytes.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

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

// Number of bytes of [data, data + bytes) in pages that are in memory.
size_t ResidentBytes(const char* data, size_t bytes) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> pages((bytes + page - 1) / page);
  EXPECT_EQ(mincore(const_cast<char*>(data), bytes, pages.data()), 0);
  size_t resident = 0;
  for (const unsigned char is_in : pages) resident += is_in & 1 ? page : 0;
  return resident;
}

TEST(LargeBytesTest, ShorteningReturnsMemoryToTheSystem) {
  for (const size_t size : {kLargeBytes + 100, size_t{100}, size_t{0}}) {
    LargeBytes bytes(5 * kLargeBytes, 'x');
    const char* const data = bytes.data();
    EXPECT_EQ(ResidentBytes(data, 5 * kLargeBytes), 5 * kLargeBytes);
    Shorten(&bytes, size);
    EXPECT_EQ(bytes.data(), data);
    EXPECT_TRUE(bytes == LargeBytes(size, 'x')) << size;
    EXPECT_LE(ResidentBytes(data, 5 * kLargeBytes), size + (1 << 16)) << size;
    bytes.resize(2 * kLargeBytes, 'y');
    EXPECT_EQ(bytes.back(), 'y');
  }
}

TEST(LargeBytesTest, ShortensShortOnesToo) {
  LargeBytes bytes = "abcdef";
  Shorten(&bytes, 3);
  EXPECT_EQ(bytes, "abc");
}

}  // namespace
}  // namespace assay
