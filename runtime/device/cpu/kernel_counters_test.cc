#include "runtime/device/cpu/kernel_counters.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::runtime {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class KernelCountersTest : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const {
    return JoinPath(dir_.path(), name);
  }
  void Write(const std::string& name, const std::string& text) const {
    const std::string path = Path(name);
    ASSERT_TRUE(MakeDirs(path.substr(0, path.rfind('/'))).ok());
    ASSERT_TRUE(WriteFileAtomic(path, text).ok());
  }

  const TempDir dir_ = TempDir::Create().value();
};

TEST_F(KernelCountersTest, ReadsTheStartOfAFile) {
  Write("one", " 5\n");
  Write("long", std::string(600, 'x'));
  EXPECT_EQ(ReadStart(Path("one")), "5");
  EXPECT_EQ(ReadStart(Path("long")).size(), 512u);
  EXPECT_EQ(ReadStart(Path("none")), "");
}

TEST_F(KernelCountersTest, ListsNumberedEntries) {
  for (const char* name : {"cpu1", "cpu0", "cpu", "cpufreq", "cpu2x", "7"}) {
    Write(name, "");
  }
  EXPECT_THAT(NumberedEntries(dir_.path(), "cpu"),
              ElementsAre(Path("cpu0"), Path("cpu1")));
  EXPECT_THAT(NumberedEntries(dir_.path(), ""), ElementsAre(Path("7")));
  EXPECT_EQ(NumberedEntries(dir_.path(), "cpu", 1).size(), 1u);
  EXPECT_THAT(NumberedEntries(Path("none"), "cpu"), IsEmpty());
}

TEST_F(KernelCountersTest, ParsesTicks) {
  const auto ticks =
      ParseCpuTicks("cpu  1 20 300 4000 50000 2 3 4 9 9\ncpu0 1 2\n");
  ASSERT_TRUE(ticks.has_value());
  EXPECT_EQ(ticks->all, 54330);
  EXPECT_EQ(ticks->busy, 326);
  EXPECT_EQ(ticks->steal, 4);
  for (const char* text :
       {"", "cpu 1 2 3", "cpu 1 2 3 4 5 6 7 x", "intr 1 2 3 4 5 6 7 8"}) {
    EXPECT_FALSE(ParseCpuTicks(text).has_value()) << text;
  }
}

TEST_F(KernelCountersTest, NamesThrottleCounters) {
  Write("sys/devices/system/cpu/cpu3/online", "1");
  const std::string folder =
      Path("sys/devices/system/cpu/cpu3/thermal_throttle/");
  EXPECT_THAT(ThrottleCounters(dir_.path()),
              ElementsAre(folder + "core_throttle_count",
                          folder + "package_throttle_count"));
}

}  // namespace
}  // namespace assay::runtime
