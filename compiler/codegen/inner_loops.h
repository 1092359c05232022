// InnerLoops: finds the innermost loops in assembly text. They show the quality
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
#ifndef ASSAY_COMPILER_CODEGEN_INNER_LOOPS_H_
#define ASSAY_COMPILER_CODEGEN_INNER_LOOPS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace assay::codegen {

// An innermost loop. A loop consists of the instructions from a label to the
// last jump back to that label; it is innermost if it contains no other loop.
struct InnerLoop {
  // Text of each instruction: the mnemonic, a tab and the operands.
  std::vector<std::string> instructions;
  // True for each instruction that loads from the stack or stores to it: its
  // address is relative to a register that points to the stack, or LLVM marked
  // it in a comment. Such a register is the stack pointer, or a frame or base
  // pointer until it gets another value. 32-bit ARM may use an address in
  // another register.
  std::vector<bool> on_stack;
  // Number of multiply-add instructions (vfmadd, fmla, vmla, ...), scalar and
  // vector. Those of general-purpose registers (mla, smlal) are not counted,
  // because kernels compute addresses with them.
  int multiply_adds = 0;
  // Number of vector multiplications on x86-64 that add nothing. Code for
  // processors without fused multiply-adds has these instead of multiply-adds.
  int products = 0;

  // Returns the instructions that are on the stack. In an inner loop, such
  // instructions are register spills.
  std::vector<std::string> Spills() const;
  // Returns all instructions that move a register to memory, including the
  // stack.
  std::vector<std::string> Stores() const;
  // Returns the instructions, one per line.
  std::string Text() const;
};

// Return true if InnerLoop::multiply_adds, or InnerLoop::products, counts the
// instruction.
bool IsMultiplyAdd(absl::string_view instruction);
bool IsProduct(absl::string_view instruction);

// Returns the innermost loops that contain multiply-adds or products, sorted by
// the number of multiply-adds, then of products, largest first.
std::vector<InnerLoop> InnerLoops(absl::string_view assembly);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_INNER_LOOPS_H_
