// PerturbedInputs: makes inputs of a model that are new, but like given ones.
//
// A program is checked on more than one input, so that it cannot pass by
// returning stored outputs. If the user gives inputs, arbitrary others may be
// invalid, because inputs may be indices, lengths, offsets, divisors or masks.
// Moreover, the last check of a timed program runs it on inputs that it has not
// seen (CheckedSession::ExamineLate) and compares the time of such a run with
// the time that was measured, and the time of some operators depends on the
// data, for example that of non-maximum suppression on the number of boxes. The
// new inputs must therefore resemble those of the user.
#ifndef ASSAY_SUITES_CORRECTNESS_PERTURBED_INPUTS_H_
#define ASSAY_SUITES_CORRECTNESS_PERTURBED_INPUTS_H_

#include <cstdint>
#include <set>
#include <string>

#include "runtime/artifact/tensor_file.h"

namespace assay::suites {

// Returns inputs with the names, types and shapes of `inputs`. Each element of
// a float input is multiplied by a factor from (63/64, 1] that is drawn from
// `seed`. This keeps its sign and nearly its magnitude, so that a logarithm or
// a square root is defined for the new input if it is for the old one. Other
// inputs are not changed, except for those with a name in `varying`, and, if no
// input is a float, those of int8 and uint8, which are images as a rule. The
// elements of these are put in random order, so that the input keeps its set of
// values. The result is equal to `inputs` if this changes nothing.
runtime::NamedTensors PerturbedInputs(const runtime::NamedTensors& inputs,
                                      const std::set<std::string>& varying,
                                      uint64_t seed);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_PERTURBED_INPUTS_H_
