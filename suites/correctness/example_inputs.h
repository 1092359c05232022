// The inputs of examples, which are different in each, so that a program cannot
// pass by returning stored outputs.
//
// Some inputs are not data, though, but *settings*, such as the sampling rate
// of a sound: they have the same value in all examples. Few values of a setting
// are valid, and a random one may be none of them.
//
// If the user gives inputs, arbitrary others may be invalid, because inputs may
// be indices, lengths, offsets, divisors or masks. Moreover, the last check of
// a timed program runs it on inputs that it has not seen
// (CheckedSession::ExamineLate) and compares the time of such a run with the
// time that was measured, and the time of some operators depends on the data,
// for example that of non-maximum suppression on the number of boxes. New
// inputs must therefore resemble those of the user (PerturbedInputs).
#ifndef ASSAY_SUITES_CORRECTNESS_EXAMPLE_INPUTS_H_
#define ASSAY_SUITES_CORRECTNESS_EXAMPLE_INPUTS_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"
#include "runtime/artifact/tensor_file.h"

namespace assay::suites {

// Returns a tensor for each entry of `values`, which are those of the flag
// --input_value. The key is the name of an input of `graph`, and the tensor has
// the name and the type of this input. The value is the text of a number, to
// which all elements of the tensor are set; for a bool, it is 0 or 1. Integers
// are exact, and floating-point numbers are rounded to the element type.
//
// Returns InvalidArgument, with one sentence that names the flag and the input,
// if there is no such input or if the number is out of the range of its element
// type. A number with a fraction or an exponent is no integer.
absl::StatusOr<runtime::NamedTensors> SettingsFromValues(
    const std::map<std::string, std::string>& values,
    const graph::Graph& graph);

// Returns InvalidArgument, with one sentence that names the flag, if one of
// `names`, which are those of the flag --vary, is no input of `graph`.
absl::Status CheckVaryingInputs(const std::vector<std::string>& names,
                                const graph::Graph& graph);

// Replaces the values of those `inputs` that have the names of `settings`.
void ApplySettings(const runtime::NamedTensors& settings,
                   runtime::NamedTensors* inputs);

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

#endif  // ASSAY_SUITES_CORRECTNESS_EXAMPLE_INPUTS_H_
