// InnerLoops: finds the innermost loops in assembly text, to check the quality
// of generated code.
//
// A kernel spends its time in the innermost loop that contains most of its
// multiply-adds. In good code its accumulators stay in registers: it has no
// stores and no stack accesses.
//
//   for (const InnerLoop& loop : InnerLoops(assembly)) {
//     if (!loop.Spills().empty()) std::cerr << loop.Text();
//   }
//
// The input is the text `s` of Options::dump (codegen.h): x86-64 in AT&T
// syntax, AArch64 or ARM.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_INNER_LOOPS_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_INNER_LOOPS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace assay::codegen {

// The lines from a label to the last jump back to it that contain no other such
// loop.
struct InnerLoop {
  std::vector<std::string> instructions;  // mnemonic, tab, operands
  // Number of scalar and vector floating-point multiply-adds.
  int multiply_adds = 0;
  // Registers that point to the stack.
  std::vector<std::string> stack_pointers;

  // Instructions that load from or store to the stack, that is, register
  // spills.
  std::vector<std::string> Spills() const;
  // All stores.
  std::vector<std::string> Stores() const;
  std::string Text() const;
};

// The loops that contain multiply-adds, ordered by descending number of them.
std::vector<InnerLoop> InnerLoops(absl::string_view assembly);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_INNER_LOOPS_H_
