// InnerLoops: what the processor repeats, read from assembly text.
//
// A kernel's time goes into the innermost loop that holds most of its
// multiply-adds. In a good one the sums stay in registers: it stores nothing
// and takes nothing from the stack.
//
//   for (const InnerLoop& loop : InnerLoops(assembly)) {
//     if (!loop.Spills().empty()) std::cerr << loop.Text();
//   }
//
// The text is what Options::dump (codegen.h) calls `s`: x86-64 in AT&T syntax,
// AArch64 or ARM.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_INNER_LOOPS_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_INNER_LOOPS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace assay::codegen {

// The lines from a label to the last jump back to it, with no other such pair
// in between.
struct InnerLoop {
  std::vector<std::string> instructions;  // mnemonic, tab, operands
  // Floating-point, of vectors or of scalars.
  int multiply_adds = 0;
  // Registers that point into the stack.
  std::vector<std::string> stack_pointers;

  // Instructions that load from or store to the stack: values that there was
  // no register for.
  std::vector<std::string> Spills() const;
  // Instructions that store anywhere.
  std::vector<std::string> Stores() const;
  std::string Text() const;
};

// Those with multiply-adds, the one with most first.
std::vector<InnerLoop> InnerLoops(absl::string_view assembly);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_INNER_LOOPS_H_
