// InputsToBind: the inputs of a test case that may be passed to the importer as
// constants if it rejects the model otherwise.
//
// The ONNX test cases pass all operands at run time, even those that determine
// extents or modes, such as the shape of Reshape or k of TopK. Only the
// operands in the table of bound_inputs.cc are bound, never data.
#ifndef ASSAY_TESTS_ONNX_CONFORMANCE_BOUND_INPUTS_H_
#define ASSAY_TESTS_ONNX_CONFORMANCE_BOUND_INPUTS_H_

#include <string>
#include <vector>

#include "onnx/onnx.pb.h"

namespace assay::conformance {

// Returns the names of model inputs that are used as an operand of the table,
// in the order of the inputs.
std::vector<std::string> InputsToBind(const onnx::ModelProto& model);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_BOUND_INPUTS_H_
