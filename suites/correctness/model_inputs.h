// ReadModelInputs: reads the inputs of a model from a file of the user.
#ifndef ASSAY_SUITES_CORRECTNESS_MODEL_INPUTS_H_
#define ASSAY_SUITES_CORRECTNESS_MODEL_INPUTS_H_

#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"
#include "runtime/artifact/tensor_file.h"
#include "suites/tensors/input_file.h"

namespace assay::suites {

// Returns the inputs of `graph`, with the names and in the order of its inputs.
// Nothing is converted: returns InvalidArgument with one sentence if a tensor
// does not have the element type and the shape of its input, and the errors of
// MatchInputs(). All types are compared before any elements are read. Elements
// are not checked; the reference interpreter rejects an index that is out of
// range.
absl::StatusOr<runtime::NamedTensors> ReadModelInputs(
    const InputFile& file, const graph::Graph& graph);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_MODEL_INPUTS_H_
