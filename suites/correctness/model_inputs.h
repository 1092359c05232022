// The inputs of a model that the user gives in a file: BindDims() takes the
// extents of the model's symbolic dimensions from them, so that they need not
// be repeated in --dim, and ReadModelInputs() reads them.
#ifndef ASSAY_SUITES_CORRECTNESS_MODEL_INPUTS_H_
#define ASSAY_SUITES_CORRECTNESS_MODEL_INPUTS_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"
#include "runtime/artifact/tensor_file.h"
#include "suites/tensors/input_file.h"

namespace assay::suites {

// Returns `dims`, the values of --dim, and the extents of all other symbolic
// dimensions of the ONNX model in the file `model`, as the shapes of `inputs`
// have them. Dimensions are named as the importer names them
// (compiler/frontend/onnx/proto/type_reader.h). An input for which the model
// declares no shape has that of its tensor.
//
// Returns InvalidArgument with one sentence if a tensor has another rank than
// its input, if the extent of a symbolic dimension is 0, or if two axes with
// the same symbol have different extents; and the errors of MatchInputs() and
// of reading a file of at most `max_memory` bytes. Extents that contradict
// `dims` or a number in the model are not reported, because ReadModelInputs()
// compares the whole types; nor is a file that is no model, because the
// importer rejects it.
absl::StatusOr<std::map<std::string, int64_t>> BindDims(
    const InputFile& inputs, const std::string& model,
    const std::map<std::string, int64_t>& dims, int64_t max_memory);

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
