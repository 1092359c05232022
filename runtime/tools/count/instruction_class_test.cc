#include "runtime/tools/count/instruction_class.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runtime {
namespace {

using testing::Each;

std::vector<InstructionClass> Classes(InstructionSet set,
                                      const std::vector<std::string>& texts) {
  std::vector<InstructionClass> classes;
  for (const std::string& text : texts) {
    classes.push_back(ClassOf(set, text, 0));
  }
  return classes;
}

TEST(InstructionClassTest, X86) {
  const auto classes = [](const std::vector<std::string>& texts) {
    return Classes(InstructionSet::kX86_64, texts);
  };
  EXPECT_THAT(
      classes({"vfmadd231ps %ymm0, %ymm1, %ymm2",
               "vfmadd231ps (%rsp), %ymm1, %ymm2",
               "vfnmadd213pd %ymm0, %ymm1, %ymm2",
               "vpmaddwd %ymm0, %ymm1, %ymm2", "pmaddubsw %xmm0, %xmm1"}),
      Each(InstructionClass::kVectorMultiplyAdd));
  EXPECT_THAT(classes({"vfmadd231ss %xmm0, %xmm1, %xmm2",
                       "vfmsub213sd (%rsp), %xmm1, %xmm2"}),
              Each(InstructionClass::kScalarMultiplyAdd));
  EXPECT_THAT(
      classes({"vaddps (%rsp), %ymm1, %ymm2", "vpminsd %ymm0, %ymm1, %ymm2",
               "vbroadcastss %xmm0, %ymm0", "vmovups %ymm0, %ymm1",
               "vcvtph2ps (%rsp), %ymm0", "vcvtps2ph $0, %ymm0, -0x40(%rsp)",
               "vcvtdq2ps %ymm0, %ymm0", "vextractf128 $1, %ymm0, %xmm0",
               "vinsertf128 $1, (%rsp), %ymm0, %ymm0", "vmovd %eax, %xmm0",
               "vmovmskps %ymm0, %eax", "pxor %xmm0, %xmm0",
               "vgatherdps %ymm1, (%rsp, %ymm2), %ymm0"}),
      Each(InstructionClass::kVector));
  EXPECT_THAT(
      classes({"vaddss (%rsp), %xmm1, %xmm2", "vcvtsi2ssl %eax, %xmm0, %xmm0",
               "vcvttss2si %xmm0, %eax", "vucomiss %xmm0, %xmm1",
               "addl (%rsp), %eax", "addl %eax, -8(%rsp)", "leaq 8(%rsp), %rax",
               "cmpq %rax, %rcx", "movq %rax, %rcx", "movabsq $0x5, %rax",
               "popcntq %rax, %rax", "cmovneq (%rsp), %rcx",
               "lock incl -8(%rsp)"}),
      Each(InstructionClass::kScalar));
  EXPECT_THAT(classes({"movl (%rsp), %eax", "movzbl (%rsp), %eax",
                       "movq %fs:0, %rax", "movq 0x104b(%rip), %rax",
                       "vmovups (%rsp), %ymm0", "vmovss (%rsp), %xmm0",
                       "vbroadcastss (%rsp), %ymm0", "vpmovzxbd (%rsp), %ymm0",
                       "vmaskmovps (%rsp), %ymm1, %ymm0", "popq %rax"}),
              Each(InstructionClass::kLoad));
  EXPECT_THAT(classes({"movl %eax, -8(%rsp)", "movl $1, -8(%rsp)",
                       "movq %rax, 0x1044(%rip)", "vmovups %ymm0, -0x40(%rsp)",
                       "vmovss %xmm0, -0x40(%rsp)", "movl %eax, %fs:4",
                       "vextractf128 $1, %ymm0, -0x40(%rsp)",
                       "vmaskmovps %ymm0, %ymm1, -0x40(%rsp)", "pushq %rax"}),
              Each(InstructionClass::kStore));
  EXPECT_THAT(classes({"jmp 0x2012bf", "jne 0x10", "callq *(%rax)", "retq"}),
              Each(InstructionClass::kBranch));
  EXPECT_THAT(
      classes({"vzeroupper ", "nopw (%rax, %rax)", "syscall ",
               "prefetcht0 (%rsp)", "endbr64 ", ".byte 0x62", "mfence"}),
      Each(InstructionClass::kOther));
}

TEST(InstructionClassTest, AArch64) {
  const auto classes = [](const std::vector<std::string>& texts) {
    return Classes(InstructionSet::kAArch64, texts);
  };
  EXPECT_THAT(classes({"fmla v0.4s, v1.4s, v2.4s", "fmls v0.4s, v1.4s, v2.s[1]",
                       "mla v0.8h, v1.8h, v2.8h", "smlal2 v0.4s, v1.8h, v2.8h",
                       "umlal v0.4s, v1.4h, v2.4h"}),
              Each(InstructionClass::kVectorMultiplyAdd));
  EXPECT_THAT(classes({"fmadd s0, s1, s2, s3", "fmla s0, s1, v2.s[1]"}),
              Each(InstructionClass::kScalarMultiplyAdd));
  EXPECT_THAT(classes({"fadd v0.4s, v1.4s, v2.4s", "dup v0.4s, w1",
                       "movi v0.2d, #0", "umov w0, v0.s[1]", "addv s0, v1.4s",
                       "fmul v0.4s, v1.4s, v2.s[0]"}),
              Each(InstructionClass::kVector));
  EXPECT_THAT(classes({"fadd s0, s1, s2", "add x0, x1, x2",
                       "madd x0, x1, x2, x3", "fmov s0, w1", "bic x0, x1, x2",
                       "bfi x0, x1, #2, #3", "smaddl x0, w1, w2, x3"}),
              Each(InstructionClass::kScalar));
  EXPECT_THAT(classes({"ldr q0, [x1]", "ldp x0, x1, [sp]", "ldrsw x0, [x1]",
                       "ld1 {v0.4s, v1.4s}, [x1], #32", "ld1r {v0.4s}, [x0]"}),
              Each(InstructionClass::kLoad));
  EXPECT_THAT(classes({"str q0, [x1]", "stp x29, x30, [sp, #-0x10]!",
                       "st1 {v0.4s}, [x1]", "stur w0, [x1, #-4]"}),
              Each(InstructionClass::kStore));
  EXPECT_THAT(classes({"b #0x10", "b.ne #0x10", "bl #0x20", "blr x1", "ret ",
                       "cbnz w0, #0x10", "tbz w0, #3, #0x10", "br x16"}),
              Each(InstructionClass::kBranch));
  EXPECT_THAT(classes({"nop ", "svc #0", "prfm pldl1keep, [x0]", "dmb ish"}),
              Each(InstructionClass::kOther));
}

// Encodings by the assembler of LLVM 19.
TEST(InstructionClassTest, AArch64InstructionsThatCapstoneDoesNotKnow) {
  const auto classes = [](const std::vector<uint32_t>& codes) {
    std::vector<InstructionClass> classes;
    for (const uint32_t code : codes) {
      classes.push_back(
          ClassOf(InstructionSet::kAArch64, ".byte 0x20, 0x94", code));
    }
    return classes;
  };
  EXPECT_THAT(classes({
                  0x4e829420,  // sdot v0.4s, v1.16b, v2.16b
                  0x6fa2e020,  // udot v0.4s, v1.16b, v2.4b[1]
                  0x4e829c20,  // usdot v0.4s, v1.16b, v2.16b
                  0x4e82a420,  // smmla v0.4s, v1.16b, v2.16b
                  0x6e42ec20,  // bfmmla v0.4s, v1.8h, v2.8h
                  0x6e42fc20,  // bfdot v0.4s, v1.8h, v2.8h
                  0x4f62f020,  // bfdot v0.4s, v1.8h, v2.2h[1]
                  0x2ec2fc20,  // bfmlalb v0.4s, v1.8h, v2.8h
                  0x6e82cc20,  // fcmla v0.4s, v1.4s, v2.4s, #90
                  0x4e22ec20,  // fmlal v0.4s, v1.4h, v2.4h
                  0x6e22cc20,  // fmlal2 v0.4s, v1.4h, v2.4h
                  0x4f920020,  // fmlal v0.4s, v1.4h, v2.h[1]
                  0x4e420c20,  // fmla v0.8h, v1.8h, v2.8h
                  0x4ec20c20,  // fmls v0.8h, v1.8h, v2.8h
                  0x4f121020,  // fmla v0.8h, v1.8h, v2.h[1]
                  0x6e828420,  // sqrdmlah v0.4s, v1.4s, v2.4s
              }),
              Each(InstructionClass::kVectorMultiplyAdd));
  EXPECT_THAT(classes({
                  0x6e82e420,  // fcadd v0.4s, v1.4s, v2.4s, #90
                  0x4e421420,  // fadd v0.8h, v1.8h, v2.8h
                  0x4f129020,  // fmul v0.8h, v1.8h, v2.h[1]
              }),
              Each(InstructionClass::kVector));
  EXPECT_THAT(classes({0x1fc20c20}),  // fmadd h0, h1, h2, h3
              Each(InstructionClass::kScalarMultiplyAdd));
  EXPECT_THAT(classes({0x1ee22820}),  // fadd h0, h1, h2
              Each(InstructionClass::kScalar));
}

TEST(InstructionClassTest, Arm) {
  const auto classes = [](const std::vector<std::string>& texts) {
    return Classes(InstructionSet::kArm, texts);
  };
  EXPECT_THAT(classes({"vfma.f32 q0, q1, q2", "vmla.f32 q0, q1, d2[0]",
                       "vmla.f32 d0, d1, d2", "vmlal.s16 q0, d1, d2"}),
              Each(InstructionClass::kVectorMultiplyAdd));
  EXPECT_THAT(classes({"vfma.f32 s0, s1, s2", "vfma.f64 d0, d1, d2",
                       "vnmls.f32 s0, s1, s2"}),
              Each(InstructionClass::kScalarMultiplyAdd));
  EXPECT_THAT(
      classes({"vmul.f32 d0, d1, d2", "vadd.i32 d0, d1, d2", "vdup.32 q0, r1",
               "vorr q0, q1, q1", "vcvt.s32.f32 q0, q1"}),
      Each(InstructionClass::kVector));
  EXPECT_THAT(classes({"vadd.f64 d0, d1, d2", "vadd.f32 s0, s0, s2",
                       "vcvt.f64.f32 d16, s0", "vmov r2, r3, d0", "vmov s0, r0",
                       "mla r0, r1, r2, r3", "bic r0, r0, r1",
                       "adds.w r0, r0, #1", "smlabb r0, r1, r2, r3"}),
              Each(InstructionClass::kScalar));
  EXPECT_THAT(classes({"ldr.w r0, [r1]", "ldm sp, {r0, r1}", "pop {r4, pc}",
                       "vldr d0, [r3]", "vld1.32 {d0, d1}, [sp]",
                       "ldrdne r0, r1, [sp]", "vpop {d8}"}),
              Each(InstructionClass::kLoad));
  EXPECT_THAT(classes({"str r0, [r1]", "stmhs r0, {r1, r2}", "push {r4, r5}",
                       "vst1.32 {d0, d1}, [sp]", "vpush {d8, d9}"}),
              Each(InstructionClass::kStore));
  EXPECT_THAT(classes({"b #0x10", "bls.w #0x10", "blt #0x10", "bl #0x10",
                       "bleq #0x10", "bxne lr", "blx r3", "cbz r0, #0x10"}),
              Each(InstructionClass::kBranch));
  EXPECT_THAT(classes({"nop ", "itte ne", "dmb ish", "svc #0", "pld [sp]",
                       "vmrs apsr_nzcv, fpscr"}),
              Each(InstructionClass::kOther));
}

TEST(InstructionClassTest, ParsesNamesOfQemu) {
  EXPECT_EQ(ParseInstructionSet("arm"), InstructionSet::kArm);
  EXPECT_EQ(ParseInstructionSet("aarch64"), InstructionSet::kAArch64);
  EXPECT_EQ(ParseInstructionSet("x86_64"), InstructionSet::kX86_64);
  EXPECT_EQ(ParseInstructionSet("riscv64"), std::nullopt);
}

}  // namespace
}  // namespace assay::runtime
