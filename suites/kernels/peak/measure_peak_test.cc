#include "suites/kernels/peak/measure_peak.h"

#include <optional>
#include <string>

#include "compiler/target/target.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "suites/kernels/peak/peak_kernels.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

target::Target Parsed(const std::string& text) {
  const auto target = target::Target::Parse(text);
  EXPECT_TRUE(target.ok()) << target.status();
  return *target;
}

const char* const kMatrixUnit =
    "llvm -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids";
const char* const kByteProducts =
    "llvm -mtriple=x86_64-linux-gnu -mcpu=icelake-server";
const char* const kNeither = "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3";
const char* const kArm = "llvm -mtriple=aarch64-linux-gnu -mcpu=neoverse-n1";

TEST(MeasurePeakTest, BytesAreMultipliedByTheFastestInstruction) {
  EXPECT_THAT(ByteKernelFor(Parsed(kMatrixUnit), 1)->text,
              HasSubstr(" tile_dot4_u8s8("));
  EXPECT_THAT(ByteKernelFor(Parsed(kByteProducts), 1)->text,
              HasSubstr(" dot4_u8s8("));
  EXPECT_THAT(ByteKernelFor(Parsed(kArm), 1)->text, HasSubstr(" dot4_s8s8("));
  EXPECT_FALSE(ByteKernelFor(Parsed(kNeither), 1).has_value());
}

TEST(MeasurePeakTest, OnlyMatrixUnitsMultiplyBFloat16) {
  EXPECT_THAT(BFloat16KernelFor(Parsed(kMatrixUnit), 1)->text,
              HasSubstr(" tile_dot2_bf16("));
  for (const char* target : {kByteProducts, kArm, kNeither}) {
    EXPECT_FALSE(BFloat16KernelFor(Parsed(target), 1).has_value()) << target;
  }
}

}  // namespace
}  // namespace assay::suites
