// CountSpills: counts vector register spills and reloads in innermost loops.
//
// The input is the assembly of one kernel as LLVM prints it (AT&T syntax on
// x86). Only innermost loops (compiler/codegen/inner_loops.h) that contain
// vector multiply-adds are considered or, if no loop does, those that contain
// vector multiplications, because there are x86 processors without fused
// multiply-adds. CountSpills counts the instructions that store a vector
// register to the stack or load a vector register from the stack. Accesses to
// stack buffers of the kernel are counted as well, because their values should
// be in registers.
#ifndef ASSAY_SUITES_KERNELS_SPILL_COUNT_H_
#define ASSAY_SUITES_KERNELS_SPILL_COUNT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "compiler/target/cpu_table.h"

namespace assay::suites {

// The spills of an innermost loop.
struct LoopSpills {
  int multiply_adds = 0;
  int stores = 0;
  int reloads = 0;
  // Vector multiplications that add nothing; 0 if there are multiply-adds.
  int products = 0;
};

// Returns the counts of the loops, in the order of codegen::InnerLoops().
std::vector<LoopSpills> CountSpills(absl::string_view assembly,
                                    target::Arch arch);

// Describes the largest loops, for example `stored 1, reloaded 2 in a loop of
// 28 multiply-adds; none in a loop of 24 multiply-adds`.
std::string ToString(const std::vector<LoopSpills>& loops);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_SPILL_COUNT_H_
