#include "runtime/measure/device_facts.h"

#include <string>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::runtime {
namespace {

using ::testing::MatchesRegex;

constexpr char kCpuinfo[] =
    "processor\t: 0\nmodel name\t: AMD EPYC 7B13 64-Core Processor @ 2.4GHz\n"
    "microcode\t: 0x1000065\ncpu MHz\t\t: 2449.998\nflags\t\t: fpu sse sse2 "
    "avx avx2 fma nonstop_tsc\n"
    "bogomips\t: 4899.99\n\nprocessor\t: 1\nmodel name\t: other\n";

HostFacts ServerFacts() {
  HostFacts facts;
  facts.machine = "x86_64";
  facts.cpu_model = "AMD EPYC 7B13 64-Core Processor @ 2.4GHz";
  facts.online_cpus = 2;
  facts.memory_bytes = int64_t{8144384} << 10;
  facts.kernel = "6.1.0-18-amd64";
  facts.governor = "schedutil";
  facts.usable_cpus = 2;
  return facts;
}

// A folder with the files of /proc and /sys.
class FakeRoot {
 public:
  FakeRoot() : dir_(TempDir::Create().value()) {
    Set("/proc/cpuinfo", kCpuinfo);
    Set("/sys/devices/system/cpu/smt/active", "1\n");
    const std::string cache = "/sys/devices/system/cpu/cpu0/cache/index";
    const char* const kCaches[][3] = {{"1", "Data", "32K"},
                                      {"1", "Instruction", "32K"},
                                      {"2", "Unified", "512K"}};
    for (int i = 0; i < 3; ++i) {
      Set(cache + std::to_string(i) + "/level", kCaches[i][0]);
      Set(cache + std::to_string(i) + "/type", kCaches[i][1]);
      Set(cache + std::to_string(i) + "/size", kCaches[i][2]);
    }
    Set("/sys/class/thermal/thermal_zone0/temp", "48312\n");
    Set("/proc/stat", "cpu  100 0 50 800 0 0 0 50 7 0\ncpu0 1 2 3\n");
    Set("/proc/loadavg", "0.42 0.40 0.38 1/200 12345\n");
  }

  void Set(const std::string& path, const std::string& text) {
    const std::string full = dir_.path() + path;
    ASSERT_TRUE(MakeDirs(full.substr(0, full.rfind('/'))).ok());
    ASSERT_TRUE(WriteFileAtomic(full, text).ok());
  }

  DeviceFacts Describe(const HostFacts& facts = ServerFacts()) const {
    return DescribeHost(facts, dir_.path());
  }

