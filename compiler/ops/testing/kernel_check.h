// CheckKernel: compares the results of a kernel with those of the graph
// reference interpreter, for tests of operators.
#ifndef ASSAY_COMPILER_OPS_TESTING_KERNEL_CHECK_H_
#define ASSAY_COMPILER_OPS_TESTING_KERNEL_CHECK_H_

#include <string>

#include "compiler/graph/graph.h"
#include "compiler/ops/kernel/kernel.h"
#include "compiler/target/target.h"

namespace assay::ops {

// Targets with vectors of 8, 16 and 4 floats, which give different tile sizes.
inline constexpr const char* kCheckTargets[] = {
    "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3",
    "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4",
    "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a53",
};

// Parses a target such as one of kCheckTargets. CHECK-fails if it is invalid.
target::Target CheckTarget(const char* text);

struct CheckOptions {
  // Inputs are uniformly distributed in [low, high].
  float low = -1;
  float high = 1;
  // An element matches if |kernel - reference| <= absolute + relative *
  // |reference|, or if both are NaN.
  double absolute = 1e-5;
  double relative = 1e-5;
  KernelOptions kernel;  // implementation and configuration
};

// Builds the kernel of `body` and runs it twice in the loop interpreter, before
// and after the loop passes. Iterations of parallel loops are run in random
// order. Returns an empty string if the results match the reference. Otherwise
// returns a description of the difference, or of the error if the kernel cannot
// be built or run.
std::string CheckKernel(const graph::Graph& body, const char* target,
                        const CheckOptions& options = {});

// Calls CheckKernel for a graph in text form and each target in kCheckTargets.
// Returns the first nonempty result.
std::string CheckText(const std::string& text,
                      const CheckOptions& options = {});

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_TESTING_KERNEL_CHECK_H_
