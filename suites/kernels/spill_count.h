// CountSpills: does the hot loop keep its accumulators in registers?
//
// Reads the assembly of one kernel as LLVM prints it (AT&T syntax on x86). An
// innermost loop is a stretch from a label to a branch back to it that has no
// other such stretch within. Of each that multiplies and adds vectors it
// counts the instructions that move a vector register to the stack or read one
// from there, by the stack pointer, or by the frame pointer where the function
// has set one up. A buffer of the kernel's own on the stack counts as well:
// there, too, the value should have been in a register.
//
// On 32-bit ARM a spill may first compute its address into a register; such a
// one is known by the comment that LLVM leaves, if the text has comments.
#ifndef ASSAY_SUITES_KERNELS_SPILL_COUNT_H_
#define ASSAY_SUITES_KERNELS_SPILL_COUNT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "compiler/target/cpu_table.h"

namespace assay::suites {

// An innermost loop with multiply-adds of vectors.
struct LoopSpills {
  int multiply_adds = 0;
  int stores = 0;
  int reloads = 0;
};

// In the order of the text.
std::vector<LoopSpills> CountSpills(absl::string_view assembly,
                                    target::Arch arch);

// `stored 1, reloaded 2 in a loop of 28 multiply-adds; none in a loop of 24
// multiply-adds`: the largest loops.
std::string ToString(const std::vector<LoopSpills>& loops);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_SPILL_COUNT_H_
