// CheckKernel: compares a kernel with the graph reference interpreter, for
// operator tests.
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

// Parses a target such as those above.
target::Target CheckTarget(const char* text);

struct CheckOptions {
  // Inputs are uniformly distributed in [low, high].
  float low = -1;
  float high = 1;
  // |kernel - reference| <= absolute + relative * |reference|; NaN equals NaN.
  double absolute = 1e-5;
  double relative = 1e-5;
  KernelOptions kernel;
};

// Runs the kernel of `body` in the loop interpreter, as lowered and after the
// loop passes, with shuffled parallel iterations. Returns an empty string if
// the result matches the reference, otherwise a description of the difference.
std::string CheckKernel(const graph::Graph& body, const char* target,
                        const CheckOptions& options = {});

// Does the same for a graph in text form, on all kCheckTargets.
std::string CheckText(const std::string& text,
                      const CheckOptions& options = {});

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_TESTING_KERNEL_CHECK_H_
