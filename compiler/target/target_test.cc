#include "compiler/target/target.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::target {
namespace {

using ::testing::HasSubstr;

Target MustParse(absl::string_view text) {
  absl::StatusOr<Target> target = Target::Parse(text);
  EXPECT_TRUE(target.ok()) << target.status();
  return *target;
}

TEST(TargetTest, RoundTrips) {
  for (const char* text : {
           "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3",
           "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a53 -mattr=+neon",
           "llvm -mtriple=arm-linux-gnueabihf -mcpu=cortex-a9 "
           "-mattr=+vfp4,-d32 -num-cores=4",
           "llvm -mtriple=x86_64-unknown-linux-gnu -mcpu=some-new-cpu",
       }) {
    const Target target = MustParse(text);
    EXPECT_EQ(target.ToString(), text);
    EXPECT_EQ(MustParse(target.ToString()), target);
  }
}

TEST(TargetTest, WithCoresChangesOnlyCores) {
  const Target target =
      MustParse("llvm -mtriple=x86_64-linux-gnu -mcpu=haswell");
  EXPECT_EQ(target.WithCores(3).ToString(),
            target.ToString() + " -num-cores=3");
}

TEST(TargetTest, AcceptsOptionsInAnyOrder) {
  EXPECT_EQ(MustParse("llvm  -mattr=-b,+a,+a -num-cores=2 -mattr=+0 "
                      "-mtriple=x86_64-linux-gnu")
                .ToString(),
            "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64 -mattr=+0,+a,-b "
            "-num-cores=2");
}

TEST(TargetTest, DerivesFactsFromProcessor) {
  const struct {
    const char* text;
    int vector_bits, vector_registers;
    bool fma;
    int pointer_bits;
  } kCases[] = {
      {"llvm -mtriple=x86_64-linux-gnu", 128, 16, false, 64},
      {"llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v2", 128, 16, false, 64},
      {"llvm -mtriple=x86_64-linux-gnu -mcpu=sandybridge", 256, 16, false, 64},
      {"llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3", 256, 16, true, 64},
      {"llvm -mtriple=x86_64-linux-gnu -mcpu=znver3", 256, 16, true, 64},
      {"llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4", 512, 32, true, 64},
      {"llvm -mtriple=x86_64-linux-gnu -mcpu=skylake-avx512", 512, 32, true,
       64},
      {"llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a72", 128, 32, true, 64},
      {"llvm -mtriple=armv7l-linux-gnueabihf -mcpu=cortex-a9", 128, 16, false,
       32},
      {"llvm -mtriple=arm-linux-gnueabihf -mcpu=cortex-a53", 128, 16, true, 32},
  };
  for (const auto& c : kCases) {
    const Target target = MustParse(c.text);
    EXPECT_EQ(target.vector_bits(), c.vector_bits) << c.text;
    EXPECT_EQ(target.vector_registers(), c.vector_registers) << c.text;
    EXPECT_EQ(target.fma(), c.fma) << c.text;
    EXPECT_EQ(target.pointer_bits(), c.pointer_bits) << c.text;
  }
}

TEST(TargetTest, FeaturesAddAndRemove) {
  const std::string x86 = "llvm -mtriple=x86_64-linux-gnu ";
  EXPECT_EQ(MustParse(x86 + "-mattr=+avx512vl").vector_bits(), 512);
  EXPECT_TRUE(MustParse(x86 + "-mattr=+avx512vl").fma());
  EXPECT_TRUE(MustParse(x86 + "-mattr=+avx").HasFeature("sse4.1"));
  EXPECT_EQ(MustParse(x86 + "-mcpu=x86-64-v4 -mattr=-avx512f").vector_bits(),
            256);
  // Features that imply a removed one are removed, too.
  const Target no_avx = MustParse(x86 + "-mcpu=x86-64-v4 -mattr=-avx");
  EXPECT_EQ(no_avx.vector_bits(), 128);
  EXPECT_FALSE(no_avx.fma());
  EXPECT_TRUE(no_avx.HasFeature("sse4.2"));
  EXPECT_FALSE(MustParse(x86 + "-mattr=-fma,+fma").fma());
}

TEST(TargetTest, UnknownProcessorIsBaselinePlusFeatures) {
  const Target bare = MustParse("llvm -mtriple=x86_64-linux-gnu -mcpu=nextgen");
  EXPECT_EQ(bare.vector_bits(), 128);
  EXPECT_EQ(bare.l1_bytes(), 32 * 1024);
  EXPECT_EQ(MustParse("llvm -mtriple=x86_64-linux-gnu -mcpu=nextgen "
                      "-mattr=+avx2,+fma")
                .vector_bits(),
            256);
}

TEST(TargetTest, CacheSizesComeFromTable) {
  const Target a53 =
      MustParse("llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a53");
  EXPECT_EQ(a53.l1_bytes(), 32 << 10);
  EXPECT_EQ(a53.l2_bytes(), 512 << 10);
  EXPECT_EQ(a53.l3_bytes(), 0);
  for (const CpuRow& row : CpuTable()) {
    EXPECT_GT(row.l1_bytes, 0) << row.name;
    EXPECT_GT(row.l2_bytes, row.l1_bytes) << row.name;
    EXPECT_EQ(FindCpu(row.arch, row.name), &row) << row.name;
  }
}

TEST(TargetTest, KindsAreListedInOrder) {
  for (size_t i = 0; i < TargetKinds().size(); ++i) {
    const TargetKindRow& row = TargetKinds()[i];
    EXPECT_EQ(static_cast<size_t>(row.kind), i);
    EXPECT_EQ(&RowOf(row.kind), &row);
    const auto kind = ParseTargetKind(row.name);
    ASSERT_TRUE(kind.ok()) << kind.status();
    EXPECT_EQ(*kind, row.kind);
  }
  EXPECT_EQ(MustParse("llvm -mtriple=x86_64-linux-gnu").kind(),
            TargetKind::kLlvm);
}

TEST(TargetTest, ErrorsNameOption) {
  const struct {
    const char* text;
    const char* message;
  } kCases[] = {
      {"", "the target is empty"},
      {"opencl", "`opencl` is not a code generator"},
      {"llvm", "`-mtriple` is missing"},
      {"llvm -mcpu=cortex-a53", "`-mtriple` is missing"},
      {"llvm -mcpu=native", "`-mcpu=native` names no processor"},
      {"llvm -mtriple", "`-mtriple` is not an option with `=`"},
      {"llvm -mtriple=x86_64-linux-gnu -mtriple=x86_64-linux-gnu",
       "`-mtriple` is given twice"},
      {"llvm -mtriple=riscv64-linux-gnu",
       "`-mtriple=riscv64-linux-gnu` is not supported"},
      {"llvm -mtriple=arm-linux-gnueabi",
       "`-mtriple=arm-linux-gnueabi` is not supported"},
      {"llvm -mtriple=x86_64-linux-gnu -mcpu=a;b", "`-mcpu=a;b` is not a name"},
      {"llvm -mtriple=x86_64-linux-gnu -mattr=avx",
       "`avx` in `-mattr` is not `+` or `-` and a name"},
      {"llvm -mtriple=x86_64-linux-gnu -mattr=+avx,",
       "`` in `-mattr` is not `+` or `-` and a name"},
      {"llvm -mtriple=x86_64-linux-gnu -num-cores=0",
       "`-num-cores=0` is not a positive number"},
      {"llvm -mtriple=x86_64-linux-gnu -opt=3",
       "`-opt` is not an option of a target"},
  };
  for (const auto& c : kCases) {
    const absl::Status status = Target::Parse(c.text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.text;
    EXPECT_THAT(status.message(), HasSubstr(c.message));
  }
}

}  // namespace
}  // namespace assay::target
