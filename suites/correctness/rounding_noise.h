// RoundingNoise: measures how much the rounding of float arithmetic alone
// changes the outputs of a model.
//
// Some models amplify rounding errors for some inputs, for example by the
// difference of two nearly equal sums. Their correct outputs are then known
// with less precision than CheckOutputs() demands by default. The interpreter
// is therefore run again with every result of an operator moved at random by
// the usual error of its float arithmetic (Monte Carlo arithmetic). The change
// of the outputs is of the size that another order of the same operations has.
#ifndef ASSAY_SUITES_CORRECTNESS_ROUNDING_NOISE_H_
#define ASSAY_SUITES_CORRECTNESS_ROUNDING_NOISE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "runtime/artifact/tensor_file.h"
#include "suites/correctness/model.h"

namespace assay::suites {

// Returns for each data output of the model the largest change of an element in
// three runs on `inputs`; 0 for outputs that are no floats. Takes four times as
// long as the interpreter.
absl::StatusOr<std::vector<double>> RoundingNoise(
    const Model& model, const runtime::NamedTensors& inputs);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_ROUNDING_NOISE_H_
