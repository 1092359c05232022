#include "devices/emulator.h"

#include <string>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace assay::devices {
namespace {

Device Rpi3b() {
  Device device;
  device.set_name("rpi3b");
  device.mutable_emulator()->set_program("qemu-aarch64");
  device.mutable_emulator()->set_cpu("cortex-a53");
  return device;
}

TEST(EmulatorTest, EmulatedDevicesHaveTheirOwnFingerprint) {
  Device device = Rpi3b();
  const runtime::DeviceFacts facts = EmulatedFacts(device);
  EXPECT_TRUE(facts.emulated);
  EXPECT_TRUE(absl::StartsWith(facts.fingerprint, "emulated-rpi3b-"));
  device.set_target("llvm -mcpu=cortex-a72");
  EXPECT_NE(EmulatedFacts(device).fingerprint, facts.fingerprint);
}

TEST(EmulatorTest, FindsTheEmulator) {
  const auto command = EmulatorCommand(Rpi3b().emulator(), "");
  ASSERT_TRUE(command.ok()) << command.status();
  ASSERT_EQ(command->size(), 3u);
  EXPECT_TRUE(absl::EndsWith((*command)[0], "/qemu-aarch64-static"));
  EXPECT_EQ((*command)[1], "-cpu");
  EXPECT_EQ((*command)[2], "cortex-a53");
}

TEST(EmulatorTest, KnowsTheArchitecture) {
  Emulator emulator;
  emulator.set_program("qemu-arm");
  EXPECT_EQ(EmulatedMachine(emulator), "armhf");
  EXPECT_EQ(EmulatedMachine(Rpi3b().emulator()), "aarch64");
}

}  // namespace
}  // namespace assay::devices
