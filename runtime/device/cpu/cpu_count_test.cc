#include "runtime/device/cpu/cpu_count.h"

#include <sched.h>

#include <string>

#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::runtime {
namespace {

class CgroupTest : public testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<TempDir> dir = TempDir::Create();
    ASSERT_TRUE(dir.ok()) << dir.status();
    dir_ = std::make_unique<TempDir>(*std::move(dir));
  }
  void Write(const std::string& path, const std::string& text) {
    const std::string full = JoinPath(dir_->path(), path);
    ASSERT_TRUE(MakeDirs(full.substr(0, full.rfind('/'))).ok());
    ASSERT_TRUE(WriteFileAtomic(full, text).ok());
  }
  std::optional<double> Quota() { return CgroupCpuQuota(dir_->path()); }

  std::unique_ptr<TempDir> dir_;
};

TEST_F(CgroupTest, TreatsMissingOrMalformedFilesAsUnlimited) {
  EXPECT_EQ(Quota(), std::nullopt);
  Write("proc/self/cgroup", "0::/a\n");
  EXPECT_EQ(Quota(), std::nullopt);
  Write("sys/fs/cgroup/a/cpu.max", "max 100000\n");
  EXPECT_EQ(Quota(), std::nullopt);
  Write("sys/fs/cgroup/a/cpu.max", "gibberish\n");
  EXPECT_EQ(Quota(), std::nullopt);
}

TEST_F(CgroupTest, Version2TakesTheMinimumOverAncestors) {
  Write("proc/self/cgroup", "0::/a/b\n");
  Write("sys/fs/cgroup/a/b/cpu.max", "400000 100000\n");
  EXPECT_EQ(Quota(), 4.0);
  Write("sys/fs/cgroup/a/cpu.max", "150000 100000\n");
  EXPECT_EQ(Quota(), 1.5);
  Write("sys/fs/cgroup/a/b/cpu.max", "50000 100000\n");
  EXPECT_EQ(Quota(), 0.5);
}

TEST_F(CgroupTest, ReadsContainerLimitFromTheRootOfTheMount) {
  Write("proc/self/cgroup", "0::/\n");
  Write("sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(Quota(), 2.0);
  Write("proc/self/cgroup", "0::/docker/not/visible/here\n");
  EXPECT_EQ(Quota(), 2.0);
}

TEST_F(CgroupTest, Version1ReadsTheCpuHierarchy) {
  Write("proc/self/cgroup",
        "12:memory:/m\n3:cpu,cpuacct:/job\n1:name=systemd:/\n");
  Write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
  Write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(Quota(), std::nullopt);
  Write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "250000\n");
  EXPECT_EQ(Quota(), 2.5);
  Write("sys/fs/cgroup/memory/m/cpu.max", "1 100000\n");
  EXPECT_EQ(Quota(), 2.5);
}

TEST_F(CgroupTest, Version1ReadsTheMountNamedCpu) {
  Write("proc/self/cgroup", "3:cpu:/\n");
  Write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000\n");
  Write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "50000\n");
  EXPECT_EQ(Quota(), 2.0);
}

TEST(UsableCpuCountTest, FollowsTheAffinityMask) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  EXPECT_GE(UsableCpuCount(), 1);
  EXPECT_LE(UsableCpuCount(), CPU_COUNT(&before));

  cpu_set_t one;
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &before)) {
      CPU_SET(cpu, &one);
      break;
    }
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(UsableCpuCount(), 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
}

}  // namespace
}  // namespace assay::runtime
