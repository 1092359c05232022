#include "runtime/base/process_memory.h"

#include <cstring>
#include <memory>
#include <vector>

#include "gtest/gtest.h"

namespace assay {
namespace {

constexpr int64_t kBlock = 1 << 20;

// Allocates and uses so many bytes.
void Use(int64_t bytes) {
  std::vector<std::unique_ptr<char[]>> blocks;
  for (int64_t used = 0; used < bytes; used += kBlock) {
    blocks.push_back(std::make_unique<char[]>(kBlock));
    std::memset(blocks.back().get(), 1, kBlock);
  }
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ASSAY_OWN_ALLOCATOR
#endif
#endif

TEST(ProcessMemoryDeathTest, TooMuchMemoryIsAUsageErrorOfOneSentence) {
#ifdef ASSAY_OWN_ALLOCATOR
  GTEST_SKIP() << "the allocator of the sanitizer ends the program";
#endif
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      {
        const ScopedMemoryLimit limit(100 * kBlock, "compiling `a\nb`");
        Use(100 * kBlock + kOwnMemory + 2 * kBlock);
      },
      testing::ExitedWithCode(2),
      "^error: compiling `a.nb` needs more memory than the 100 MiB of "
      "--max_memory\n$");
}

TEST(ProcessMemoryTest, WhatIsWithinTheLimitIsAllowed) {
  const ScopedMemoryLimit limit(100 * kBlock, "compiling");
  Use(90 * kBlock);
}

TEST(ProcessMemoryTest, TheLimitEndsWithTheObject) {
  rlimit before, during, after;
  getrlimit(RLIMIT_DATA, &before);
  {
    const ScopedMemoryLimit limit(100 * kBlock, "compiling");
    const ScopedMemoryLimit inner(1, "nothing");
    getrlimit(RLIMIT_DATA, &during);
  }
  getrlimit(RLIMIT_DATA, &after);
  EXPECT_EQ(after.rlim_cur, before.rlim_cur);
  EXPECT_LT(during.rlim_cur, before.rlim_cur);
  EXPECT_GE(during.rlim_cur, static_cast<rlim_t>(100 * kBlock));
}

}  // namespace
}  // namespace assay
