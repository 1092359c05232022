#include "compiler/codegen/inner_loops.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace assay::codegen {
namespace {

using Lines = std::vector<std::string>;

TEST(InnerLoopsTest, FindsLoopWithMostMultiplyAdds) {
  const std::vector<InnerLoop> loops = InnerLoops(
      "k:\n"
      "\tsub\tsp, sp, #16\n"
      ".LBB0_1:                                // =>This Loop Header\n"
      "\tmov\tx9, x2\n"
      ".LBB0_2:\n"
      "\tldr\tq1, [x9], #16\n"
      "\tfmla\tv0.4s, v1.4s, v2.s[0]\n"
      "\tb.ne\t.LBB0_2\n"
      ".LBB0_3:\n"
      "\tldp\tq1, q2, [x9], #32\n"
      "\tfmla\tv3.4s, v1.4s, v4.s[0]\n"
      "\tfmla\tv5.4s, v2.4s, v4.s[0]\n"
      "\tcbnz\tw3, .LBB0_3\n"
      "\tb.ne\t.LBB0_1\n"
      ".LBB0_4:\n"
      "\tstr\tq0, [x3]\n"
      "\tb.ne\t.LBB0_4\n");
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops[0].multiply_adds, 2);
  EXPECT_EQ(loops[0].instructions.size(), 4u);
  EXPECT_EQ(loops[1].Text(),
            "ldr\tq1, [x9], #16\n"
            "fmla\tv0.4s, v1.4s, v2.s[0]\n"
            "b.ne\t.LBB0_2");
  EXPECT_TRUE(loops[0].Spills().empty());
  EXPECT_TRUE(loops[0].Stores().empty());
}

TEST(InnerLoopsTest, FindsSpillsOnAArch64) {
  const std::vector<InnerLoop> loops = InnerLoops(
      "k:\n"
      "\tmov\tx29, sp\n"
      ".LBB0_1:\n"
      "\tstr\tq0, [sp, #32]                  // 16-byte Folded Spill\n"
      "\tldp\tq3, q4, [x29, #-64]\n"
      "\tadd\tx8, sp, #16\n"
      "\tst1\t{v1.4s}, [x8]\n"
      "\tfmla\tv0.4s, v1.4s, v2.s[0]\n"
      "\tb.ne\t.LBB0_1\n"
      "other:\n"
      ".LBB1_1:\n"
      "\tldr\tq0, [x29]\n"
      "\tfmla\tv0.4s, v1.4s, v2.s[0]\n"
      "\tb.ne\t.LBB1_1\n");
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops[0].Spills(),
            (Lines{"str\tq0, [sp, #32]", "ldp\tq3, q4, [x29, #-64]"}));
  EXPECT_EQ(loops[0].Stores(),
            (Lines{"str\tq0, [sp, #32]", "st1\t{v1.4s}, [x8]"}));
  // x29 is a general-purpose register here.
  EXPECT_TRUE(loops[1].Spills().empty());
}

TEST(InnerLoopsTest, FindsSpillsOnX86) {
  const std::vector<InnerLoop> loops = InnerLoops(
      "k:\n"
      "\tmovq\t%rsp, %rbp\n"
      ".LBB0_1:\n"
      "\tvmovups\t%ymm0, 32(%rsp)                # 32-byte Spill\n"
      "\tvfmadd231ps\t(%rbp), %ymm1, %ymm2\n"
      "\tvfmadd231ps\t(%rax,%rsi,4), %ymm1, %ymm2\n"
      "\tleaq\t8(%rsp), %rax\n"
      "\tvmovaps\t%ymm3, (%rdi)\n"
      "\tvmovaps\t(%rdi), %ymm4\n"
      "\tjne\t.LBB0_1\n");
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].multiply_adds, 2);
  EXPECT_EQ(loops[0].Spills(), (Lines{"vmovups\t%ymm0, 32(%rsp)",
                                      "vfmadd231ps\t(%rbp), %ymm1, %ymm2"}));
  EXPECT_EQ(loops[0].Stores(),
            (Lines{"vmovups\t%ymm0, 32(%rsp)", "vmovaps\t%ymm3, (%rdi)"}));
}

}  // namespace
}  // namespace assay::codegen
