#include "runtime/device/cpu/cpu_device.h"

#include <memory>

#include "gtest/gtest.h"
#include "runtime/device/conformance.h"
#include "runtime/device/cpu/workspace.h"
#include "runtime/device/testdata/test_kernels.h"

namespace assay::runtime {
namespace {

DeviceUnderTest CpuWith(int threads) {
  return {[=]() -> absl::StatusOr<std::unique_ptr<Device>> {
            return CpuDevice::Create(threads);
          },
          TestKernels};
}

INSTANTIATE_TEST_SUITE_P(OneThread, DeviceConformanceTest,
                         testing::Values(CpuWith(1)));
INSTANTIATE_TEST_SUITE_P(ThreeThreads, DeviceConformanceTest,
                         testing::Values(CpuWith(3)));

TEST(CpuDeviceTest, ReportsKindAndThreads) {
  const auto device = CpuDevice::Create(3);
  ASSERT_TRUE(device.ok()) << device.status();
  EXPECT_EQ((*device)->kind(), "cpu");
  EXPECT_EQ((*device)->num_threads(), 3);
  EXPECT_FALSE(CpuDevice::Create(-1).ok());
}

TEST(CpuDeviceTest, DestructorFreesCachedWorkspaces) {
  auto device = CpuDevice::Create(1);
  ASSERT_TRUE(device.ok()) << device.status();
  const AssayRuntime* runtime = (*device)->runtime();
  void* memory = runtime->workspace_alloc(runtime->context, 1000);
  runtime->workspace_free(runtime->context, memory);
  EXPECT_GT(WorkspaceKeptBytes(), 0u);
  device->reset();
  EXPECT_EQ(WorkspaceKeptBytes(), 0u);
}

}  // namespace
}  // namespace assay::runtime
