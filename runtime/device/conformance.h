// DeviceConformanceTest: a Google Test suite that checks the behaviour that is
// required of every device. The test of a device instantiates the suite with a
// function that creates the device and a function that returns the kernels of
// testdata/test_kernels.c in the kind of code that the device runs:
//
//   INSTANTIATE_TEST_SUITE_P(Cpu, DeviceConformanceTest,
//                            testing::Values(DeviceUnderTest{MakeCpu, Code}));
//
// If DeviceUnderTest::make returns Unavailable, the machine has no such device
// and the tests are skipped. If it returns another error, the tests fail.
#ifndef ASSAY_RUNTIME_DEVICE_CONFORMANCE_H_
#define ASSAY_RUNTIME_DEVICE_CONFORMANCE_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "runtime/device/device.h"

namespace assay::runtime {

struct DeviceUnderTest {
  std::function<absl::StatusOr<std::unique_ptr<Device>>()> make;
  std::function<std::string()> code;
};

class DeviceConformanceTest : public testing::TestWithParam<DeviceUnderTest> {
 protected:
  void SetUp() override;

  // Allocates a buffer of `bytes` bytes. The test fails if the device returns
  // an error.
  std::unique_ptr<Buffer> Allocate(int64_t bytes);
  std::unique_ptr<Module> LoadKernels();

  std::unique_ptr<Device> device_;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CONFORMANCE_H_
