// SeededInputs: generates pseudorandom inputs for a model. For the same seed,
// the inputs are bit-identical on all machines, so two programs can run a model
// on the same inputs without a transfer of data.
#ifndef ASSAY_RUNTIME_EXECUTOR_SEEDED_INPUTS_H_
#define ASSAY_RUNTIME_EXECUTOR_SEEDED_INPUTS_H_

#include <cstdint>

#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"

namespace assay::runtime {

// Returns values for all inputs of the model. Floats are uniformly distributed
// in [-1, 1], and integers in [0, limit - 1]. The limit of an input is in the
// metadata of the artifact (kMetaIndexLimits); without an entry it is
// kDefaultIndexLimit. Integers of 8 bits are at most 127. Each bool is true or
// false with equal probability. The values of an input depend on the seed and
// on the index, type, shape and limit of the input, but not on its name.
// Validate() must have accepted the artifact.
NamedTensors SeededInputs(const Artifact& artifact, uint64_t seed);

// Returns the value that SeededInputs() generates for the input with index
// `index`.
NDArray SeededInput(DType dtype, const Shape& shape, int64_t limit, int index,
                    uint64_t seed);

// The limit of integers in inputs for which no limit is known.
constexpr int64_t kDefaultIndexLimit = 2;

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_EXECUTOR_SEEDED_INPUTS_H_
