// PerturbedInputs: makes inputs of a model that are new, but like given ones.
//
// The last check of a timed program runs it on inputs that it has not seen
// (CheckedSession::ExamineLate) and compares the time of such a run with the
// time that was measured. The time of some operators depends on the data, for
// example that of non-maximum suppression on the number of boxes. If the timed
// inputs are those of the user, the new inputs must therefore resemble them.
#ifndef ASSAY_SUITES_CORRECTNESS_PERTURBED_INPUTS_H_
#define ASSAY_SUITES_CORRECTNESS_PERTURBED_INPUTS_H_

#include <cstdint>

#include "runtime/artifact/tensor_file.h"

namespace assay::suites {

// Returns inputs with the names, types and shapes of `inputs`. Each element of
// a float input is multiplied by a factor from (63/64, 1] that is drawn from
// `seed`. This keeps its sign and nearly its magnitude, so that a logarithm or
// a square root is defined for the new input if it is for the old one. Other
// inputs are not changed, because they may be indices, lengths or masks. If no
// input is a float, the elements of each input are put in random order instead,
// so that each input keeps its set of values. The result is equal to `inputs`
// only if this changes nothing, for example if all elements are 0.
runtime::NamedTensors PerturbedInputs(const runtime::NamedTensors& inputs,
                                      uint64_t seed);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_PERTURBED_INPUTS_H_
