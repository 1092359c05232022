#include "rpc/server/health/device_state_reader.h"

#include <sys/stat.h>

#include <fstream>
#include <random>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::rpc {
namespace {

constexpr char kPi[] = "/sys/devices/platform/soc/soc:firmware/get_throttled";

class DeviceStateReaderTest : public testing::Test {
 protected:
  void Write(const std::string& path, const std::string& contents) {
    const std::string full = absl::StrCat(root_.path(), path);
    ASSERT_TRUE(MakeDirs(full.substr(0, full.rfind('/'))).ok());
    std::ofstream(full) << contents;
  }
  // The first line of /proc/stat.
  void WriteTicks(int64_t user, int64_t steal) {
    Write("/proc/stat", absl::StrCat("cpu  ", user, " 0 0 0 0 0 0 ", steal,
                                     " 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n"));
  }
  static std::string Cpu(int cpu, const std::string& file) {
    return absl::StrCat("/sys/devices/system/cpu/cpu", cpu, "/", file);
  }
  static std::string Zone(int zone) {
    return absl::StrCat("/sys/class/thermal/thermal_zone", zone, "/temp");
  }

  const TempDir root_ = *TempDir::Create();
};

TEST_F(DeviceStateReaderTest, ReadsABoard) {
  Write(Cpu(0, "cpufreq/scaling_cur_freq"), "600000\n");
  Write(Cpu(1, "cpufreq/scaling_cur_freq"), "1400000\n");
  Write("/sys/devices/system/cpu/cpufreq/scaling_cur_freq", "9000000\n");
  Write(Zone(0), "48312\n");
  Write(Zone(1), "51540\n");
  Write("/proc/loadavg", "0.52 0.58 0.59 1/467 12345\n");
  Write(kPi, "0\n");
  WriteTicks(100, 50);
  DeviceStateReader reader(root_.path());
  const DeviceState first = reader.Read();
  EXPECT_DOUBLE_EQ(first.frequency_mhz(), 1000);
  EXPECT_DOUBLE_EQ(first.temperature_celsius(), 51.54);
  EXPECT_DOUBLE_EQ(first.load(), 0.52);
  EXPECT_TRUE(first.has_throttled());
  EXPECT_FALSE(first.throttled());
  EXPECT_FALSE(first.has_steal_percent());

  WriteTicks(190, 60);
  EXPECT_DOUBLE_EQ(reader.Read().steal_percent(), 10);
  WriteTicks(290, 60);
  const DeviceState third = reader.Read();
  EXPECT_TRUE(third.has_steal_percent());
  EXPECT_DOUBLE_EQ(third.steal_percent(), 0);
}

TEST_F(DeviceStateReaderTest, MissingFilesLeaveFieldsAbsent) {
  DeviceStateReader reader(root_.path());
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(reader.Read().SerializeAsString(), "");
  }
}

TEST_F(DeviceStateReaderTest, ReadsThisMachine) {
  DeviceStateReader reader;
  const DeviceState state = reader.Read();
  EXPECT_TRUE(state.has_load());
  EXPECT_FALSE(state.has_steal_percent());
}

TEST_F(DeviceStateReaderTest, PiReportsWhatIsTheCaseNow) {
  DeviceStateReader reader(root_.path());
  const struct {
    const char* text;
    bool throttled;
  } cases[] = {{"0", false},    {"50000", false}, {"0x50000", false},
               {"50005", true}, {"1\n", true},    {"0x2\n", true},
               {"4", true},     {"8", true},      {"10", false}};
  for (const auto& [text, throttled] : cases) {
    Write(kPi, text);
    const DeviceState state = reader.Read();
    EXPECT_TRUE(state.has_throttled()) << text;
    EXPECT_EQ(state.throttled(), throttled) << text;
  }
}

TEST_F(DeviceStateReaderTest, CountersThatGrowAreThrottling) {
  const std::string core = Cpu(0, "thermal_throttle/core_throttle_count");
  const std::string package = Cpu(1, "thermal_throttle/package_throttle_count");
  Write(core, "7\n");
  Write(package, "9\n");
  DeviceStateReader reader(root_.path());
  EXPECT_FALSE(reader.Read().has_throttled());
  DeviceState state = reader.Read();
  EXPECT_TRUE(state.has_throttled());
  EXPECT_FALSE(state.throttled());
  Write(package, "10\n");
  EXPECT_TRUE(reader.Read().throttled());
  EXPECT_FALSE(reader.Read().throttled());
  // A counter that was reset is no throttling.
  Write(core, "0\n");
  state = reader.Read();
  EXPECT_TRUE(state.has_throttled());
  EXPECT_FALSE(state.throttled());
}

