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

TEST(InnerLoopsTest, CountsProductsApart) {
  const std::vector<InnerLoop> loops = InnerLoops(
      "k:\n"
      ".LBB0_1:\n"
      "\tvmulps\t%ymm0, %ymm1, %ymm2\n"
      "\tvmulps\t%ymm0, %ymm3, %ymm4\n"
      "\tvaddps\t%ymm2, %ymm4, %ymm5\n"
      "\tjne\t.LBB0_1\n"
      ".LBB0_2:\n"
      "\tvfmadd231ps\t%ymm0, %ymm1, %ymm2\n"
      "\tvmulps\t%ymm0, %ymm1, %ymm2\n"
      "\tjne\t.LBB0_2\n");
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops[0].multiply_adds, 1);
  EXPECT_EQ(loops[0].products, 1);
  EXPECT_EQ(loops[1].multiply_adds, 0);
  EXPECT_EQ(loops[1].products, 2);
}

TEST(InnerLoopsTest, CountsNoScalarsThatComputeAddresses) {
  EXPECT_TRUE(InnerLoops("k:\n"
                         ".LBB0_1:\n"
                         "\tmla\tr0, r1, r2, r3\n"
                         "\tsmlal\tr0, r1, r2, r3\n"
                         "\tbne\t.LBB0_1\n")
                  .empty());
  const std::vector<InnerLoop> vectors = InnerLoops(
      "k:\n"
      ".LBB0_1:\n"
      "\tmla\tv0.4s, v1.4s, v2.4s\n"
      "\tsmlal2\tv0.4s, v1.8h, v2.8h\n"
      "\tb.ne\t.LBB0_1\n");
  ASSERT_EQ(vectors.size(), 1u);
  EXPECT_EQ(vectors[0].multiply_adds, 2);
}

// Returns the spills of a loop that loads from `address` after `before`.
Lines SpillsAfter(const std::string& before, const std::string& address,
                  const std::string& multiply_add) {
  const std::vector<InnerLoop> loops =
      InnerLoops("k:\n" + before + ".LBB0_9:\n\tload\t" + address + "\n\t" +
                 multiply_add + "\n\tjne\t.LBB0_9\n");
  return loops.empty() ? Lines{"no loop"} : loops[0].Spills();
}

TEST(InnerLoopsTest, ForgetsStackPointersThatAreOverwrittenOnX86) {
  const auto spills = [](const std::string& before) {
    return SpillsAfter("\tmovq\t%rsp, %rbx\n" + before, "(%rbx), %ymm0",
                       "vfmadd231ps\t%ymm0, %ymm1, %ymm2");
  };
  for (const char* overwrites :
       {"\tmovq\t%rdi, %rbx\n", "\tmovl\t$4, %ebx\n", "\tpopq\t%rbx\n",
        "\tmovq\t8(%rsp), %rbx\n", "\tleaq\t(%rdi,%rsi,4), %rbx\n",
        "\tsetne\t%bl\n"}) {
    EXPECT_EQ(spills(overwrites), Lines{}) << overwrites;
  }
  for (const char* keeps :
       {"", "\tcmpq\t%rdi, %rbx\n", "\ttestq\t%rbx, %rbx\n", "\tpushq\t%rbx\n",
        "\tmovq\t%rdi, 8(%rbx)\n", "\taddq\t$64, %rbx\n",
        "\tleaq\t64(%rbx), %rbx\n", "\tmovq\t%rbx, %rdi\n",
        "\tmovq\t%rsi, %rsp\n",
        // The code after a return has the register of the code before.
        "\tpopq\t%rbx\n\tretq\n.LBB0_3:\n"}) {
    EXPECT_EQ(spills(keeps), Lines{"load\t(%rbx), %ymm0"}) << keeps;
  }
}

TEST(InnerLoopsTest, ForgetsStackPointersThatAreOverwrittenOnAArch64) {
  const auto spills = [](const std::string& before) {
    return SpillsAfter("\tadd\tx19, sp, #16\n" + before, "q0, [x19]",
                       "fmla\tv0.4s, v1.4s, v2.4s");
  };
  for (const char* overwrites :
       {"\tmov\tx19, x3\n", "\tmov\tw19, #4\n", "\tldr\tx19, [x19]\n",
        "\tldp\tx20, x19, [sp, #16]\n", "\tadd\tx19, x3, x4\n"}) {
    EXPECT_EQ(spills(overwrites), Lines{}) << overwrites;
  }
  for (const char* keeps :
       {"", "\tcmp\tx19, x3\n", "\tstr\tx19, [x3]\n", "\tcbz\tx19, .LBB0_7\n",
        "\tldr\tx3, [x19]\n", "\tadd\tx19, x19, #64\n", "\tmov\tx3, x19\n",
        "\tldp\tx20, x19, [sp, #16]\n\tret\n.LBB0_3:\n"}) {
    EXPECT_EQ(spills(keeps), Lines{"load\tq0, [x19]"}) << keeps;
  }
}

TEST(InnerLoopsTest, ForgetsStackPointersThatAreOverwrittenOnArm) {
  const auto spills = [](const std::string& before) {
    return SpillsAfter("\tmov\tr6, sp\n" + before, "d0, [r6]",
                       "vmla.f32\tq0, q8, d18[0]");
  };
  for (const char* overwrites :
       {"\tmov\tr6, r3\n", "\tldr\tr6, [sp, #8]\n", "\tbfi\tr6, r3, #0, #4\n",
        "\tldrd\tr4, r6, [sp]\n", "\tpop\t{r4, r6, r11, lr}\n"}) {
    EXPECT_EQ(spills(overwrites), Lines{}) << overwrites;
  }
  for (const char* keeps :
       {"", "\ttst\tr6, r3\n", "\tbne\t.LBB0_7\n", "\tsub\tr6, r6, #8\n",
        "\tpush\t{r6, lr}\n", "\tpop\t{r4, r6, pc}\n.LBB0_3:\n"}) {
    EXPECT_EQ(spills(keeps), Lines{"load\td0, [r6]"}) << keeps;
  }
}

}  // namespace
}  // namespace assay::codegen
