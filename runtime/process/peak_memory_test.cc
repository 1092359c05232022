#include "runtime/process/peak_memory.h"

#include <cstring>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::runtime {
namespace {

TEST(PeakMemoryTest, CoversTouchedMemoryAfterItIsFreed) {
  const absl::StatusOr<int64_t> before = PeakResidentBytes();
  ASSERT_TRUE(before.ok()) << before.status();
  constexpr size_t kBytes = size_t{64} << 20;
  {
    std::vector<char> memory(kBytes);
    std::memset(memory.data(), 1, memory.size());
    const volatile char* touched = memory.data();
    EXPECT_EQ(touched[kBytes - 1], 1);
  }
  const absl::StatusOr<int64_t> after = PeakResidentBytes();
  ASSERT_TRUE(after.ok()) << after.status();
  // The system counts pages with a delay, by some pages for each thread.
  EXPECT_GT(*after, static_cast<int64_t>(kBytes) - (4 << 20));
  EXPECT_GE(*after, *before);
}

TEST(PeakMemoryTest, ReadsKilobytes) {
  const TempDir folder = TempDir::Create().value();
  const std::string path = JoinPath(folder.path(), "status");
  ASSERT_TRUE(WriteFileAtomic(path, "Name:\tx\nVmHWM:\t  12 kB\n").ok());
  EXPECT_EQ(PeakResidentBytes(path).value(), 12 * 1024);
  for (const char* text :
       {"", "Name:\tx\n", "VmHWM:\tmany kB\n", "VmHWM:\t-3 kB\n",
        "VmHWM: 99999999999999999 kB\n"}) {
    ASSERT_TRUE(WriteFileAtomic(path, text).ok());
    EXPECT_TRUE(absl::IsUnimplemented(PeakResidentBytes(path).status()))
        << text;
  }
  EXPECT_TRUE(absl::IsUnimplemented(
      PeakResidentBytes(JoinPath(folder.path(), "none")).status()));
}

}  // namespace
}  // namespace assay::runtime
