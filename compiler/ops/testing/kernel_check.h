// CheckKernel: compares a kernel with the reference interpreter of graphs, for
// tests of operators.
#ifndef ASSAY_COMPILER_OPS_TESTING_KERNEL_CHECK_H_
#define ASSAY_COMPILER_OPS_TESTING_KERNEL_CHECK_H_

#include <string>

#include "compiler/graph/graph.h"
#include "compiler/ops/kernel/kernel.h"
#include "compiler/target/target.h"

namespace assay::ops {

// Vectors of 8, 16 and 4 floats: other tiles, other vector lengths.
inline constexpr const char* kCheckTargets[] = {
    "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3",
    "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4",
    "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a53",
};

// The target of such a text.
target::Target CheckTarget(const char* text);

struct CheckOptions {
  // Inputs are uniform in [low, high].
  float low = -1;
  float high = 1;
  // |kernel - reference| <= absolute + relative * |reference|; NaN equals NaN.
  double absolute = 1e-5;
  double relative = 1e-5;
  KernelOptions kernel;
};

// Runs the kernel of `body` in the loop interpreter, as lowered and after the
// loop passes, with shuffled parallel iterations. Returns an empty string if it
// computes the reference's result, else what is wrong.
std::string CheckKernel(const graph::Graph& body, const char* target,
                        const CheckOptions& options = {});

// The same for a graph in text form, on all kCheckTargets.
std::string CheckText(const std::string& text,
                      const CheckOptions& options = {});

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_TESTING_KERNEL_CHECK_H_
