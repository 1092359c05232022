#include "suites/devices/local_devices.h"

#include "devices/device.pb.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"

namespace assay::suites {
namespace {

// Tests run in the root of the workspace's runfiles.
std::string DigestOf(const std::string& machine) {
  return Sha256Hex(
      ReadFile("suites/devices/bench_artifact_" + machine).value());
}

TEST(LocalDevicesTest, RuntimeIsTheProgramForTheMachineOfTheDevice) {
  LocalDevices devices("");
  devices::Device device;
  device.mutable_in_process();
  EXPECT_EQ(devices.RuntimeDigest(device), DigestOf("this_machine"));
  device.mutable_emulator()->set_program("qemu-aarch64");
  EXPECT_EQ(devices.RuntimeDigest(device), DigestOf("aarch64"));
  device.mutable_emulator()->set_program("qemu-arm");
  EXPECT_EQ(devices.RuntimeDigest(device), DigestOf("armhf"));
}

}  // namespace
}  // namespace assay::suites
