#include "runtime/device/cpu/host_facts.h"

#include <memory>

#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::runtime {
namespace {

class HostFactsTest : public testing::Test {
 protected:
  HostFactsTest() : dir_(*TempDir::Create()) {}
  void Write(const std::string& path, const std::string& text) {
    const std::string full = JoinPath(dir_.path(), path);
    ASSERT_TRUE(MakeDirs(full.substr(0, full.rfind('/'))).ok());
    ASSERT_TRUE(WriteFileAtomic(full, text).ok());
  }
  TempDir dir_;
};

TEST_F(HostFactsTest, ReadsThisMachine) {
  const HostFacts facts = ReadHostFacts();
  EXPECT_FALSE(facts.machine.empty());
  EXPECT_FALSE(facts.kernel.empty());
  EXPECT_GE(facts.online_cpus, 1);
  EXPECT_GE(facts.usable_cpus, 1);
  EXPECT_GT(facts.memory_bytes, 1 << 20);
  EXPECT_GT(CacheFlushBytes(facts), 0);
}

TEST_F(HostFactsTest, ReadsX86Machine) {
  Write("proc/cpuinfo",
        "processor\t: 0\nmodel\t\t: 85\nmodel name\t: Some CPU @ 2.00GHz\n\n"
        "processor\t: 1\nmodel name\t: Other\n");
  Write("sys/devices/system/cpu/cpu0/cache/index0/size", "32K\n");
  Write("sys/devices/system/cpu/cpu0/cache/index3/size", "36608K\n");
  Write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
        "performance\n");
  const HostFacts facts = ReadHostFacts(dir_.path());
  EXPECT_EQ(facts.cpu_model, "Some CPU @ 2.00GHz");
  EXPECT_EQ(facts.board, "");
  EXPECT_EQ(facts.largest_cache_bytes, 36608 * 1024);
  EXPECT_EQ(facts.governor, "performance");
  EXPECT_EQ(CacheFlushBytes(facts), 2 * 36608 * 1024);
}

TEST_F(HostFactsTest, ReadsArmBoard) {
  Write("proc/cpuinfo",
        "processor\t: 0\nBogoMIPS\t: 38.40\nCPU implementer\t: 0x41\n"
        "CPU architecture: 8\nCPU variant\t: 0x0\nCPU part\t: 0xd03\n");
  Write("proc/device-tree/model",
        std::string("Raspberry Pi 3 Model B Rev 1.2\0", 31));
  const HostFacts facts = ReadHostFacts(dir_.path());
  EXPECT_EQ(facts.cpu_model, "implementer 0x41 part 0xd03");
  EXPECT_EQ(facts.board, "Raspberry Pi 3 Model B Rev 1.2");
}

TEST_F(HostFactsTest, MissingOrMalformedFilesGiveDefaults) {
  const HostFacts facts = ReadHostFacts(dir_.path());
  EXPECT_EQ(facts.cpu_model, "");
  EXPECT_EQ(facts.largest_cache_bytes, 0);
  EXPECT_EQ(CacheFlushBytes(facts), 64 << 20);
  Write("sys/devices/system/cpu/cpu0/cache/index0/size", "lots\n");
  Write("sys/devices/system/cpu/cpu0/cache/index1/size", "-4K\n");
  EXPECT_EQ(ReadHostFacts(dir_.path()).largest_cache_bytes, 0);
}

}  // namespace
}  // namespace assay::runtime