TEST_F(DeviceStateReaderTest, CountersDoNotHideTheFirmware) {
  Write(kPi, "4\n");
  Write(Cpu(0, "thermal_throttle/core_throttle_count"), "0\n");
  DeviceStateReader reader(root_.path());
  EXPECT_TRUE(reader.Read().throttled());
  EXPECT_TRUE(reader.Read().throttled());
}

TEST_F(DeviceStateReaderTest, ValuesThatCannotBeTrueAreAbsent) {
  for (const char* text : {"-1", "nan", "inf", "1e300", "", "one"}) {
    Write(Cpu(0, "cpufreq/scaling_cur_freq"), text);
    Write(Zone(0), absl::StrCat(text, "e9"));
    Write("/proc/loadavg", text);
    Write(kPi, "x");
    Write(Cpu(0, "thermal_throttle/core_throttle_count"), "none");
    Write("/proc/stat", absl::StrCat("cpu ", text, " 0 0 0 0 0 0 0\n"));
    DeviceStateReader reader(root_.path());
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(reader.Read().SerializeAsString(), "") << text;
    }
  }
}

TEST_F(DeviceStateReaderTest, SkipsProcessorsAndSensorsThatFail) {
  Write(Cpu(0, "cpufreq/scaling_cur_freq"), "<unknown>\n");
  Write(Cpu(1, "cpufreq/scaling_cur_freq"), "800000\n");
  Write(Zone(0), "-273000\n");
  Write(Zone(1), "40000\n");
  Write(Zone(2), "9999999\n");
  DeviceStateReader reader(root_.path());
  const DeviceState state = reader.Read();
  EXPECT_DOUBLE_EQ(state.frequency_mhz(), 800);
  EXPECT_DOUBLE_EQ(state.temperature_celsius(), 40);
}

TEST_F(DeviceStateReaderTest, StealTimeIsAShareOfTheTime) {
  WriteTicks(100, 50);
  DeviceStateReader reader(root_.path());
  reader.Read();
  EXPECT_FALSE(reader.Read().has_steal_percent()) << "no tick has passed";
  WriteTicks(200, 40);
  EXPECT_DOUBLE_EQ(reader.Read().steal_percent(), 0);
  Write("/proc/stat", "intr 1 2 3\n");
  EXPECT_FALSE(reader.Read().has_steal_percent());
  WriteTicks(300, 100);
  EXPECT_FALSE(reader.Read().has_steal_percent());
  WriteTicks(300, 200);
  EXPECT_DOUBLE_EQ(reader.Read().steal_percent(), 100);
}

TEST_F(DeviceStateReaderTest, PipesAndFoldersDoNotBlock) {
  ASSERT_TRUE(MakeDirs(root_.path() + Zone(0)).ok());
  ASSERT_TRUE(MakeDirs(root_.path() + "/proc").ok());
  ASSERT_EQ(mkfifo((root_.path() + "/proc/loadavg").c_str(), 0600), 0);
  ASSERT_EQ(mkfifo((root_.path() + "/proc/stat").c_str(), 0600), 0);
  DeviceStateReader reader(root_.path());
  EXPECT_EQ(reader.Read().SerializeAsString(), "");
}

TEST_F(DeviceStateReaderTest, RandomContentsDoNotCrash) {
  std::mt19937 random(1);
  const std::string files[] = {Cpu(0, "cpufreq/scaling_cur_freq"),
                               Zone(0),
                               kPi,
                               "/proc/loadavg",
                               "/proc/stat",
                               Cpu(0, "thermal_throttle/core_throttle_count")};
  for (int round = 0; round < 50; ++round) {
    for (const std::string& file : files) {
      std::string contents = round % 2 == 0 ? "cpu " : "";
      const size_t size = random() % 700;
      while (contents.size() < size) {
        contents += " 0123456789.-ex\n\xff"[random() % 17];
      }
      Write(file, contents);
    }
    DeviceStateReader reader(root_.path());
    reader.Read();
    const DeviceState state = reader.Read();
    EXPECT_GE(state.steal_percent(), 0);
    EXPECT_LE(state.steal_percent(), 100);
    EXPECT_GE(state.load(), 0);
  }
}

}  // namespace
}  // namespace assay::rpc
