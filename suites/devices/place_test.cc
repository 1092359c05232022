#include "suites/devices/place.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

// The place of a device whose target has these options.
Place PlaceOf(const std::string& options, int threads) {
  devices::Device device;
  device.set_name("board");
  device.set_target("llvm -mtriple=aarch64-linux-gnu" + options);
  return ResolvePlace(device, "fingerprint", threads).value();
}

TEST(PlaceTest, TheTargetSaysHowManyCoresThereAre) {
  const Place place = PlaceOf(" -num-cores=3", 0);
  EXPECT_EQ(place.target.num_cores(), 3);
  EXPECT_EQ(place.threads, 3);
  EXPECT_EQ(PlaceOf(" -num-cores=3", 2).target.num_cores(), 3);
  EXPECT_EQ(PlaceOf(" -num-cores=3", 2).threads, 2);
}

TEST(PlaceTest, OtherwiseThereIsOneCoreForEachThread) {
  EXPECT_EQ(PlaceOf("", 2).target.num_cores(), 2);
  EXPECT_EQ(PlaceOf("", 0).target.num_cores(), 0);
  EXPECT_EQ(PlaceOf("", 0).threads, 0);
}

TEST(PlaceTest, ErrorsOfTheTargetNameTheDevice) {
  devices::Device device;
  device.set_name("host");
  device.set_target("llvm -mcpu=nosuch -frobnicate");
  EXPECT_THAT(std::string(ResolvePlace(device, "", 1).status().message()),
              HasSubstr("the target of device `host`: "));
}

}  // namespace
}  // namespace assay::suites
