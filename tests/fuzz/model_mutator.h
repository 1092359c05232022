// ChangeModel: changes an ONNX model in one place, as a broken exporter would.
//
// wire_mutator.h changes fields without knowing what they mean, so most of its
// models are rejected early. The changes of this file keep the rest of the
// model consistent and get further:
//   - nodes, inputs, outputs and weights are removed, duplicated or swapped;
//   - an attribute, an opset, a shape or an element type has another value,
//     which may be zero, negative or huge;
//   - a node has another operator, or reads or writes another value;
//   - the data of a weight are shorter, longer or different.
// Subgraphs of nodes are changed, too.
#ifndef ASSAY_TESTS_FUZZ_MODEL_MUTATOR_H_
#define ASSAY_TESTS_FUZZ_MODEL_MUTATOR_H_

#include <string>

#include "onnx/onnx.pb.h"
#include "runtime/base/random.h"

namespace assay::fuzz {

// Changes `model` and returns what was changed, in one line, for example
// "removed node 3 (`Conv`)". The serialized model may be the same as before, if
// for example two equal inputs were swapped. Returns an empty string if no
// change was possible.
std::string ChangeModel(onnx::ModelProto& model, Rng& rng);

}  // namespace assay::fuzz

#endif  // ASSAY_TESTS_FUZZ_MODEL_MUTATOR_H_
