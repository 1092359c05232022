// The shared object with the kernels of test_kernels.c, and an artifact that
// uses them.
#ifndef ASSAY_RUNTIME_DEVICE_TESTDATA_TEST_KERNELS_H_
#define ASSAY_RUNTIME_DEVICE_TESTDATA_TEST_KERNELS_H_

#include <string>

#include "runtime/artifact/artifact.h"

namespace assay::runtime {

// Elements of every tensor of the kernels.
constexpr int64_t kTestCount = 1024;

// The object's bytes. CHECK-fails if it is not among the test's data.
std::string TestKernels();

// Inputs `x` and `z`, parameter `w` (element i is i), output `y`:
//   t = x + w;  u = 2 * t;  y = u + z
Artifact TestArtifact();

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_TESTDATA_TEST_KERNELS_H_
