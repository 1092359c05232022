#include "suites/kernels/spill_count.h"

#include <string>

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

using target::Arch;

TEST(SpillCountTest, X86CountsTheInnermostLoopsThatMultiply) {
  const auto loops = CountSpills(R"(
f:
	vmovaps	%ymm9, 8(%rsp)
.LBB0_1:                                # outer
	vmovups	%ymm1, 32(%rsp)
.LBB0_2:
	vmovups	(%rsi), %ymm0
	vfmadd231ps	64(%rsp), %ymm0, %ymm15
	vmovups	%ymm3, 96(%rsp)
	vmovups	96(%rsp,%rax), %ymm4
	vfmadd231ps	(%rdi), %ymm0, %ymm14
	movq	%rax, 8(%rsp)
	vmovups	%ymm3, 32(%rbp)
	jne	.LBB0_2
	jne	.LBB0_1
.LBB0_3:
	vmovups	%ymm3, 96(%rsp)
	jne	.LBB0_3
)",
                                 Arch::kX86_64);
  EXPECT_EQ(ToString(loops),
            "stored 1, reloaded 2 in a loop of 2 multiply-adds");
}

TEST(SpillCountTest, CountsFramePointerAccessesIfTheFunctionHasOne) {
  const auto loops = CountSpills(R"(
	movq	%rsp, %rbp
.L1:
	vfmadd231ps	%zmm1, %zmm0, %zmm15
	vmovups	%zmm3, -32(%rbp)
	jne	.L1
)",
                                 Arch::kX86_64);
  EXPECT_EQ(ToString(loops),
            "stored 1, reloaded 0 in a loop of 1 multiply-add");
}

TEST(SpillCountTest, InstructionsWithoutOperandsAreNoJumps) {
  EXPECT_TRUE(
      CountSpills("\ttilerelease\n\tvzeroupper\n\tretq\n", Arch::kX86_64)
          .empty());
}

TEST(SpillCountTest, AArch64) {
  const auto loops = CountSpills(R"(
.LBB0_1:
	ldr	q1, [sp, #16]                   // 16-byte Folded Reload
	ldp	q2, q3, [x1], #32
	fmla	v0.4s, v1.4s, v2.s[0]
	str	q0, [sp, #32]
	str	x0, [sp, #48]
	cbnz	x8, .LBB0_1
)",
                                 Arch::kAArch64);
  EXPECT_EQ(ToString(loops),
            "stored 1, reloaded 1 in a loop of 1 multiply-add");
}

TEST(SpillCountTest, Arm) {
  const auto loops = CountSpills(R"(
.LBB0_1:
	vld1.32	{d16, d17}, [r1]!
	vldr	d18, [sp, #8]
	vst1.64	{d8, d9}, [r2:128]              @ 16-byte Spill
	vmla.f32	q0, q8, d18[0]
	vfma.f32	q1, q8, q2
	bne	.LBB0_1
)",
                                 Arch::kArm);
  EXPECT_EQ(ToString(loops),
            "stored 1, reloaded 1 in a loop of 2 multiply-adds");
}

TEST(SpillCountTest, CountsProductsOnlyWithoutMultiplyAdds) {
  const std::string scale =
      ".L1:\n\tmulps\t(%rsp), %xmm0\n\tmulps\t%xmm0, %xmm1\n\tjne\t.L1\n";
  EXPECT_EQ(ToString(CountSpills(scale, Arch::kX86_64)),
            "stored 0, reloaded 1 in a loop of 2 products");
  const char* fused =
      ".L2:\n\tvfmadd231ps\t%ymm0, %ymm1, %ymm2\n"
      "\tvmulps\t%ymm0, %ymm1, %ymm3\n\tjne\t.L2\n";
  EXPECT_EQ(ToString(CountSpills(scale + fused, Arch::kX86_64)),
            "none in a loop of 1 multiply-add");
}

TEST(SpillCountTest, ScalarMultiplyAddsDoNotCount) {
  const auto loops = CountSpills(R"(
.LBB0_1:
	mla	r0, r1, r2, r3
	vmla.f32	q0, q8, d18[0]
	bne	.LBB0_1
.LBB0_2:
	mla	r0, r1, r2, r3
	vldr	d18, [sp, #8]
	bne	.LBB0_2
)",
                                 Arch::kArm);
  EXPECT_EQ(ToString(loops), "none in a loop of 1 multiply-add");
}

TEST(SpillCountTest, ReportsMissingLoops) {
  EXPECT_EQ(ToString(CountSpills("f:\n\tret\n", Arch::kX86_64)),
            "no innermost loop multiplies and adds vectors");
  const char* loop = ".L1:\n\tfmla v0.4s, v1.4s, v2.4s\n\tb.ne\t.L1\n";
  EXPECT_EQ(ToString(CountSpills(loop, Arch::kAArch64)),
            "none in a loop of 1 multiply-add");
}

TEST(SpillCountTest, DescribesTheLargestLoops) {
  std::vector<LoopSpills> loops;
  for (int i = 1; i <= 8; ++i) loops.push_back({i, i == 8 ? 2 : 0, 0});
  EXPECT_EQ(ToString(loops),
            "stored 2, reloaded 0 in a loop of 8 multiply-adds; none in a loop "
            "of 7 multiply-adds; none in a loop of 6 multiply-adds; none in a "
            "loop of 5 multiply-adds; none in a loop of 4 multiply-adds; none "
            "in a loop of 3 multiply-adds; and 2 loops with no more");
}

}  // namespace
}  // namespace assay::suites
