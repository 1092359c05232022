#include "runtime/tools/count/line_set.h"

#include <cstdint>
#include <set>

#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::runtime {
namespace {

TEST(LineSetTest, CountsEachLineOnce) {
  LineSet lines;
  lines.Add(0, 1);
  lines.Add(63, 1);
  EXPECT_EQ(lines.size(), 1u);
  lines.Add(64, 8);
  lines.Add(0, 8);
  lines.Add(127, 1);
  EXPECT_EQ(lines.size(), 2u);
}

TEST(LineSetTest, AccessAcrossABoundaryHasTwoLines) {
  LineSet lines;
  lines.Add(60, 8);
  EXPECT_EQ(lines.size(), 2u);
  lines.Add(64, 8);
  EXPECT_EQ(lines.size(), 2u);
}

TEST(LineSetTest, ClearRemovesAllLines) {
  LineSet lines;
  lines.Add(0, 8);
  lines.Clear();
  EXPECT_EQ(lines.size(), 0u);
  lines.Add(0, 8);
  EXPECT_EQ(lines.size(), 1u);
}

TEST(LineSetTest, AgreesWithStdSet) {
  LineSet lines;
  std::set<uint64_t> expected;
  Rng rng(1);
  for (int i = 0; i < 100000; ++i) {
    // Addresses of a small and of a large range, up to the top of the memory.
    const uint64_t draw = rng.NextU64();
    const uint64_t address = i % 2 == 0 ? draw % (1 << 20) : draw >> 1;
    lines.Add(address, 8);
    expected.insert(address / kLineBytes);
    expected.insert((address + 7) / kLineBytes);
  }
  EXPECT_EQ(lines.size(), expected.size());
}

}  // namespace
}  // namespace assay::runtime
