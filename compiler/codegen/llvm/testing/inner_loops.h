// InnerLoops: finds the innermost loops in assembly text, to check the quality
// of generated code.
//
// A kernel spends most of its time in the innermost loop with the most
// multiply-adds. In good code the accumulators of this loop stay in registers,
// so the loop has no stores and no stack accesses.
//
//   for (const InnerLoop& loop : InnerLoops(assembly)) {
//     if (!loop.Spills().empty()) std::cerr << loop.Text();
//   }
//
// The input is the assembly that the code generator writes to the dump `s`
// (Options::dump in backend.h). The target can be x86-64, AArch64 or ARM. For
// x86-64, the assembly must be in AT&T syntax.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_TESTING_INNER_LOOPS_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_TESTING_INNER_LOOPS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace assay::codegen {

// An innermost loop. A loop consists of the instructions from a label to the
// last jump back to that label; it is innermost if it contains no other loop.
struct InnerLoop {
  // Text of each instruction: the mnemonic, a tab and the operands.
  std::vector<std::string> instructions;
  // Number of multiply-add instructions (vfmadd, fmla, vmla, ...), scalar and
  // vector.
  int multiply_adds = 0;
  // Names of the registers that point to the stack.
  std::vector<std::string> stack_pointers;

  // Returns the instructions that load from the stack or store to it. In an
  // inner loop, such instructions are register spills.
  std::vector<std::string> Spills() const;
  // Returns all instructions that move a register to memory, including the
  // stack.
  std::vector<std::string> Stores() const;
  // Returns the instructions, one per line.
  std::string Text() const;
};

// Returns the innermost loops that contain multiply-adds, sorted by the number
// of multiply-adds, largest first.
std::vector<InnerLoop> InnerLoops(absl::string_view assembly);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_TESTING_INNER_LOOPS_H_
