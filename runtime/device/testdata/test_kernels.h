// The shared object with the kernels of test_kernels.c, and an artifact that
// calls them.
#ifndef ASSAY_RUNTIME_DEVICE_TESTDATA_TEST_KERNELS_H_
#define ASSAY_RUNTIME_DEVICE_TESTDATA_TEST_KERNELS_H_

#include <string>

#include "runtime/artifact/artifact.h"
#include "runtime/base/ndarray.h"

namespace assay::runtime {

// Number of elements of every tensor.
constexpr int64_t kTestCount = 1024;

// The bytes of the shared object. CHECK-fails if the test lacks the data
// dependency.
std::string TestKernels();

// Inputs `x` and `z`, parameter `w` (element i is i), output `y`:
//   t = x + w;  u = 2 * t;  y = u + z
Artifact TestArtifact();
// The output of TestArtifact() for these inputs.
NDArray TestAnswer(const NDArray& x, const NDArray& z);

// The same model with a setup call: parameter `h` has half the values of `w`,
// and `test_scale` computes `w` from it. Only the setup call reads `h`.
Artifact TestSetupArtifact();

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_TESTDATA_TEST_KERNELS_H_
