// InputsToBind: which inputs of a model are given to the importer as constants
// where it refuses the model without.
//
// The cases hand everything to a model when it runs, also what decides extents
// or modes: the shape of a Reshape, the k of a TopK. Only operands in the table
// of bound_inputs.cc are bound, never data.
#ifndef ASSAY_TESTS_ONNX_CONFORMANCE_BOUND_INPUTS_H_
#define ASSAY_TESTS_ONNX_CONFORMANCE_BOUND_INPUTS_H_

#include <string>
#include <vector>

#include "onnx/onnx.pb.h"

namespace assay::conformance {

// Names of model inputs that a node reads as an operand of the table, in the
// order of the inputs.
std::vector<std::string> InputsToBind(const onnx::ModelProto& model);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_BOUND_INPUTS_H_
