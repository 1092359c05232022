#include "suites/machine/disturbance.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::suites {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The files of a machine with two processors, on which this process is number
// 10, and its child is number 11.
class DisturbanceTest : public ::testing::Test {
 protected:
  DisturbanceTest() : root_(JoinPath(std::getenv("TEST_TMPDIR"), "machine")) {
    Run({});
  }
  ~DisturbanceTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }

  // Ticks since boot.
  struct Ticks {
    int own = 0, child = 0, others = 0, steal = 0, idle = 0;
  };
  void Run(const Ticks& ticks) {
    Write("proc/stat",
          absl::StrCat("cpu  ", ticks.own + ticks.child, " 0 ", ticks.others,
                       " ", ticks.idle, " 0 0 0 ", ticks.steal,
                       " 0 0\ncpu0 1 2 3\ncpu1 1 2 3\nintr 5\n"));
    WriteProcess(10, 1, ticks.own);
    WriteProcess(11, 10, ticks.child);
    WriteProcess(12, 1, ticks.others);
  }
  void WriteProcess(int pid, int parent, int ticks) {
    Write(absl::StrCat("proc/", pid, "/stat"),
          absl::StrCat(pid, " (a (strange) name) R ", parent,
                       " 1 1 0 -1 0 0 0 0 0 ", ticks, " 0 0 0 20 0"));
  }
  void Write(const std::string& path, const std::string& text) {
    const std::string full = JoinPath(root_, path);
    ASSERT_TRUE(MakeDirs(full.substr(0, full.rfind('/'))).ok());
    ASSERT_TRUE(WriteFileAtomic(full, text).ok());
  }

  const std::string root_;
};

TEST_F(DisturbanceTest, IdleMachineDoesNotDisturb) {
  const DisturbanceMeter meter(2, 2, root_, 10);
  Run({.own = 100, .child = 60, .others = 3, .idle = 237});
  EXPECT_THAT(meter.Stop(), IsEmpty());
}

TEST_F(DisturbanceTest, OtherProgramsDisturb) {
  const DisturbanceMeter meter(2, 2, root_, 10);
  Run({.own = 80, .child = 20, .others = 280, .idle = 20});
  EXPECT_THAT(meter.Stop(),
              ElementsAre("other programs used 1.4 of 2 processors"));
}

TEST_F(DisturbanceTest, StealDisturbs) {
  const DisturbanceMeter meter(2, 2, root_, 10);
  Run({.own = 160, .steal = 40, .idle = 200});
  EXPECT_THAT(meter.Stop(), ElementsAre("the host gave 10 % of the time to "
                                        "other machines"));
}

TEST_F(DisturbanceTest, ShortIntervalSaysNothingAboutShares) {
  const DisturbanceMeter meter(2, 2, root_, 10);
  Run({.others = 20, .idle = 20});
  EXPECT_THAT(meter.Stop(), IsEmpty());
}

TEST_F(DisturbanceTest, HotProcessorsDisturb) {
  const std::string counter =
      "sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count";
  Write(counter, "5\n");
  const DisturbanceMeter meter(2, 2, root_, 10);
  Write(counter, "7\n");
  EXPECT_THAT(meter.Stop(),
              ElementsAre("processors were too hot and lowered their clock "
                          "rate 2 times"));
}

TEST_F(DisturbanceTest, GovernorThatKeepsTheClockRateLowDisturbs) {
  const std::string folder = "sys/devices/system/cpu/cpu0/cpufreq/";
  Write(absl::StrCat(folder, "scaling_governor"), "powersave\n");
  Write(absl::StrCat(folder, "scaling_driver"), "acpi-cpufreq\n");
  const DisturbanceMeter meter(2, 2, root_, 10);
  EXPECT_THAT(meter.Stop(),
              ElementsAre("the frequency governor is `powersave`"));
  Write(absl::StrCat(folder, "scaling_driver"), "intel_pstate\n");
  EXPECT_THAT(meter.Stop(), IsEmpty());
}

TEST_F(DisturbanceTest, MoreThreadsThanProcessorsDisturb) {
  const DisturbanceMeter meter(2, 1, root_, 10);
  EXPECT_THAT(meter.Stop(), ElementsAre("2 threads shared 1 processor"));
}

TEST_F(DisturbanceTest, MachineThatReportsNothingHasNoDisturbance) {
  const DisturbanceMeter meter(2, 2, JoinPath(root_, "none"), 10);
  EXPECT_THAT(meter.Stop(), IsEmpty());
}

}  // namespace
}  // namespace assay::suites
