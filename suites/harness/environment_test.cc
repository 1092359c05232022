#include "suites/harness/environment.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::suites {
namespace {

using ::testing::MatchesRegex;

constexpr char kServer[] =
    "processor\t: 0\nmodel name\t: AMD EPYC 7B13 64-Core Processor @ 2.4GHz\n"
    "cpu MHz\t\t: 2449.998\nflags\t\t: fpu sse sse2 avx avx2 fma nonstop_tsc\n"
    "bogomips\t: 4899.99\n\nprocessor\t: 1\nmodel name\t: other\n";

constexpr char kBoard[] =
    "processor\t: 0\nBogoMIPS\t: 38.40\n"
    "Features\t: fp asimd evtstrm crc32 cpuid\n"
    "CPU implementer\t: 0x41\nCPU part\t: 0xd03\n";

// A folder that looks like the root of a machine.
class FakeRoot {
 public:
  FakeRoot() : dir_(TempDir::Create().value()) {
    Set("/proc/cpuinfo", kServer);
    Set("/proc/meminfo", "MemTotal:       8144384 kB\nMemFree: 12 kB\n");
    Set("/sys/devices/system/cpu/online", "0-1\n");
    Set("/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
    Set("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "schedutil\n");
    Set("/proc/loadavg", "0.42 0.40 0.38 1/200 12345\n");
  }

  void Set(const std::string& path, const std::string& text) {
    const std::string full = dir_.path() + path;
    ASSERT_TRUE(MakeDirs(full.substr(0, full.rfind('/'))).ok());
    ASSERT_TRUE(WriteFileAtomic(full, text).ok());
  }

  reports::Environment Describe() const {
    return DescribeMachine({"x86_64", 2}, dir_.path());
  }

 private:
  TempDir dir_;
};

TEST(EnvironmentTest, DescribesAServer) {
  const reports::Environment e = FakeRoot().Describe();
  EXPECT_EQ(e.identity.at("arch"), "x86_64");
  EXPECT_EQ(e.identity.at("cpu"), "AMD EPYC 7B13 64-Core Processor @ 2.4GHz");
  EXPECT_EQ(e.identity.at("features"), "avx avx2 fma sse sse2");
  EXPECT_EQ(e.identity.at("processors"), "2");
  EXPECT_EQ(e.identity.at("memory"), "8 GiB");
  EXPECT_THAT(e.fingerprint,
              MatchesRegex("x86_64-amd-epyc-7b13-64-2c-[0-9a-f]{8}"));
  EXPECT_EQ(e.state.at("load"), "0.42");
  EXPECT_EQ(ComparableState(e),
            "kernel=6.1.0-18-amd64 governor=schedutil boost=unknown "
            "smt=unknown usable_processors=2");
}

TEST(EnvironmentTest, DescribesABoard) {
  FakeRoot root;
  root.Set("/proc/cpuinfo", kBoard);
  root.Set("/proc/device-tree/model",
           std::string("Raspberry Pi 3 Model B\0", 23));
  const reports::Environment e = root.Describe();
  EXPECT_EQ(e.identity.at("cpu"), "Raspberry Pi 3 Model B part 0x41:0xd03");
  EXPECT_EQ(e.identity.at("features"), "asimd");
}

// What changes from boot to boot, or with a kernel update.
TEST(EnvironmentTest, TheFingerprintIsStable) {
  FakeRoot root;
  const std::string before = root.Describe().fingerprint;
  std::string other = kServer;
  other.replace(other.find("2449.998"), 8, "2391.004");
  other.replace(other.find("4899.99"), 7, "4900.13");
  other.replace(other.find("fpu "), 4, "fpu ibrs ");
  root.Set("/proc/cpuinfo", other);
  root.Set("/proc/meminfo", "MemTotal:       8139776 kB\n");
  root.Set("/proc/sys/kernel/osrelease", "6.12.1\n");
  root.Set("/proc/loadavg", "9 9 9 1/1 1\n");
  EXPECT_EQ(root.Describe().fingerprint, before);
}

TEST(EnvironmentTest, TheFingerprintIsSensitive) {
  const std::string before = FakeRoot().Describe().fingerprint;
  const std::pair<const char*, std::string> kChanges[] = {
      {"/proc/cpuinfo", "model name : Intel Xeon\nflags : avx avx2 fma sse\n"},
      {"/proc/cpuinfo",
       "model name : AMD EPYC 7B13 64-Core Processor @ 2.4GHz\nflags : avx\n"},
      {"/proc/meminfo", "MemTotal: 16277504 kB\n"},
      {"/sys/devices/system/cpu/online", "0-3\n"},
  };
  for (const auto& [path, text] : kChanges) {
    FakeRoot root;
    root.Set(path, text);
    EXPECT_NE(root.Describe().fingerprint, before) << text;
  }
}

TEST(EnvironmentTest, AnEmptyRootIsUnknownNotAnError) {
  const absl::StatusOr<TempDir> dir = TempDir::Create();
  ASSERT_TRUE(dir.ok());
  const reports::Environment e = DescribeMachine({"riscv64", 1}, dir->path());
  EXPECT_EQ(e.identity.at("cpu"), "unknown");
  EXPECT_EQ(e.identity.at("memory"), "unknown");
  EXPECT_THAT(e.fingerprint,
              MatchesRegex("riscv64-unknown-unknownc-[0-9a-f]{8}"));
}

TEST(EnvironmentTest, ThisMachineHasAProcessor) {
  EXPECT_GE(ThisMachine().usable_processors, 1);
  EXPECT_NE(ThisMachine().arch, "unknown");
}

TEST(EnvironmentTest, AnEmulatedDeviceIsNobodysMachine) {
  devices::Device device;
  device.set_name("rpi3b");
  const std::string fingerprint = EmulatedFingerprint(device);
  EXPECT_TRUE(absl::StartsWith(fingerprint, "emulated-rpi3b-"));
  device.set_target("llvm -mcpu=cortex-a72");
  EXPECT_NE(EmulatedFingerprint(device), fingerprint);
}

}  // namespace
}  // namespace assay::suites
