#include "runtime/device/cpu/workspace.h"

#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::runtime {
namespace {

TEST(WorkspaceTest, AlignsBlocksAndLimitsFragmentation) {
  WorkspaceTrim();
  for (int64_t bytes : {0, 1, 255, 256, 257, 320, 321, 511, 512, 513, 639, 641,
                        100000, 1 << 20, (1 << 20) + 1}) {
    void* memory = WorkspaceAlloc(bytes);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 64, 0u);
    std::memset(memory, 0xa5, static_cast<size_t>(bytes));
    WorkspaceFree(memory);
    const int64_t kept = static_cast<int64_t>(WorkspaceKeptBytes());
    EXPECT_GE(kept, bytes);
    EXPECT_LE(kept, std::max<int64_t>(256, bytes + bytes / 4)) << bytes;
    WorkspaceTrim();
    EXPECT_EQ(WorkspaceKeptBytes(), 0u);
  }
}

TEST(WorkspaceTest, ReusesFreedBlocks) {
  WorkspaceTrim();
  void* a = WorkspaceAlloc(5000);
  void* b = WorkspaceAlloc(5000);
  EXPECT_NE(a, b);
  WorkspaceFree(b);
  WorkspaceFree(a);
  EXPECT_EQ(WorkspaceAlloc(5001), a);
  EXPECT_EQ(WorkspaceAlloc(4999), b);
  EXPECT_EQ(WorkspaceKeptBytes(), 0u);
  WorkspaceFree(a);
  WorkspaceFree(b);
  WorkspaceTrim();
}

TEST(WorkspaceTest, ReturnsNullForImpossibleSizes) {
  EXPECT_EQ(WorkspaceAlloc(-1), nullptr);
  EXPECT_EQ(WorkspaceAlloc(std::numeric_limits<int64_t>::max()), nullptr);
  EXPECT_EQ(WorkspaceAlloc(std::numeric_limits<int64_t>::min()), nullptr);
  EXPECT_EQ(WorkspaceAlloc(int64_t{1} << 42), nullptr);
  WorkspaceFree(nullptr);
}

TEST(WorkspaceTest, AllowsFreeOnAnotherThread) {
  void* memory = WorkspaceAlloc(1000);
  std::thread([&] {
    WorkspaceFree(memory);
    EXPECT_GT(WorkspaceKeptBytes(), 0u);
  }).join();  // the exit of the thread frees the block; LeakSanitizer checks it
}

TEST(WorkspaceTest, LiveBlocksDoNotOverlap) {
  struct Block {
    char* memory;
    size_t bytes;
    char mark;
  };
  Rng rng(3);
  std::vector<Block> live;
  for (int step = 0; step < 5000; ++step) {
    if (live.empty() || rng.UniformInt(0, 1) == 0) {
      const size_t bytes = static_cast<size_t>(rng.UniformInt(1, 3000));
      char* memory = static_cast<char*>(WorkspaceAlloc(bytes));
      const char mark = static_cast<char>(rng.NextU64());
      std::memset(memory, mark, bytes);
      live.push_back({memory, bytes, mark});
    } else {
      const size_t i = static_cast<size_t>(
          rng.UniformInt(0, static_cast<int64_t>(live.size()) - 1));
      for (size_t k = 0; k < live[i].bytes; ++k) {
        ASSERT_EQ(live[i].memory[k], live[i].mark);
      }
      WorkspaceFree(live[i].memory);
      live[i] = live.back();
      live.pop_back();
    }
  }
  for (const Block& block : live) WorkspaceFree(block.memory);
}

}  // namespace
}  // namespace assay::runtime
