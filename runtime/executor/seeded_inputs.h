// SeededInputs: pseudorandom inputs for a model. They are bit-identical on all
// machines for the same seed, so two programs can run a model on the same data
// without transferring it.
#ifndef ASSAY_RUNTIME_EXECUTOR_SEEDED_INPUTS_H_
#define ASSAY_RUNTIME_EXECUTOR_SEEDED_INPUTS_H_

#include <cstdint>

#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"

namespace assay::runtime {

// Floats are uniform in [-1, 1], integers and bools in {0, 1}. The values
// depend on the seed and on the number, type and shape of an input, but not on
// its name. Validate() must have accepted the artifact.
NamedTensors SeededInputs(const Artifact& artifact, uint64_t seed);

// The value for input number `index`.
NDArray SeededInput(DType dtype, const Shape& shape, int index, uint64_t seed);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_EXECUTOR_SEEDED_INPUTS_H_
