// CountSpills: counts vector register spills and reloads in innermost loops.
//
// Reads the assembly of one kernel as LLVM prints it (AT&T syntax on x86). An
// innermost loop extends from a label to a branch back to it and contains no
// other loop. In each one with vector multiply-adds, CountSpills counts the
// instructions that store a vector register to the stack or load one from it,
// relative to the stack pointer or, if the function sets one up, the frame
// pointer. Accesses to the kernel's own stack buffers count too, because their
// values should be in registers as well.
//
// On 32-bit ARM, a spill may compute its address in a register first. It is
// recognized by LLVM's comment, if the text has comments.
#ifndef ASSAY_SUITES_KERNELS_SPILL_COUNT_H_
#define ASSAY_SUITES_KERNELS_SPILL_COUNT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "compiler/target/cpu_table.h"

namespace assay::suites {

// The spills of an innermost loop with vector multiply-adds.
struct LoopSpills {
  int multiply_adds = 0;
  int stores = 0;
  int reloads = 0;
};

// Returns the loops in the order of the text.
std::vector<LoopSpills> CountSpills(absl::string_view assembly,
                                    target::Arch arch);

// Describes the largest loops, for example `stored 1, reloaded 2 in a loop of
// 28 multiply-adds; none in a loop of 24 multiply-adds`.
std::string ToString(const std::vector<LoopSpills>& loops);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_SPILL_COUNT_H_
