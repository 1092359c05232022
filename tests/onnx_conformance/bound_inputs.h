// InputsToBind: selects the inputs of an ONNX test case that are bound. To bind
// an input is to give its value to the importer as a constant. Inputs are bound
// only if the importer rejects the model without bound inputs.
//
// The test cases pass all operands at run time, even operands that determine
// extents or modes, such as the shape of Reshape or k of TopK. The table in
// bound_inputs.cc lists such operands, but no operands that contain ordinary
// data. An input is bound if a node of the model uses it as a listed operand,
// or computes a listed operand from its elements. Sequences and optional values
// are not bound.
#ifndef ASSAY_TESTS_ONNX_CONFORMANCE_BOUND_INPUTS_H_
#define ASSAY_TESTS_ONNX_CONFORMANCE_BOUND_INPUTS_H_

#include <string>
#include <vector>

#include "onnx/onnx.pb.h"

namespace assay::conformance {

// Returns the names of the inputs to bind, in the order of the inputs.
std::vector<std::string> InputsToBind(const onnx::ModelProto& model);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_BOUND_INPUTS_H_
