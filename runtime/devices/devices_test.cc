#include "runtime/devices/devices.h"

#include "gtest/gtest.h"
#include "runtime/abi/abi.h"

namespace assay::runtime {
namespace {

TEST(DevicesTest, CreatesDeviceByKindOfCode) {
  const auto device = CreateDevice(ASSAY_CODE_KIND_ELF, 2);
  ASSERT_TRUE(device.ok()) << device.status();
  EXPECT_EQ((*device)->kind(), "cpu");
  EXPECT_EQ((*device)->code_kind(), ASSAY_CODE_KIND_ELF);
  EXPECT_EQ((*device)->num_threads(), 2);
}

TEST(DevicesTest, ReportsErrorOfDevice) {
  EXPECT_FALSE(CreateDevice(ASSAY_CODE_KIND_ELF, -1).ok());
}

TEST(DevicesTest, RejectsUnknownKindOfCode) {
  EXPECT_EQ(CreateDevice("punch cards").status(),
            absl::InvalidArgumentError(
                "no device runs code of kind `punch cards`; there are devices "
                "for `elf`, `bytecode`"));
}

}  // namespace
}  // namespace assay::runtime
