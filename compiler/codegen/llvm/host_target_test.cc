#include "compiler/codegen/llvm/host_target.h"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "compiler/codegen/llvm/target_machine.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "runtime/device/cpu/matrix_unit.h"

namespace assay::codegen {
namespace {

using ::testing::HasSubstr;

TEST(HostTargetTest, IsKnownToLlvmAndRoundTrips) {
  const auto host = HostTarget();
  ASSERT_TRUE(host.ok()) << host.status();
  RecordProperty("host", host->ToString());
  const auto machine = CreateTargetMachine(*host, 3);
  EXPECT_TRUE(machine.ok()) << machine.status();
  const auto again = target::Target::Parse(host->ToString());
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(*again, *host);
}

// Compares with the features reported by the operating system.
TEST(HostTargetTest, VectorWidthMatchesCpuinfo) {
  const auto host = HostTarget();
  ASSERT_TRUE(host.ok()) << host.status();
  if (host->arch() != target::Arch::kX86_64) GTEST_SKIP() << *host;
  std::ostringstream text;
  text << std::ifstream("/proc/cpuinfo").rdbuf();
  if (!absl::StrContains(text.str(), "flags")) GTEST_SKIP() << "no cpuinfo";
  const auto has = [&](const std::string& flag) {
    return absl::StrContains(text.str(), " " + flag + " ");
  };
  EXPECT_EQ(host->vector_bits(), has("avx512f") ? 512 : has("avx") ? 256 : 128);
  EXPECT_EQ(host->fma(), has("fma")) << *host;
}

// The target has a matrix unit if the processor has one and the operating
// system grants its use.
TEST(HostTargetTest, MatrixUnitNeedsPermission) {
  const auto host = HostTarget();
  ASSERT_TRUE(host.ok()) << host.status();
  std::ostringstream text;
  text << std::ifstream("/proc/cpuinfo").rdbuf();
  for (const std::string type : {"bf16", "int8"}) {
    EXPECT_EQ(host->HasFeature("amx-" + type),
              absl::StrContains(text.str(), " amx_" + type + " ") &&
                  runtime::EnableMatrixUnit())
        << *host;
  }
}

TEST(TargetMachineTest, RejectsUnknownNames) {
  const auto error = [](absl::string_view text) {
    const auto target = target::Target::Parse(text);
    EXPECT_TRUE(target.ok()) << target.status();
    return std::string(CreateTargetMachine(*target, 3).status().message());
  };
  EXPECT_THAT(error("llvm -mtriple=x86_64-linux-gnu -mcpu=cortex-a53"),
              HasSubstr("`-mcpu=cortex-a53` is not a processor that LLVM "
                        "knows for `x86_64-linux-gnu`"));
  EXPECT_THAT(error("llvm -mtriple=aarch64-linux-gnu -mattr=+avx2"),
              HasSubstr("`+avx2` in `-mattr` is not a feature"));
}

// Every processor of the table is known to LLVM, with the same features.
TEST(TargetMachineTest, TableAgreesWithLlvm) {
  for (const target::CpuRow& row : target::CpuTable()) {
    const char* triple = row.arch == target::Arch::kX86_64 ? "x86_64-linux-gnu"
                         : row.arch == target::Arch::kAArch64
                             ? "aarch64-linux-gnu"
                             : "arm-linux-gnueabihf";
    target::TargetSpec spec;
    spec.triple = triple;
    spec.cpu = row.name;
    const auto target = target::Target::Make(spec);
    ASSERT_TRUE(target.ok()) << target.status();
    const auto machine = CreateTargetMachine(*target, 3);
    ASSERT_TRUE(machine.ok()) << machine.status();
    const llvm::MCSubtargetInfo& info = *(*machine)->getMCSubtargetInfo();
    const std::vector<std::string> features =
        row.arch == target::Arch::kX86_64
            ? std::vector<std::string>{"sse4.1",   "sse4.2",   "avx",
                                       "avx2",     "fma",      "f16c",
                                       "avx512f",  "avx512vl", "avx512vnni",
                                       "amx-tile", "amx-bf16", "amx-int8"}
        : row.arch == target::Arch::kAArch64
            ? std::vector<std::string>{"neon", "dotprod", "fullfp16"}
            : std::vector<std::string>{"neon", "vfp4", "fp-armv8"};
    for (const std::string& feature : features) {
      EXPECT_EQ(target->HasFeature(feature), info.checkFeatures("+" + feature))
          << row.name << " " << triple << " " << feature;
    }
  }
}

}  // namespace
}  // namespace assay::codegen
