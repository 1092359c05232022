// Settings: inputs of a model that have the same value in all examples.
//
// The inputs of a model are different in each example, so that a program cannot
// pass by returning stored outputs. Some inputs are not data, though, but
// settings, such as the sampling rate of a sound. Few values of a setting are
// valid, and a random one may be none of them.
#ifndef ASSAY_SUITES_CORRECTNESS_INPUT_SETTINGS_H_
#define ASSAY_SUITES_CORRECTNESS_INPUT_SETTINGS_H_

#include <map>
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

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_INPUT_SETTINGS_H_
