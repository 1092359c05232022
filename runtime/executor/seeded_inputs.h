// SeededInputs: values for a model's inputs when nobody cares which, the same
// for the same seed on every machine, so that two programs can run a model on
// the same data without passing it between them.
#ifndef ASSAY_RUNTIME_EXECUTOR_SEEDED_INPUTS_H_
#define ASSAY_RUNTIME_EXECUTOR_SEEDED_INPUTS_H_

#include <cstdint>

#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"

namespace assay::runtime {

// Floats are uniform in [-1, 1], integers in [0, 1], bools even. What an input
// gets depends on the seed, its number, its type and its shape, not its name.
// `artifact` has passed Validate().
NamedTensors SeededInputs(const Artifact& artifact, uint64_t seed);

// The value for input number `index`.
NDArray SeededInput(DType dtype, const Shape& shape, int index, uint64_t seed);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_EXECUTOR_SEEDED_INPUTS_H_
