// The behaviour every device must show, as a Google Test suite. A device's
// own test instantiates it with a factory and the code of the test kernels
// (testdata/test_kernels.c) compiled for it:
//
//   INSTANTIATE_TEST_SUITE_P(Cpu, DeviceConformanceTest,
//                            testing::Values(DeviceUnderTest{MakeCpu, Code}));
//
// If the factory returns Unavailable, the machine has no such device and the
// tests are skipped. Any other error fails them.
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

  // A buffer of `bytes`; fails the test if there is none.
  std::unique_ptr<Buffer> Allocate(int64_t bytes);
  std::unique_ptr<Module> LoadKernels();

  std::unique_ptr<Device> device_;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CONFORMANCE_H_