 private:
  TempDir dir_;
};

TEST(DeviceFactsTest, DescribesAServer) {
  const DeviceFacts e = FakeRoot().Describe();
  EXPECT_EQ(e.identity.at("arch"), "x86_64");
  EXPECT_EQ(e.identity.at("cpu"), "AMD EPYC 7B13 64-Core Processor @ 2.4GHz");
  EXPECT_EQ(e.identity.at("features"), "avx avx2 fma sse sse2");
  EXPECT_EQ(e.identity.at("processors"), "2");
  EXPECT_EQ(e.identity.at("memory"), "8 GiB");
  EXPECT_EQ(e.identity.at("caches"), "L1d 32K, L1i 32K, L2 512K");
  EXPECT_EQ(e.identity.count("board"), 0u);
  EXPECT_THAT(e.fingerprint,
              MatchesRegex("x86_64-amd-epyc-7b13-64-2c-[0-9a-f]{8}"));
  EXPECT_EQ(e.state.at("load"), "0.42");
  EXPECT_EQ(e.state.at("kernel"), "6.1.0-18-amd64");
  EXPECT_EQ(e.state.at("microcode"), "0x1000065");
  EXPECT_EQ(e.state.at("governor"), "schedutil");
  EXPECT_EQ(e.state.at("boost"), "unknown");
  EXPECT_EQ(e.state.at("smt"), "1");
  EXPECT_EQ(e.state.at("usable_processors"), "2");
  EXPECT_EQ(e.state.at("mhz"), "2449.998");
  EXPECT_EQ(e.state.at("temperature"), "48");
  EXPECT_EQ(e.state.at("steal_percent"), "5.00");
}

TEST(DeviceFactsTest, DescribesABoard) {
  FakeRoot root;
  root.Set("/proc/cpuinfo", "Features\t: fp asimd evtstrm crc32 cpuid\n");
  HostFacts facts = ServerFacts();
  facts.machine = "aarch64";
  facts.board = "Raspberry Pi 3 Model B";
  facts.cpu_model = "implementer 0x41 part 0xd03";
  const DeviceFacts e = root.Describe(facts);
  EXPECT_EQ(e.identity.at("board"), "Raspberry Pi 3 Model B");
  EXPECT_EQ(e.identity.at("features"), "asimd");
  EXPECT_TRUE(absl::StartsWith(e.fingerprint,
                               "aarch64-implementer-0x41-part-0xd03-2c-"));
}

// Changes properties that change at a reboot or a kernel update.
TEST(DeviceFactsTest, FingerprintIsStableOverReboots) {
  FakeRoot root;
  const std::string before = root.Describe().fingerprint;
  std::string other = kCpuinfo;
  other.replace(other.find("2449.998"), 8, "2391.004");
  other.replace(other.find("4899.99"), 7, "4900.13");
  other.replace(other.find("fpu "), 4, "fpu ibrs ");
  root.Set("/proc/cpuinfo", other);
  root.Set("/proc/loadavg", "9 9 9 1/1 1\n");
  HostFacts facts = ServerFacts();
  facts.memory_bytes = int64_t{8139776} << 10;
  facts.kernel = "6.12.1";
  facts.governor = "performance";
  facts.usable_cpus = 1;
  EXPECT_EQ(root.Describe(facts).fingerprint, before);
  EXPECT_NE(root.Describe(facts).state, FakeRoot().Describe().state);
}

TEST(DeviceFactsTest, FingerprintDependsOnTheIdentity) {
  const std::string before = FakeRoot().Describe().fingerprint;
  HostFacts facts = ServerFacts();
  facts.cpu_model = "Intel Xeon";
  EXPECT_NE(FakeRoot().Describe(facts).fingerprint, before);
  facts = ServerFacts();
  facts.memory_bytes *= 2;
  EXPECT_NE(FakeRoot().Describe(facts).fingerprint, before);
  facts = ServerFacts();
  facts.online_cpus = 4;
  EXPECT_NE(FakeRoot().Describe(facts).fingerprint, before);
  FakeRoot root;
  root.Set("/proc/cpuinfo", "flags : avx sse sse2\n");
  EXPECT_NE(root.Describe().fingerprint, before);
  FakeRoot bigger;
  bigger.Set("/sys/devices/system/cpu/cpu0/cache/index2/size", "1024K");
  EXPECT_NE(bigger.Describe().fingerprint, before);
}

TEST(DeviceFactsTest, MissingPropertiesAreUnknown) {
  const absl::StatusOr<TempDir> dir = TempDir::Create();
  ASSERT_TRUE(dir.ok());
  const DeviceFacts e = DescribeHost(HostFacts(), dir->path());
  EXPECT_EQ(e.identity.at("cpu"), "unknown");
  EXPECT_EQ(e.identity.at("memory"), "unknown");
  EXPECT_EQ(e.state.at("governor"), "unknown");
  EXPECT_EQ(e.state.at("temperature"), "unknown");
  EXPECT_EQ(e.state.at("steal_percent"), "unknown");
  EXPECT_EQ(e.identity.at("caches"), "unknown");
  EXPECT_THAT(e.fingerprint, MatchesRegex("unknown-unknown-0c-[0-9a-f]{8}"));
}

}  // namespace
}  // namespace assay::runtime
